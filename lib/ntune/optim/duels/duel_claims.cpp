#include "ntune/optim/duels/duel_claims.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/normal.h"

namespace ntune {

LeadConfirmation::LeadConfirmation(const Belief& belief, const DrawModel& draws)
    : belief_(belief), draws_(draws) {}

void LeadConfirmation::add(double score, double games) {
  ++matches_;
  games_ += games;
  points_ += games * score;
  squares_ += games * score * score;
}

/// Returns the mixture given all matches. Each part is updated as a normal prior by a normal
/// measurement of the lead. Its weight is multiplied by its density of what the games show.
NormalMixture LeadConfirmation::posterior(double dispersion) const {
  constexpr double kRight = 0.5;
  constexpr double kUsualLead = 150.0;  // Elo
  constexpr double kUsualMatches = 40.0;
  NormalMixture mixture = {
      {{kRight, belief_.mean, *belief_.sd}, {1.0 - kRight, 0.0, kUsualLead * draws_.per_elo()}}};
  if (games_ == 0.0) return mixture;
  // Half a point for either side keeps the strength that the games show finite.
  const double score = (points_ + 0.5) / (games_ + 1.0);
  const double shown = draws_.strength(score);
  // Pearson's dispersion of these matches, drawn to that of the search.
  const double sum_of_squares = squares_ - 2.0 * score * points_ + games_ * score * score;
  const double spread = std::max(0.0, sum_of_squares) / draws_.variance(shown);
  const double own = (spread + kUsualMatches * dispersion) / (matches_ + kUsualMatches);
  // This is the variance of the measured lead in squared strength, as `variance(shown)` is also
  // the score's slope.
  const double variance = own / (games_ * draws_.variance(shown));
  double sum = 0.0;
  for (auto& [weight, mean, sd] : mixture.parts) {
    const double all = sd * sd + variance;
    weight *= normal_density((shown - mean) / std::sqrt(all)) / std::sqrt(all);
    mean = (mean * variance + shown * sd * sd) / all;
    sd *= std::sqrt(variance / all);
    sum += weight;
  }
  // Both densities may underflow to 0, where the games are far from either. Then the belief is
  // dropped.
  if (sum <= 0.0) mixture.parts[1].weight = sum = 1.0;
  for (NormalMixture::Part& part : mixture.parts) part.weight /= sum;
  return mixture;
}

double LeadConfirmation::mean(double dispersion) const { return posterior(dispersion).mean(); }

LeadConfirmation::Lead LeadConfirmation::lead(double dispersion) const {
  constexpr double kEitherEnd = 0.025;
  const NormalMixture mixture = posterior(dispersion);
  return {.mean = mixture.mean(),
          .low = mixture.quantile(kEitherEnd),
          .high = mixture.quantile(1.0 - kEitherEnd),
          .sd = mixture.sd(),
          .weight = mixture.parts[0].weight};
}

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
