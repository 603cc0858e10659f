// The weighted mean of strata, and what is said of it.

#include <cstdint>
#include <vector>

#include "catch.h"
#include "ntune/core/mean_interval.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"

namespace ntune {

namespace {

Stratum stratum(std::vector<double> values, double weight = 1.0) {
  return {.values = stats_of(values), .weight = weight};
}

/// The variance of the estimate.
double variance(const MeanSample& sample) {
  return sample.mean.variance() / static_cast<double>(sample.mean.count());
}

}  // namespace

TEST_CASE("strata count by their weights, whatever the number of their values") {
  const std::vector<Stratum> strata = {stratum({9.0, 11.0, 10.0}), stratum({99.0, 101.0}, 3.0)};
  const MeanSample sample = stratified(strata);
  CHECK(sample.values.count() == 5);
  CHECK(sample.values.mean() == Approx(46.0));
  CHECK(sample.mean.mean() == Approx(77.5));
  // 1/16 of 1 / 3 and 9/16 of 2 / 2; most of it has one degree of freedom.
  CHECK(variance(sample) == Approx(1.0 / 48.0 + 9.0 / 16.0));
  CHECK(sample.mean.count() == 2);
  CHECK(sample.mean.min() == 9.0);
  CHECK(sample.mean.max() == 101.0);
}

TEST_CASE("a stratum of one value has the variance within the others, or more") {
  const auto beside = [](double single) {
    const std::vector<Stratum> strata = {stratum({0.0, 2.0, 4.0}), stratum({single})};
    return variance(stratified(strata));
  };
  // It lies apart by noise, as far as fivefold noise brings it; the rest is its own mean.
  CHECK(beside(2.0) == Approx(0.25 * (4.0 / 3.0 + 4.0)));
  CHECK(beside(8.0) == Approx(0.25 * (4.0 / 3.0 + 18.0)));
  CHECK(beside(50.0) == Approx(0.25 * (4.0 / 3.0 + 25.0 * 4.0)));
  // Of two others the allowance is half as much.
  const std::vector<Stratum> three = {stratum({0.0, 2.0, 4.0}), stratum({0.0, 2.0, 4.0}),
                                      stratum({50.0})};
  CHECK(variance(stratified(three)) == Approx((8.0 / 3.0 + 13.0 * 4.0) / 9.0));
}

TEST_CASE("degrees of freedom are those of the stratum that most hangs on") {
  // By chance the heavy one hardly varies, so that the others would bring seven degrees.
  std::vector<Stratum> strata(8, stratum({0.0, 2.0}));
  strata.push_back(stratum({5.0, 5.1}, 20.0));
  CHECK(stratified(strata).mean.count() == 2);
}

TEST_CASE("a weighted mean lies within its interval where light strata are noisier") {
  // Visits go by the weights 1, 1, 1, 1 and 20, and the light ones have five times the noise. With
  // the pooled variance alone 43 % held; of 2,000 samples 94 to 98 % hold. The bound for 400 is
  // three standard deviations from that.
  for (const int round : {1, 2}) {
    int held = 0;
    for (std::uint64_t sample = 0; sample < 400; ++sample) {
      Rng rng(sample);
      std::vector<Stratum> strata;
      double truth = 0.0;
      for (const double weight : {1.0, 1.0, 1.0, 1.0, 20.0}) {
        const double mean = 10.0 * rng.normal();
        std::vector<double> values;
        for (int i = 0; i < static_cast<int>(weight) * round; ++i) {
          values.push_back(mean + (weight > 1.0 ? 1.0 : 5.0) * rng.normal());
        }
        strata.push_back(stratum(values, weight));
        truth += weight * mean / 24.0;
      }
      const Interval interval = *mean_interval(stratified(strata), {});
      held += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    CAPTURE(round);
    CHECK(held >= 362);
  }
}

TEST_CASE("strata of one value that may be alike vary as they differ from each other") {
  const auto of = [](double first, double second, double other, bool alike) {
    return variance(stratified(std::vector<Stratum>{stratum({0.0, other, 2.0 * other}, 4.0),
                                                    stratum({first}), stratum({second})},
                               alike));
  };
  // Shares 2/3, 1/6 and 1/6, and a pooled variance of 4.
  const double own = 4.0 / 9.0 * 4.0 / 3.0;
  CHECK(of(10.0, -10.0, 2.0, false) == Approx(own + 2.0 / 36.0 * 25.0 * 4.0));
  CHECK(of(10.0, -10.0, 2.0, true) == Approx(own + 2.0 / 36.0 * 200.0));
  // What they differ by is the least, and where nothing varies within the others, nothing does.
  CHECK(of(10.0, 10.0, 2.0, true) == Approx(own + 2.0 / 36.0 * 4.0));
  CHECK(of(10.0, -10.0, 0.0, true) == 0.0);
}

TEST_CASE("where most strata have one value, or one has none, the strata are a sample") {
  const MeanSample once =
      stratified(std::vector<Stratum>{stratum({1.0, 3.0}), stratum({4.0}), stratum({9.0})});
  CHECK(once.mean.mean() == Approx(5.0));
  CHECK(variance(once) == Approx(13.0 / 3.0));  // of 2, 4 and 9
  CHECK(once.mean.count() == 3);
  const MeanSample some = stratified(std::vector<Stratum>{stratum({1.0, 3.0}), stratum({4.0}), {}});
  CHECK(some.mean.mean() == Approx(3.0));
  CHECK(some.mean.count() == 2);
  // Of one stratum nothing is known about the others.
  CHECK_FALSE(mean_interval(stratified(std::vector<Stratum>{stratum({1.0, 3.0}), {}}), {}));
}

TEST_CASE("one stratum is a sample as any other, and no value is none") {
  const RunningStats values = stats_of(std::vector{1.0, 2.0, 4.0});
  const MeanSample one = stratified(std::vector<Stratum>{{.values = values}});
  CHECK(one.mean.count() == 3);
  CHECK(one.mean.variance() == values.variance());
  CHECK(stratified({}).values.count() == 0);
  CHECK(stratified(std::vector<Stratum>(3)).mean.count() == 0);
}

TEST_CASE("strata keep their value and interval on any scale") {
  const std::vector<std::vector<double>> lists = {{1.0, 2.0}, {7.0, 9.0, 8.0}, {3.0}};
  const auto interval_at = [&](double scale, double shift) {
    std::vector<Stratum> strata;
    for (const auto& list : lists) {
      std::vector<double> values;
      for (const double x : list) values.push_back(scale * x + shift);
      strata.push_back(stratum(values, static_cast<double>(values.size())));
    }
    return *mean_interval(stratified(strata), {});
  };
  const Interval plain = interval_at(1.0, 0.0);
  for (const double scale : {1e-9, 1e9}) {
    CHECK(interval_at(scale, 0.0).low == Approx(scale * plain.low));
    CHECK(interval_at(scale, 0.0).high == Approx(scale * plain.high));
  }
  CHECK(interval_at(1.0, 1e6).low == Approx(1e6 + plain.low));
}

}  // namespace ntune
