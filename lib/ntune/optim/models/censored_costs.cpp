#include "ntune/optim/models/censored_costs.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/normal.h"

namespace ntune {

double normal_mean_above(double mean, double sd, double bound) {
  const double z = (bound - mean) / sd;
  // Farther out the density and the tail are too small for their quotient, which is about z.
  constexpr double kFarOut = 30.0;
  if (z > kFarOut) return bound + sd / z;
  // This is the mean of a truncated normal variable, by the inverse of Mills' ratio.
  return mean + sd * normal_density(z) / normal_below(-z);
}

void CensoredCosts::add(double cost) {
  ++known_;
  least_ = std::min(least_, cost);
  if (cost > 0.0) logs_.add(std::log(cost));
}

double CensoredCosts::losing(double best) const {
  constexpr std::int64_t kFirst = 20;
  constexpr double kFactor = 5.0;
  const double most = kFactor * std::max(best, least_);
  return known_ < kFirst || most <= 0.0 ? std::numeric_limits<double>::infinity() : most;
}

double CensoredCosts::imputed(std::optional<double> mean, double bound) const {
  constexpr double kLeastScatter = 0.1;  // times of a program are never alike
  const double centre = mean.value_or(0.0) > 0.0 ? std::log(*mean) : logs_.mean();
  const double scatter = std::max(kLeastScatter, logs_.count() > 1 ? logs_.sd() : 0.0);
  if (bound <= 0.0) return std::exp(centre);
  return std::exp(normal_mean_above(centre, scatter, std::log(bound)));
}

}  // namespace ntune
