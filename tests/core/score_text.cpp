// Scores for a person have the digits that count, on any scale and beside any interval.

#include "ntune/core/score_text.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "catch.h"

namespace ntune {

namespace {

double number_in(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace

TEST_CASE("scores keep their digits on any scale") {
  for (const double scale : {1e-12, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e12}) {
    for (const double x : {0.1234567, 0.7654321, 3.3333333, 9.9999999}) {
      CHECK(number_in(score_text(scale * x)) == Approx(scale * x).epsilon(0.05));
      const Interval interval{scale * x, scale * 1.01 * x};
      const double middle = scale * 1.005 * x;
      CHECK(std::abs(number_in(score_text(middle, interval)) - middle) < scale * x * 0.005);
    }
  }
}

TEST_CASE("a score and its interval differ wherever the interval lies") {
  for (const double shift : {0.0, 10.0, 1e3, 123456.0, 1e6, 1e9, -1e9}) {
    for (const double length : {1e-3, 0.5, 20.0}) {
      const Interval interval{shift, shift + length};
      const std::string low = score_text(interval.low, interval);
      const std::string high = score_text(interval.high, interval);
      CAPTURE(low, high);
      CHECK(std::abs(number_in(high) - number_in(low) - length) < 0.4 * length);
      CHECK(score_interval_text(interval) == "[" + low + ", " + high + "]");
    }
  }
  CHECK(score_text(1e9 + 1.5, Interval{1e9 + 1.5, 1e9 + 1.5}) == "1000000001.5");
  CHECK(score_text(0.5, Interval{0.5, 0.5}) == "0.5000");
  CHECK(score_text(310013.6, Interval{310012.8, 310014.4}) == "310013.6");
  CHECK(score_text(0.5506, Interval{0.5406, 0.5606}) == "0.5506");
  CHECK(signed_score_text(331.3, Interval{315.6, 347.0}) == "+331.30");
}

TEST_CASE("what rounding leaves of 0 is 0, and a small score beside large ones is itself") {
  CHECK(score_text(1e-17, Interval{-0.1, 0.2}) == "0.0000");
  CHECK(score_interval_text(Interval{1e-17, 3.0}) == "[0.0000, 3.0000]");
  CHECK(score_text(1.0, Interval{2e21, 2e22}) == "1.0000");
  CHECK(score_text(2.5e-9, Interval{1e4, 3e4}) == "2.5e-09");
}

TEST_CASE("a score of 0 has no sign") {
  CHECK(score_text(-0.0) == "0.0000");
  CHECK(signed_score_text(-0.0) == "+0.0000");
  CHECK(score_text(-0.0, Interval{-0.5, 0.5}) == "0.0000");
}

TEST_CASE("an interval without an end leaves a score as it is") {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const Interval& interval : {Interval{-kInfinite, kInfinite}, {0.0, kInfinite}}) {
    for (const double value : {489.19, -0.25, 1e9}) {
      CHECK(score_text(value, interval) == score_text(value));
    }
  }
}

}  // namespace ntune
