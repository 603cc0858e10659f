#pragma once

#include <optional>
#include <vector>

#include "ntune/objective/capabilities.h"

namespace ntune {

/// A random landscape over a given space. It is a sum of four bumps with random centres and widths
/// per parameter, as Hartmann's functions are. On unordered parameters a bump knows only "same
/// value" and "another one". Values lie in [0, 1], the best near 0.8. Payoffs are +1 with that
/// probability and else -1, or the value itself.
class SyntheticLandscape final : public Objective, public KnownTruth {
 public:
  /// `space` must outlive the landscape.
  SyntheticLandscape(const SearchSpace& space, bool noisy, Rng rng);

  [[nodiscard]] const SearchSpace& space() const override { return *space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override { return "synthetic landscape"; }
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override;
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  [[nodiscard]] double true_value(const Point& point) const override { return value(point); }
  [[nodiscard]] std::optional<double> optimum() const override { return {}; }

 private:
  struct Bump {
    double height;
    std::vector<double> centres;  ///< per parameter: place in [0, 1], or index of a value
    std::vector<double> widths;
  };

  [[nodiscard]] double value(const Point& point) const;

  const SearchSpace* space_;
  bool noisy_;
  std::vector<Bump> bumps_;
};

}  // namespace ntune
