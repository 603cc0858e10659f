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
  // The degrees of freedom become a count; what rounding took off a whole number is put back first.
  const double count = std::max(1.0, 1.0 + std::floor(estimate.degrees + 1e-9));
  // With these squares, variance / count of the sample is the variance of the estimate.
  return RunningStats({.count = static_cast<std::int64_t>(count),
                       .mean = std::clamp(estimate.mean, values.min(), values.max()),
                       .squares = estimate.variance * count * (count - 1.0),
                       .min = values.min(),
                       .max = values.max()});
}

/// The estimate from what varies within the strata, each of which has a value. The variance is a
/// sum of those within the strata, each with its factor: of the stratum itself, and of those of one
/// value.
Estimate within_strata(std::span<const Stratum> strata, double weights) {
  double freedom = 0.0;
  double single = 0.0;
  Estimate found;
  for (const Stratum& stratum : strata) {
    const double share = stratum.weight / weights;
    found.mean += share * stratum.values.mean();
    freedom += static_cast<double>(stratum.values.count() - 1);
    // A stratum of one value has no variance of its own, so its share waits for the pooled one.
    if (stratum.values.count() == 1) single += share * share;
  }
  double rest = 0.0;  // Satterthwaite's sum
  for (const Stratum& stratum : strata) {
    const auto count = static_cast<double>(stratum.values.count());
    if (count < 2.0) continue;
    const double share = stratum.weight / weights;
    // The pooled variance sum((n - 1) s^2) / sum(n - 1) stands for the strata of one value. Each
    // stratum thus has two factors for its s^2.
    const double factor = share * share / count + single * (count - 1.0) / freedom;
    const double part = factor * stratum.values.variance();
    found.variance += part;
    // Satterthwaite: degrees = V^2 / sum(part^2 / (n - 1)), where V is the sum of the parts.
    rest += part * part / (count - 1.0);
  }
  found.degrees = rest > 0.0 ? found.variance * found.variance / rest : freedom;
  return found;
}

/// The estimate from the means of the strata that have values, taken as a sample of strata.
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
  // A single stratum with values shows no variance between strata.
  if (concentration >= 1.0) return found;
  double squares = 0.0;
  for (const Stratum& stratum : strata) {
    if (stratum.values.count() == 0) continue;
    const double distance = stratum.values.mean() - found.mean;
    squares += stratum.weight / weights * distance * distance;
  }
  // The weighted variance is made unbiased by 1 - concentration, and divided by the effective
  // number of strata.
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
  // One stratum, or none with values, leaves the plain sample.
  if (strata.size() < 2 || visited == 0) return sample;
  const bool within = visited == strata.size() && 2.0 * twice >= weights;
  sample.mean =
      as_sample(within ? within_strata(strata, weights) : between_strata(strata), sample.values);
  return sample;
}

}  // namespace ntune
