#include "ntune/core/lognormal_mean.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {

TEST_CASE("the mean of lognormal numbers lies within its interval as often as promised") {
  // The method is exact for claims that the mean is below a number, and nearly so for intervals: of
  // 4,000 samples of 4 numbers 93 % hold the truth, of 20 numbers 95 %. The bounds for 500 samples
  // are three standard deviations from that.
  for (const double sd : {0.1, 1.0, 2.0}) {
    for (const int count : {4, 10, 40}) {
      CAPTURE(sd, count);
      const double truth = std::exp(sd * sd / 2.0);
      int held = 0;
      int claimed = 0;  // that the mean is below itself, with 95 %
      for (std::uint64_t sample = 0; sample < 500; ++sample) {
        Rng rng(sample * 1000 + static_cast<std::uint64_t>(count));
        RunningStats logarithms;
        for (int i = 0; i < count; ++i) logarithms.add(sd * rng.normal());
        const LognormalMean mean(logarithms);
        const Interval interval = mean.interval(0.95);
        held += interval.low <= truth && truth <= interval.high ? 1 : 0;
        claimed += mean.probability_below(truth) > 0.95 ? 1 : 0;
      }
      CHECK(held >= 448);
      CHECK(held <= 490);
      CHECK(claimed <= 40);
    }
  }
}

TEST_CASE("with little spread the interval of a lognormal mean is Student's") {
  RunningStats logarithms;
  RunningStats values;
  for (const double value : {10.0, 10.01, 9.98, 10.02, 10.005}) {
    logarithms.add(std::log(value));
    values.add(value);
  }
  const Interval interval = LognormalMean(logarithms).interval(0.95);
  const double half = 2.776445 * values.sd() / std::sqrt(5.0);
  CHECK_THAT(interval.low, Catch::Matchers::WithinAbs(values.mean() - half, 1e-4));
  CHECK_THAT(interval.high, Catch::Matchers::WithinAbs(values.mean() + half, 1e-4));
}

TEST_CASE("the ratio of two lognormal means lies within its interval as often as promised") {
  // Of 1,000 samples 93 to 96 % of the intervals hold the truth; at most 5 % of the claims on
  // either side are wrong. The bounds for 300 samples are three standard deviations from that.
  struct Case {
    double sd;
    double other_sd;
    double correlation;
  };
  for (const auto& [sd, other_sd, correlation] :
       {Case{1.0, 1.0, 0.0}, {1.5, 0.05, 0.0}, {1.5, 1.5, 0.9}, {1.5, 0.5, -0.8}}) {
    CAPTURE(sd, other_sd, correlation);
    const double truth = std::exp((sd * sd - other_sd * other_sd) / 2.0);
    int held = 0;
    int below = 0;  // that the ratio is below itself, with 95 %
    int above = 0;
    for (std::uint64_t sample = 0; sample < 300; ++sample) {
      Rng rng(sample);
      std::vector<double> first;
      std::vector<double> second;
      for (int i = 0; i < 10; ++i) {
        const double z = rng.normal();
        const double own = std::sqrt(1.0 - correlation * correlation) * rng.normal();
        first.push_back(sd * z);
        second.push_back(other_sd * (correlation * z + own));
      }
      const LognormalMean ratio = LognormalMean::ratio(first, second);
      const Interval interval = ratio.interval(0.95);
      held += interval.low <= truth && truth <= interval.high ? 1 : 0;
      below += ratio.probability_below(truth) > 0.95 ? 1 : 0;
      above += ratio.probability_below(truth) < 0.05 ? 1 : 0;
    }
    CHECK(held >= 270);
    CHECK(below <= 27);
    CHECK(above <= 27);
  }
}

TEST_CASE("the ratio to a constant is the mean over it, and turned around its inverse") {
  const std::vector<double> first = {0.3, -1.2, 0.8, 2.1, -0.4};
  const std::vector<double> second(first.size(), 0.7);
  const LognormalMean mean(stats_of(first));
  const LognormalMean ratio = LognormalMean::ratio(first, second);
  const LognormalMean inverse = LognormalMean::ratio(second, first);
  for (const double value : {0.5, 1.0, 3.0, 20.0}) {
    const double below = mean.probability_below(value * std::exp(0.7));
    CHECK_THAT(ratio.probability_below(value), Catch::Matchers::WithinAbs(below, 1e-3));
    CHECK_THAT(inverse.probability_below(1.0 / value),
               Catch::Matchers::WithinAbs(1.0 - below, 1e-3));
  }
}

}  // namespace ntune
