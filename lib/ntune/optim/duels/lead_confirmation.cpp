#include "ntune/optim/duels/lead_confirmation.h"

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
LeadConfirmation::Mixture LeadConfirmation::posterior(double dispersion) const {
  constexpr double kRight = 0.5;
  constexpr double kUsualLead = 150.0;  // Elo
  constexpr double kUsualMatches = 40.0;
  const double wide = kUsualLead * draws_.per_elo();
  Mixture mixture = {Normal{kRight, belief_.mean, *belief_.sd * *belief_.sd},
                     Normal{1.0 - kRight, 0.0, wide * wide}};
  if (games_ > 0.0) {
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
    for (Normal& part : mixture) {
      const double all = part.variance + variance;
      part.weight *= normal_density((shown - part.mean) / std::sqrt(all)) / std::sqrt(all);
      part.mean = (part.mean * variance + shown * part.variance) / all;
      part.variance *= variance / all;
      sum += part.weight;
    }
    for (Normal& part : mixture) {
      // Both densities may underflow to 0, where the games are far from either. Then the belief is
      // dropped.
      part.weight = sum > 0.0 ? part.weight / sum : (&part == mixture.data() ? 0.0 : 1.0);
    }
  }
  return mixture;
}

/// Returns the mean of a mixture whose weights sum to 1.
double LeadConfirmation::mean_of(const Mixture& mixture) {
  return mixture[0].weight * mixture[0].mean + mixture[1].weight * mixture[1].mean;
}

/// Returns the probability that the lead is below g.
double LeadConfirmation::below(const Mixture& mixture, double g) {
  double share = 0.0;
  for (const Normal& part : mixture) {
    share += part.weight * normal_below((g - part.mean) / std::sqrt(part.variance));
  }
  return share;
}

/// Returns the lead below which this share of the mixture lies. It halves an interval that holds
/// practically all of the mixture.
double LeadConfirmation::quantile(const Mixture& mixture, double share) {
  constexpr double kFar = 10.0;
  constexpr int kHalvings = 60;
  double low = 0.0;
  double high = 0.0;
  for (const Normal& part : mixture) {
    const double reach = kFar * std::sqrt(part.variance);
    low = std::min(low, part.mean - reach);
    high = std::max(high, part.mean + reach);
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (below(mixture, middle) < share ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double LeadConfirmation::mean(double dispersion) const { return mean_of(posterior(dispersion)); }

LeadConfirmation::Lead LeadConfirmation::lead(double dispersion) const {
  const Mixture mixture = posterior(dispersion);
  const double mean = mean_of(mixture);
  double variance = 0.0;
  for (const Normal& part : mixture) {
    variance += part.weight * (part.variance + (part.mean - mean) * (part.mean - mean));
  }
  constexpr double kEitherEnd = 0.025;
  return {.mean = mean,
          .low = quantile(mixture, kEitherEnd),
          .high = quantile(mixture, 1.0 - kEitherEnd),
          .sd = std::sqrt(variance),
          .probability_better = 1.0 - below(mixture, 0.0),
          .weight = mixture[0].weight};
}

}  // namespace ntune
