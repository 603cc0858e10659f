#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// Whether a number may be the weight of an instance: shares of others keep their digits.
constexpr bool is_weight(double weight) { return weight >= 1e-9 && weight <= 1e9; }
/// The rule for weights in words, for messages.
inline constexpr const char* kWeights = "a number from 1e-9 to 1e9 is allowed";

/// What a point is tried on: a problem, a level, a map, an opponent. A value, or several by name.
struct Instance {
  std::string name;     ///< unique in its study
  double weight = 1.0;  ///< relative share of the evaluations; see is_weight
  Value value = {};     ///< where it has no named values
  std::vector<std::pair<std::string, Value>> values = {};

  /// The value of that name, or nullptr.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// The value, or a map of the named values.
  [[nodiscard]] Json json() const;
  /// The value as a person writes it; named values as JSON on one line.
  [[nodiscard]] std::string text() const;
};

}  // namespace ntune
