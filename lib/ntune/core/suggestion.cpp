#include "ntune/core/suggestion.h"

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = closest_word(word, candidates);
  return near.empty() ? "" : fmt::format(", did you mean '{}'?", printable(near));
}

}  // namespace ntune
