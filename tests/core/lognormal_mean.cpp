#include "ntune/core/lognormal_mean.h"

#include <cmath>

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

}  // namespace ntune
