#pragma once

#include <cmath>
#include <optional>

#include "ntune/objective/unit.h"

namespace ntune {

/// The scale on which a search models payoffs: as they are, or the logarithms of the reported
/// values. On the second what an instance adds is a factor, and one long time does not outweigh
/// many short ones. Either keeps the order of payoffs.
class ModelScale {
 public:
  ModelScale() = default;
  /// Of the logarithms of values in this unit.
  static ModelScale logarithmic(const Unit& unit) {
    ModelScale scale;
    scale.unit_ = unit;
    return scale;
  }

  [[nodiscard]] bool is_logarithmic() const { return unit_.has_value(); }
  /// A value that is not above 0 counts as 10^-9.
  [[nodiscard]] double of_payoff(double payoff) const {
    if (!unit_) return payoff;
    constexpr double kLeast = 1e-9;
    return unit_->direction() * std::log(std::fmax(unit_->value_of(payoff), kLeast));
  }
  /// The payoff at this place of the scale; -infinity stays.
  [[nodiscard]] double payoff_of(double number) const {
    if (!unit_ || std::isinf(number)) return number;
    return unit_->payoff_of(std::exp(unit_->direction() * number));
  }

 private:
  std::optional<Unit> unit_;
};

}  // namespace ntune
