#include "ntune/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "ntune/core/normal.h"

namespace ntune {

namespace {

RunningStats two_pass(const std::vector<double>& values, double& variance) {
  long double sum = 0.0L;
  for (const double value : values) sum += static_cast<long double>(value);
  const long double mean = sum / static_cast<long double>(values.size());
  long double squares = 0.0L;
  for (const double value : values) {
    squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
  }
  variance = static_cast<double>(squares / static_cast<long double>(values.size() - 1));
  RunningStats stats;
  stats.add(static_cast<double>(mean));
  return stats;
}

RunningStats one_pass(const std::vector<double>& values) {
  RunningStats stats;
  for (const double value : values) stats.add(value);
  return stats;
}

/// 1 + 2 * pairs values around `middle`, as NIST's NumAcc3 and NumAcc4.
std::vector<double> numacc(double middle, double low, double high, int pairs) {
  std::vector<double> values = {middle};
  for (int i = 0; i < pairs; ++i) {
    values.push_back(low);
    values.push_back(high);
  }
  return values;
}

}  // namespace

TEST_CASE("Wilson's interval gives the published cases") {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  struct Case {
    double successes, n, low, high;
  };
  for (const Case& c : {Case{81, 263, 0.2553, 0.3662}, Case{15, 148, 0.0624, 0.1605},
                        Case{0, 20, 0.0000, 0.1611}, Case{1, 29, 0.0061, 0.1718}}) {
    const Interval interval = wilson_interval(c.successes, c.n);
    CHECK(interval.low == Approx(c.low).margin(0.00005));
    CHECK(interval.high == Approx(c.high).margin(0.00005));
  }
}

TEST_CASE("Wilson's interval is symmetric and stays within [0, 1]") {
  for (const double n : {1.0, 2.0, 7.0, 1000.0}) {
    for (const double share : {0.0, 0.25, 0.5, 1.0}) {
      const Interval wins = wilson_interval(share * n, n);
      const Interval losses = wilson_interval((1.0 - share) * n, n);
      CHECK(wins.low == Approx(1.0 - losses.high).margin(1e-15));
      CHECK(wins.low >= 0.0);
      CHECK(wins.high <= 1.0);
      CHECK(wins.low <= share);
      CHECK(share <= wins.high);
    }
  }
  CHECK(wilson_interval(5, 10, 0.99).low < wilson_interval(5, 10, 0.95).low);
}

TEST_CASE("Student's interval has the quantiles of the tables") {
  // A sample of n values -1 and 1 (and 0) has a known standard error; t of Fisher and Yates' table.
  struct Case {
    int n;
    double t;
  };
  for (const Case& c :
       {Case{2, 12.706}, Case{4, 3.182}, Case{10, 2.262}, Case{30, 2.045}, Case{122, 1.980}}) {
    RunningStats sample;
    for (int i = 0; i < c.n; ++i) sample.add(i % 2 == 0 ? -1.0 : 1.0);
    const Interval interval = student_interval(sample);
    const double standard_error = std::sqrt(1.0 / (c.n - 1));
    CHECK(interval.high / standard_error == Approx(c.t).margin(0.0005));
    CHECK(interval.low == Approx(-interval.high));
  }
}

TEST_CASE("Student's interval of Student's own sleep data") {
  // Student 1908: extra hours of sleep, difference of two drugs; R prints [0.7001142, 2.4598858].
  const std::vector<double> hours = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
  const RunningStats sample = stats_of(hours);
  CHECK(sample.mean() == Approx(1.58));
  CHECK(sample.sd() == Approx(1.229995).epsilon(1e-6));
  const Interval interval = student_interval(sample);
  CHECK(interval.low == Approx(0.7001142).epsilon(1e-6));
  CHECK(interval.high == Approx(2.4598858).epsilon(1e-6));
}

TEST_CASE("intervals of too small samples are their mean") {
  RunningStats sample;
  CHECK(student_interval(sample).low == 0.0);
  sample.add(3.0);
  CHECK(student_interval(sample).low == 3.0);
  CHECK(student_interval(sample).high == 3.0);
  CHECK(sample.variance() == 0.0);
  CHECK(sample.standard_error() == 0.0);
}

TEST_CASE("normal quantiles") {
  CHECK(normal_quantile(0.5) == Approx(0.0).margin(1e-15));
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-14));
  CHECK(normal_quantile(0.995) == Approx(2.5758293035489004).epsilon(1e-14));
  CHECK(normal_quantile(0.001) == Approx(-3.0902323061678132).epsilon(1e-14));
}

TEST_CASE("mean and deviation of NIST's hard numbers") {
  // Statistical Reference Datasets NumAcc1 to NumAcc4: certified mean and standard deviation.
  for (const auto& stats :
       {one_pass, +[](const std::vector<double>& values) { return stats_of(values); }}) {
    const RunningStats first = stats({10000001, 10000003, 10000002});
    CHECK(first.mean() == 10000002.0);
    CHECK(first.sd() == 1.0);
    const RunningStats second = stats(numacc(1.2, 1.1, 1.3, 500));
    CHECK(second.mean() == Approx(1.2).epsilon(1e-14));
    CHECK(second.sd() == Approx(0.1).epsilon(1e-13));
    const RunningStats third = stats(numacc(1000000.2, 1000000.1, 1000000.3, 500));
    CHECK(third.mean() == Approx(1000000.2).epsilon(1e-14));
    CHECK(third.sd() == Approx(0.1).epsilon(1e-8));
    const RunningStats fourth = stats(numacc(10000000.2, 10000000.1, 10000000.3, 500));
    CHECK(fourth.mean() == Approx(10000000.2).epsilon(1e-14));
    CHECK(fourth.sd() == Approx(0.1).epsilon(1e-7));
  }
}

TEST_CASE("the mean of wins, draws and losses is exact, and equal values do not vary") {
  Rng rng(3);
  for (int n = 1; n <= 200; ++n) {
    std::vector<double> points;
    std::uint64_t halves = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t half = rng.below(3);
      points.push_back(static_cast<double>(half) / 2.0);
      halves += half;
    }
    CHECK(stats_of(points).mean() == static_cast<double>(halves) / (2.0 * n));
    const std::vector<double> equal(static_cast<std::size_t>(n), 0.1);
    CHECK(stats_of(equal).mean() == 0.1);
    CHECK(stats_of(equal).variance() == 0.0);
  }
}

TEST_CASE("the mean of the largest numbers is finite") {
  CHECK(stats_of(std::vector<double>{1e308, 1.5e308}).mean() == 1.25e308);
}

TEST_CASE("one pass agrees with two passes") {
  Rng rng(1);
  for (const double offset : {0.0, 1e3, 1e9}) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(offset + rng.normal());
    double variance = 0.0;
    const RunningStats slow = two_pass(values, variance);
    const RunningStats fast = one_pass(values);
    CHECK(fast.mean() == Approx(slow.mean()).epsilon(1e-14));
    CHECK(fast.variance() == Approx(variance).epsilon(1e-6));
    CHECK(fast.min() == *std::ranges::min_element(values));
    CHECK(fast.max() == *std::ranges::max_element(values));
  }
}

TEST_CASE("merged statistics are those of the joined sample") {
  Rng rng(2);
  std::vector<double> all;
  RunningStats merged;
  for (int part = 0; part < 20; ++part) {
    RunningStats stats;
    for (std::uint32_t i = rng.below(30); i > 0; --i) {
      all.push_back(100.0 * part + rng.normal());
      stats.add(all.back());
    }
    merged.merge(stats);
  }
  const RunningStats whole = one_pass(all);
  CHECK(merged.count() == whole.count());
  CHECK(merged.mean() == Approx(whole.mean()).epsilon(1e-12));
  CHECK(merged.variance() == Approx(whole.variance()).epsilon(1e-12));
  CHECK(merged.min() == whole.min());
  CHECK(merged.max() == whole.max());

  RunningStats empty;
  empty.merge(RunningStats());
  CHECK(empty.count() == 0);
  empty.merge(whole);
  CHECK(empty.mean() == whole.mean());
}

TEST_CASE("a difference that is nothing but rounding is 0") {
  CHECK(rounded_difference(0.1 + 0.2, 0.3) == 0.0);
  CHECK(rounded_difference(1e9 + 1e-7, 1e9) == 0.0);
  CHECK(rounded_difference(1e9 + 1.0, 1e9) == 1.0);
  CHECK(rounded_difference(3e-300, 1e-300) == 3e-300 - 1e-300);
  CHECK(rounded_difference(1.0, 0.0) == 1.0);
  for (const double scale : {1e-9, 1.0, 1e9}) {
    RunningStats cancelling;
    for (int i = 0; i < 999; ++i) cancelling.add(scale * (i % 3 == 0 ? -0.2 : 0.1));
    CHECK(std::abs(cancelling.mean()) > 0.0);
    CHECK(without_rounding(cancelling).mean() == 0.0);
    CHECK(without_rounding(cancelling).sd() == cancelling.sd());
    cancelling.add(scale * 1e-9);
    CHECK(without_rounding(cancelling).mean() == cancelling.mean());
  }
}

TEST_CASE("an empty sample has zeros") {
  const RunningStats stats = stats_of({});
  CHECK(stats.count() == 0);
  CHECK(stats.mean() == 0.0);
  CHECK(stats.sd() == 0.0);
  CHECK(stats.min() == 0.0);
  CHECK(stats.max() == 0.0);
}

TEST_CASE("the bootstrap interval is twice the mean minus the quantiles of resampled means") {
  const std::vector<double> values = {0.0, 0.0, 0.0, 1.0, 10.0};
  constexpr int kResamples = 401;
  std::vector<double> means;
  Rng rng(5);
  for (int i = 0; i < kResamples; ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[rng.below(5)];
    means.push_back(sum / 5.0);
  }
  std::ranges::sort(means);
  const Interval interval = bootstrap_interval(values, Rng(5), kResamples);
  CHECK(interval.low == Approx(2 * 2.2 - means[390]));
  CHECK(interval.high == Approx(2 * 2.2 - means[10]));
}

TEST_CASE("the bootstrap interval of equal values is the value") {
  const std::vector<double> values(7, 0.25);
  const Interval interval = bootstrap_interval(values, Rng(1));
  CHECK(interval.low == 0.25);
  CHECK(interval.high == 0.25);
  const Interval single = bootstrap_interval(std::vector<double>{3.0}, Rng(1));
  CHECK(single.low == 3.0);
  CHECK(single.high == 3.0);
}

TEST_CASE("the bootstrap interval covers the mean as often as it says") {
  // 95 % nominal, about 94.5 % at n = 100; 400 samples have a standard error of 1.1 points, and the
  // bounds are 3.5 of those away.
  constexpr int kSamples = 400;
  const Rng rng(6);
  int covered = 0;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    Rng draw = rng.stream("sample", i);
    std::vector<double> values;
    for (int k = 0; k < 100; ++k) values.push_back(draw.normal());
    const Interval interval = bootstrap_interval(values, rng.stream("bootstrap", i), 1000);
    if (interval.low <= 0.0 && 0.0 <= interval.high) ++covered;
  }
  CHECK(covered >= 362);
  CHECK(covered <= 394);
}

TEST_CASE("Student's interval covers the mean as often as it says") {
  constexpr int kSamples = 2000;
  Rng rng(7);
  int covered = 0;
  for (int i = 0; i < kSamples; ++i) {
    RunningStats sample;
    for (int k = 0; k < 5; ++k) sample.add(rng.normal());
    const Interval interval = student_interval(sample);
    if (interval.low <= 0.0 && 0.0 <= interval.high) ++covered;
  }
  const double sd = std::sqrt(kSamples * 0.95 * 0.05);
  CHECK(std::abs(covered - 0.95 * kSamples) < 3.9 * sd);
}

TEST_CASE("a sample knows the step that its values have in common") {
  CHECK(RunningStats().step() == 1.0);
  CHECK(stats_of(std::vector<double>{-3.0, 2.0}).step() == 1.0);
  CHECK(stats_of(std::vector<double>{1.0, 0.5, 0.25}).step() == 0.25);
  CHECK(stats_of(std::vector<double>{1.0, 0.125}).step() == 0.125);
  CHECK(stats_of(std::vector<double>{0.0625, 1.0}).step() == 0.0);
  RunningStats stats;
  stats.add(0.5);
  CHECK(stats.step() == 0.5);
  stats.merge({});
  CHECK(stats.step() == 0.5);
  stats.merge(stats_of(std::vector<double>{0.1}));
  CHECK(stats.step() == 0.0);
  RunningStats other;
  other.merge(stats);
  CHECK(other.step() == 0.0);
}

}  // namespace ntune
