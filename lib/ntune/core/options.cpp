#include "ntune/core/options.h"

#include <cmath>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

bool Bounds::contain(double value) const {
  return std::isfinite(value) && (low_excluded ? value > low : value >= low) && value <= high;
}

/// The largest int is the silent bound of an `int` option and is not worth a mention.
bool Bounds::names_high() const {
  return std::isfinite(high) && (high < 0x1p31 - 1 || high == -low);
}

std::string Bounds::text() const {
  const bool has_low = std::isfinite(low);
  const bool has_high = names_high();
  if (has_low && has_high) {
    return fmt::format("{} {} {} {}", low_excluded ? "above" : "from", number_text(low),
                       low_excluded ? "and at most" : "to", number_text(high));
  }
  if (has_low) return fmt::format("{} {}", low_excluded ? "above" : "at least", number_text(low));
  if (has_high) return fmt::format("at most {}", number_text(high));
  return "any finite number";
}

std::string Bounds::text_for(double refused) const {
  return refused > high && !names_high() ? fmt::format("at most {}", number_text(high)) : text();
}

void refuse(const std::optional<OptionProblem>& problem) {
  if (problem) throw InputError(std::string(problem->key) + ": " + problem->message);
}

}  // namespace ntune
