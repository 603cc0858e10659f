#include "ntune/core/stratified.h"

#include <algorithm>
#include <cmath>

namespace ntune {

namespace {

/// An estimate of a mean.
struct Estimate {
  double mean = 0.0;
  double variance = 0.0;
  double degrees = 0.0;
};

/// A sample that says of its mean what the estimate does, with the ends of the values.
RunningStats as_sample(const Estimate& estimate, const RunningStats& values) {
  const double count = std::max(1.0, 1.0 + std::floor(estimate.degrees + 1e-9));
  return RunningStats({.count = static_cast<std::int64_t>(count),
                       .mean = std::clamp(estimate.mean, values.min(), values.max()),
                       .squares = estimate.variance * count * (count - 1.0),
                       .min = values.min(),
                       .max = values.max()});
}

/// By what varies within the strata, each of which has a value. The variance is a sum of those
/// within the strata, each with its factor: of the stratum itself, and of those of one value.
Estimate within_strata(std::span<const Stratum> strata, double weights) {
  double freedom = 0.0;
  double single = 0.0;
  Estimate found;
  for (const Stratum& stratum : strata) {
    const double share = stratum.weight / weights;
    found.mean += share * stratum.values.mean();
    freedom += static_cast<double>(stratum.values.count() - 1);
    if (stratum.values.count() == 1) single += share * share;
  }
  double rest = 0.0;  // Satterthwaite's sum
  for (const Stratum& stratum : strata) {
    const auto count = static_cast<double>(stratum.values.count());
    if (count < 2.0) continue;
    const double share = stratum.weight / weights;
    const double factor = share * share / count + single * (count - 1.0) / freedom;
    const double part = factor * stratum.values.variance();
    found.variance += part;
    rest += part * part / (count - 1.0);
  }
  found.degrees = rest > 0.0 ? found.variance * found.variance / rest : freedom;
  return found;
}

/// By the means of the strata that have values, as a sample of strata.
Estimate between_strata(std::span<const Stratum> strata) {
  double weights = 0.0;
  for (const Stratum& stratum : strata) {
    if (stratum.values.count() > 0) weights += stratum.weight;
  }
  Estimate found;
  double concentration = 0.0;  // one over Kish's effective number of strata
  for (const Stratum& stratum : strata) {
    const double share = stratum.values.count() > 0 ? stratum.weight / weights : 0.0;
    found.mean += share * stratum.values.mean();
    concentration += share * share;
  }
  if (concentration >= 1.0) return found;
  double squares = 0.0;
  for (const Stratum& stratum : strata) {
    if (stratum.values.count() == 0) continue;
    const double distance = stratum.values.mean() - found.mean;
    squares += stratum.weight / weights * distance * distance;
  }
  found.variance = squares / (1.0 - concentration) * concentration;
  found.degrees = 1.0 / concentration - 1.0;
  return found;
}

}  // namespace

MeanSample stratified(std::span<const Stratum> strata) {
  MeanSample sample;
  double weights = 0.0;
  std::size_t visited = 0;
  double twice = 0.0;  // weights
  for (const Stratum& stratum : strata) {
    sample.values.merge(stratum.values);
    weights += stratum.weight;
    if (stratum.values.count() > 0) ++visited;
    if (stratum.values.count() > 1) twice += stratum.weight;
  }
  sample.mean = sample.values;
  if (strata.size() < 2 || visited == 0) return sample;
  const bool within = visited == strata.size() && 2.0 * twice >= weights;
  sample.mean =
      as_sample(within ? within_strata(strata, weights) : between_strata(strata), sample.values);
  return sample;
}

}  // namespace ntune
