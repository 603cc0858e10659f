#include "ntune/optim/duels/duel_claims.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/normal_mixture.h"

namespace ntune {

/// Makes one fit for each factor of all variances, from e^-2.4 to e^1.6, weighted by its evidence
/// and prior. Readings of a weight below 1/1000 are dropped, as each costs a look at every lead.
DuelClaims::DuelClaims(const DuelProcess& process) {
  constexpr double kUnlikely = 1e-3;
  if (process.duels().empty()) {
    readings_ = {{.process = process}};
    return;
  }
  double most = process.log_evidence();
  for (const double factor : {-2.4, -1.6, -0.8, 0.0, 0.8, 1.6}) {
    Reading reading{.process = process};
    const StrengthKernel& kernel = process.kernel();
    if (factor != 0.0) reading.process.fit_with(kernel.scaled(kernel.parameters(), factor));
    reading.weight = reading.process.log_evidence();
    most = std::max(most, reading.weight);
    readings_.push_back(std::move(reading));
  }
  // Until here weights are logarithms. Relative to the largest they cannot overflow.
  for (Reading& reading : readings_) reading.weight = std::exp(reading.weight - most);
  const auto scale = [this] {
    double sum = 0.0;
    for (const Reading& reading : readings_) sum += reading.weight;
    for (Reading& reading : readings_) reading.weight /= sum;
  };
  scale();
  std::erase_if(readings_, [](const Reading& reading) { return reading.weight < kUnlikely; });
  scale();
}

Belief DuelClaims::lead(const Point& first, const Point& second) const {
  NormalMixture mixture;
  for (const auto& [process, weight] : readings_) {
    const Belief belief = process.difference(first, second);
    mixture.parts.push_back({weight, belief.mean, *belief.sd});
  }
  return {.mean = mixture.mean(), .sd = mixture.sd()};
}

}  // namespace ntune
