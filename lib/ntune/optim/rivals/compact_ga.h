#pragma once

#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/base/point_search.h"

namespace ntune {

struct CompactGaOptions {
  int window = 20;
  AutoNumber population;

  void visit(Options& options);
};

/// Sliding-window compact genetic algorithm (Lucas, Liu and Pérez-Liébana 2017, section III-C): a
/// distribution over the values of each parameter by itself, from which every point is drawn. Its
/// payoff is compared with each of the last `window` payoffs. Every comparison that has a winner
/// moves a probability of 1 / `population` from the loser's value to the winner's, in each
/// parameter where they differ. Equal payoffs move nothing.
///
/// Beyond the paper a parameter may have any number r of values. No probability falls below 1 / (d
/// (r - 1)), or half of 1 / r if that is less, so that no value is lost for good (Ben Jedidia,
/// Doerr and Krejca 2024). `population: auto` is window * sqrt(budget), at least 2 * window.
///
/// A failure loses every comparison with a payoff. Recommends the sampled point that is most
/// probable (the paper: the most probable of all) among those unlikely to fail.
class CompactGa final : public PointSearch {
 public:
  CompactGa(const CompactGaOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  using PointSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

  [[nodiscard]] double probability(int parameter, int value) const {
    return probabilities_[static_cast<std::size_t>(parameter)][static_cast<std::size_t>(value)];
  }

 private:
  /// A payoff, or -infinity for a failure.
  struct Sampled {
    Point point;
    double payoff = 0.0;
  };

  [[nodiscard]] Point draw(Rng& rng) const;
  void enter(const Sampled& now);
  void compare(const Sampled& one, const Sampled& other);

  double step_;
  std::size_t window_;
  std::vector<std::vector<double>> probabilities_;  ///< per parameter and value
  std::vector<double> least_;                       ///< lowest probability, per parameter
  std::vector<Sampled> last_;                       ///< the last `window` payoffs, a ring
  std::size_t next_ = 0;                            ///< place of the oldest in the ring
};

}  // namespace ntune
