#pragma once

#include <vector>

#include "ntune/core/normal.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/duels/draw_model.h"
#include "ntune/optim/duels/duel_process.h"

namespace ntune {

/// What fresh games say of a lead, beside what was believed of it before them. The belief may be
/// wrong altogether, as that of a smooth model is next to a cliff. So the prior is a mixture: with
/// probability 1/2 the belief, else any lead within a few hundred Elo of none. Games that
/// contradict the belief take its weight away, others make the interval narrower than they could
/// alone (a robust mixture prior: Schmidli et al. 2014, "Robust meta-analytic-predictive priors in
/// clinical trials with historical control information"). An error of the belief that the games are
/// too few to show stays.
class LeadConfirmation {
 public:
  /// A belief of the lead, in units of strength, with a deviation above 0.
  LeadConfirmation(const Belief& belief, const DrawModel& draws);

  /// A match of so many games, by its points per game. The games of a match may depend on one
  /// another.
  void add(double score, double games);
  [[nodiscard]] const DrawModel& draws() const { return draws_; }
  /// Matches that were added since the belief was formed.
  [[nodiscard]] double matches() const { return matches_; }

  /// The lead, in units of strength.
  struct Lead {
    double mean = 0.0;
    double low = 0.0;  ///< 95 % lie between low and high
    double high = 0.0;
    double sd = 0.0;
    double weight = 1.0;  ///< of the belief
  };
  /// `dispersion`: variance of scores over that of independent games, as the search has found it.
  [[nodiscard]] Lead lead(double dispersion) const;
  /// The mean of the lead alone, in a fraction of the time.
  [[nodiscard]] double mean(double dispersion) const;

 private:
  /// The belief, and any other lead.
  [[nodiscard]] NormalMixture posterior(double dispersion) const;

  Belief belief_;
  DrawModel draws_;
  double matches_ = 0.0;
  double games_ = 0.0;
  double points_ = 0.0;
  double squares_ = 0.0;  ///< sum over matches of games times the squared score per game
};

/// What the matches say of differences of strength, whatever variances the strengths have. A search
/// takes the likeliest variances for known, and then believes too much of the point that looks best
/// of all. Here all variances are 10 times smaller to 5 times larger, and each of these readings
/// counts by its marginal likelihood and prior (benchmarks/results/duels.md).
class DuelClaims {
 public:
  DuelClaims() = default;
  explicit DuelClaims(const DuelProcess& process);

  [[nodiscard]] bool empty() const { return readings_.empty(); }
  /// Strength of the first less that of the second.
  [[nodiscard]] Belief lead(const Point& first, const Point& second) const;

 private:
  struct Reading {
    DuelProcess process;
    double weight = 1.0;
  };
  std::vector<Reading> readings_;
};

}  // namespace ntune
