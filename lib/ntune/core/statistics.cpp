#include "ntune/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "ntune/core/normal.h"

namespace ntune {

void Moments::merge(const Moments& other) {
  if (other.count == 0.0) return;
  const double both = count + other.count;
  const double delta = other.mean - mean;
  const double between = delta * delta * count * other.count / both;
  cubes += other.cubes + between * delta * (count - other.count) / both +
           3.0 * delta * (count * other.squares - other.count * squares) / both;
  squares += other.squares + between;
  mean += delta * other.count / both;
  count = both;
}

void RunningStats::add_size(double value) {
  if (value == 0.0) return;
  const double size = std::abs(value);
  logarithms_.merge({.count = 1.0, .mean = std::log(size)});
  cube_roots_.merge({.count = 1.0, .mean = std::cbrt(size)});
}

bool RunningStats::has_sizes() const {
  return logarithms_.count == static_cast<double>(state_.count) &&
         (state_.min > 0.0 || state_.max < 0.0);
}

void RunningStats::add(double value) {
  ++state_.count;
  const double delta = value - state_.mean;
  state_.mean += delta / static_cast<double>(state_.count);
  // Welford's update: one deviation is from the old mean, the other from the new one.
  state_.squares += delta * (value - state_.mean);
  state_.min = state_.count == 1 ? value : std::min(state_.min, value);
  state_.max = state_.count == 1 ? value : std::max(state_.max, value);
  step_ = common_step(step_, value);
  add_size(value);
}

void RunningStats::merge(const RunningStats& other) {
  if (other.state_.count == 0) return;
  if (state_.count == 0) {
    *this = other;
    return;
  }
  // Chan, Golub and LeVeque's update: squares between the two means are added to those within.
  const auto n = static_cast<double>(state_.count);
  const auto m = static_cast<double>(other.state_.count);
  const double delta = other.state_.mean - state_.mean;
  state_.count += other.state_.count;
  state_.mean += delta * m / (n + m);
  state_.squares += other.state_.squares + delta * delta * n * m / (n + m);
  state_.min = std::min(state_.min, other.state_.min);
  state_.max = std::max(state_.max, other.state_.max);
  step_ = std::min(step_, other.step_);
  logarithms_.merge(other.logarithms_);
  cube_roots_.merge(other.cube_roots_);
}

double RunningStats::variance() const {
  return state_.count < 2 ? 0.0 : state_.squares / static_cast<double>(state_.count - 1);
}

double RunningStats::sd() const { return std::sqrt(variance()); }

double RunningStats::standard_error() const {
  return state_.count < 2 ? 0.0 : std::sqrt(variance() / static_cast<double>(state_.count));
}

double common_step(double step, double value) {
  // Binary fractions are exact in a double, so that the test for a multiple needs no tolerance.
  constexpr double kFinest = 0.125;
  while (step > 0.0 && std::floor(value / step) != value / step) {
    step = step > kFinest ? 0.5 * step : 0.0;
  }
  return step;
}

// The mean comes from the sum, so that of wins, draws and losses is exact where a double can be.
RunningStats stats_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto n = static_cast<long double>(values.size());
  const long double sum = std::accumulate(values.begin(), values.end(), 0.0L);
  RunningStats::State state{.count = std::ssize(values), .min = *low, .max = *high};
  state.mean = std::clamp(static_cast<double>(sum / n), *low, *high);  // equal values have no rest
  for (const double value : values) {
    state.squares += (value - state.mean) * (value - state.mean);
  }
  RunningStats stats(state);
  for (const double value : values) {
    stats.step_ = common_step(stats.step_, value);
    stats.add_size(value);
  }
  return stats;
}

double rounded_difference(double a, double b) {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)) ? 0.0 : a - b;
}

RunningStats without_rounding(const RunningStats& differences) {
  constexpr double kRounding = 32.0 * std::numeric_limits<double>::epsilon();
  RunningStats rounded = differences;
  RunningStats::State& state = rounded.state_;
  const double largest = std::max(std::abs(state.min), std::abs(state.max));
  if (std::abs(state.mean) <= kRounding * largest) state.mean = 0.0;
  return rounded;
}

RunningStats without_dust(const RunningStats& differences) {
  constexpr double kRounding = 1e-9;  // of payoffs up to a million times the difference
  RunningStats::State state = differences.state();
  const double most = kRounding * std::max(std::abs(state.min), std::abs(state.max));
  if (state.squares == 0.0 || state.max - state.min > most) return differences;
  state = {.count = state.count - 1, .mean = state.mean, .min = state.mean, .max = state.mean};
  RunningStats equal(state);
  equal.add(state.mean);  // which also tells their step
  return equal;
}

Interval student_interval(const RunningStats& sample, double confidence) {
  if (sample.count() < 2) return {sample.mean(), sample.mean()};
  const boost::math::students_t distribution(static_cast<double>(sample.count() - 1));
  const double half =
      boost::math::quantile(distribution, 0.5 + confidence / 2) * sample.standard_error();
  return {sample.mean() - half, sample.mean() + half};
}

Interval wilson_interval(double successes, double n, double confidence) {
  // Wilson 1927: the interval has the proportions that are at most z of their own standard errors
  // away.
  const double z = normal_quantile(0.5 + confidence / 2);
  const double p = successes / n;
  const double scale = 1.0 + z * z / n;
  const double centre = (p + z * z / (2.0 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  // Rounding must not move the ends away from 0 and 1 where these were seen alone.
  return {successes > 0.0 ? std::max(0.0, centre - half) : 0.0,
          successes < n ? std::min(1.0, centre + half) : 1.0};
}

Interval bootstrap_interval(std::span<const double> values, Rng rng, int resamples,
                            double confidence) {
  const auto n = static_cast<std::uint32_t>(values.size());
  std::vector<double> means(static_cast<std::size_t>(resamples));
  for (double& mean : means) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < n; ++i) sum += values[rng.below(n)];
    mean = sum / n;
  }
  std::sort(means.begin(), means.end());
  // Quantile of the sorted means, with linear interpolation between neighbours.
  const auto quantile = [&](double p) {
    const double position = p * static_cast<double>(means.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, means.size() - 1);
    return std::lerp(means[below], means[above], position - static_cast<double>(below));
  };
  // The basic bootstrap reflects the quantiles at the mean: the upper quantile gives the lower end.
  const double twice_mean = 2.0 * stats_of(values).mean();
  const double tail = (1.0 - confidence) / 2;
  return {twice_mean - quantile(1.0 - tail), twice_mean - quantile(tail)};
}

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

/// The strata of one value.
struct Singles {
  double squares = 0.0;  ///< sum of their squared shares
  double spread = 0.0;   ///< the variance of the weighted mean, by how far they lie apart
  double degrees = 0.0;
};

/// One alone lies apart from the mean of all strata.
Singles singles_of(std::span<const Stratum> strata, double weights) {
  RunningStats singles;
  RunningStats all;
  for (const Stratum& stratum : strata) {
    all.add(stratum.values.mean());
    if (stratum.values.count() == 1) singles.add(stratum.values.mean());
  }
  const RunningStats& around = singles.count() == 1 ? all : singles;
  const auto count = static_cast<double>(around.count());
  Singles found{.degrees = std::max(1.0, static_cast<double>(singles.count() - 1))};
  for (const Stratum& stratum : strata) {
    if (stratum.values.count() != 1) continue;
    const double share = stratum.weight / weights;
    const double distance = stratum.values.mean() - around.mean();
    found.squares += share * share;
    found.spread += share * share * distance * distance * count / (count - 1.0);
  }
  return found;
}

/// A variance as a sum of parts, with Satterthwaite's degrees of freedom: V^2 / sum(part^2 / d),
/// where V is the sum and d are those of a part.
struct VarianceParts {
  double sum = 0.0;
  double rest = 0.0;

  void add(double part, double degrees) {
    sum += part;
    rest += part * part / degrees;
  }
};

/// What strata of one value add to a variance, of which nobody has seen more than a part. It is at
/// least the pooled variance within the others. As far as they lie apart it is more, but unless
/// strata may be alike no more than if those of one value had five times the noise of one other:
/// of the more others, the less.
struct SinglesPart {
  double pooled = 0.0;  ///< how often it has the pooled variance
  double spread = 0.0;
};

SinglesPart part_of(const Singles& singles, double pooled, double others, bool alike) {
  constexpr double kUnseenNoise = 5.0;
  const double most = 1.0 + (kUnseenNoise * kUnseenNoise - 1.0) / others;
  const double apart = singles.spread / pooled;
  if (apart <= singles.squares) return {.pooled = singles.squares};
  if (!alike && apart > most * singles.squares) return {.pooled = most * singles.squares};
  return {.spread = singles.spread};
}

/// The estimate from what varies within the strata, each of which has a value. The variance is a
/// sum of those within the strata, each with its factor: of the stratum itself, and of those of one
/// value.
Estimate within_strata(std::span<const Stratum> strata, double weights, bool alike) {
  double freedom = 0.0;
  double squares = 0.0;
  double others = 0.0;  // strata of two values and more
  Estimate found;
  for (const Stratum& stratum : strata) {
    found.mean += stratum.weight / weights * stratum.values.mean();
    freedom += static_cast<double>(stratum.values.count() - 1);
    squares += stratum.values.state().squares;
    if (stratum.values.count() > 1) ++others;
  }
  found.degrees = freedom;
  if (squares == 0.0) return found;
  const double pooled = squares / freedom;
  const Singles singles = singles_of(strata, weights);
  const SinglesPart single = part_of(singles, pooled, others, alike);
  VarianceParts seen;
  VarianceParts cautious;  // with at least the pooled variance within each
  for (const Stratum& stratum : strata) {
    const auto count = static_cast<double>(stratum.values.count());
    if (count < 2.0) continue;
    const double share = stratum.weight / weights;
    // The pooled variance is sum((n - 1) s^2) / sum(n - 1). Each stratum thus has two factors for
    // its s^2.
    const double factor = share * share / count + single.pooled * (count - 1.0) / freedom;
    seen.add(factor * stratum.values.variance(), count - 1.0);
    cautious.add(factor * std::max(pooled, stratum.values.variance()), count - 1.0);
  }
  if (single.spread > 0.0) {
    seen.add(single.spread, singles.degrees);
    cautious.add(single.spread, singles.degrees);
  }
  found.variance = seen.sum;
  found.degrees =
      std::min(seen.sum * seen.sum / seen.rest, cautious.sum * cautious.sum / cautious.rest);
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

MeanSample stratified(std::span<const Stratum> strata, bool alike) {
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
  sample.mean = as_sample(within ? within_strata(strata, weights, alike) : between_strata(strata),
                          sample.values);
  return sample;
}

}  // namespace ntune
