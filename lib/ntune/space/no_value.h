#pragma once

#include <string>
#include <variant>

#include "ntune/space/parameter.h"

namespace ntune {

/// The value `null` of a list of choices: a program gets no argument for it. No text of a study can
/// be the same, as none holds NUL.
inline const std::string& no_value() {
  static const std::string kNull{"\0null", 5};
  return kNull;
}

inline bool is_no_value(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == no_value();
}

}  // namespace ntune
