#pragma once

#include <vector>

#include "ntune/optim/duels/duel_process.h"

namespace ntune {

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
