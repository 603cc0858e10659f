#pragma once

#include <optional>
#include <string>

#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// What is known of the numbers that an objective returns.
struct Payoffs {
  /// Smallest and largest possible payoff, where they are known.
  std::optional<double> low = {};
  std::optional<double> high = {};
  /// Every payoff is either `low` or `high` (win or loss), so that a proportion describes a sample.
  bool two_valued = false;
  /// Two evaluations of a point may differ.
  bool noisy = true;
};

/// A noisy black box to be maximised. A payoff is a deterministic function of (point, stream) and
/// of nothing else; all members may be called from several threads at once.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The space whose allowed points `evaluate` accepts.
  [[nodiscard]] virtual const SearchSpace& space() const = 0;

  /// One noisy payoff; higher is better. May throw std::exception: the evaluation has failed.
  [[nodiscard]] virtual double evaluate(const Point& point, Rng& rng) const = 0;

  /// One line for reports: "hartmann6, win or loss".
  [[nodiscard]] virtual std::string description() const = 0;

  [[nodiscard]] virtual Payoffs payoffs() const { return {}; }

  /// From a mean payoff to the unit in which values are reported (increasing and affine), such as
  /// (payoff + 1) / 2 for the probability of a win.
  [[nodiscard]] virtual double value_of(double mean_payoff) const { return mean_payoff; }

  /// The expected value of a point in the reported unit, where it is known.
  [[nodiscard]] virtual std::optional<double> true_value(const Point&) const { return {}; }
  /// The largest true value over the space, where it is known.
  [[nodiscard]] virtual std::optional<double> optimum() const { return {}; }
};

}  // namespace ntune
