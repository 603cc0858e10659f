#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/agents/combinatorial_game/thermograph.h"

namespace ntune::test {

/// A thermograph as two tables: the walls at -1, -1 + step … up to a temperature that is not
/// exceeded. Exact if all temperatures are multiples of the step.
struct PlainThermograph {
  ThermographValue value;
  std::vector<Dyadic> left;
  std::vector<Dyadic> right;

  /// From the thermographs of the options, straight from the definition.
  static PlainThermograph of(const std::vector<const PlainThermograph*>& left_options,
                             const std::vector<const PlainThermograph*>& right_options, Dyadic step,
                             std::size_t rows) {
    PlainThermograph result;
    bool frozen = false;
    for (std::size_t row = 0; row < rows; ++row) {
      const Dyadic t = -1 + static_cast<int>(row) * step;
      if (!frozen) {
        const std::optional<Dyadic> left = scaffold(left_options, row, t, true);
        const std::optional<Dyadic> right = scaffold(right_options, row, t, false);
        if (row == 0 && (!left || !right || *left <= *right)) {
          result.value = {nearest_to_zero(left, right), -1};
          frozen = true;
        } else if (*left <= *right) {
          result.value = {*left, t};
          frozen = true;
        } else {
          result.left.push_back(*left);
          result.right.push_back(*right);
          continue;
        }
      }
      result.left.push_back(result.value.mean);
      result.right.push_back(result.value.mean);
    }
    return result;
  }

  /// The same walls at all rows, and the same value.
  [[nodiscard]] bool equals(const Thermograph& other, Dyadic step) const {
    bool equal = other.value() == value;
    for (std::size_t row = 0; row < left.size(); ++row) {
      const Dyadic t = -1 + static_cast<int>(row) * step;
      equal = equal && other.left(t) == left[row] && other.right(t) == right[row];
    }
    return equal;
  }

 private:
  static std::optional<Dyadic> scaffold(const std::vector<const PlainThermograph*>& options,
                                        std::size_t row, Dyadic t, bool of_left) {
    std::optional<Dyadic> best;
    for (const PlainThermograph* option : options) {
      const Dyadic taxed = of_left ? option->right[row] - t : option->left[row] + t;
      if (!best || (of_left ? taxed > *best : taxed < *best)) best = taxed;
    }
    return best;
  }
  static Dyadic nearest_to_zero(std::optional<Dyadic> left, std::optional<Dyadic> right) {
    if (left && *left > 0) return *left;
    if (right && *right < 0) return *right;
    return 0;
  }
};

}  // namespace ntune::test
