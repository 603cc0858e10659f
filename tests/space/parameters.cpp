// The kinds of parameters.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"
#include "ntune/space/parameter.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr Ends kOnlyLow = {.low_included = true, .high_included = false};
constexpr Ends kOnlyHigh = {.low_included = false, .high_included = true};
constexpr Ends kNone = {.low_included = false, .high_included = false};

std::string texts(const Parameter& parameter) {
  std::string line;
  for (const Value& value : parameter.values) line += value_text(value) + " ";
  line.pop_back();
  return line;
}

template <class Held>
bool all_hold_a(const Parameter& parameter) {
  return std::ranges::all_of(parameter.values,
                             [](const Value& v) { return std::holds_alternative<Held>(v); });
}

}  // namespace

TEST_CASE("choices are ordered where they are ascending or descending numbers") {
  CHECK(make_choices("p", {std::int64_t{1}, 2.5, std::int64_t{3}}).ordered);
  CHECK(make_choices("p", {3.0, std::int64_t{2}, -1.0}).ordered);
  CHECK(make_choices("p", {1.0}).ordered);
  CHECK_FALSE(make_choices("p", {1.0, 3.0, 2.0}).ordered);
  CHECK_FALSE(make_choices("p", {std::int64_t{1}, std::string("2")}).ordered);
  CHECK_FALSE(make_choices("p", {false, true}).ordered);
  CHECK(make_choices("p", {1.0, 2.0}).kind == ParameterKind::kChoices);
}

TEST_CASE("a boolean is false or true, in this order") {
  const Parameter parameter = make_boolean("p");
  CHECK(parameter.values == std::vector<Value>{false, true});
  CHECK(parameter.kind == ParameterKind::kBoolean);
  CHECK_FALSE(parameter.ordered);
  CHECK(parameter.when.empty());
}

TEST_CASE("a fixed parameter has one value") {
  CHECK(make_fixed("p", std::string("x")).values == std::vector<Value>{std::string("x")});
  CHECK(make_fixed("p", 3.5).kind == ParameterKind::kFixed);
}

TEST_CASE("integers go in steps up to the high end") {
  CHECK(texts(make_integers("p", 1, 9, 2)) == "1 3 5 7 9");
  CHECK(texts(make_integers("p", 1, 8, 3)) == "1 4 7");
  CHECK(texts(make_integers("p", -2, 2)) == "-2 -1 0 1 2");
  CHECK(texts(make_integers("p", 4, 4, 10)) == "4");
  CHECK(all_hold_a<std::int64_t>(make_integers("p", 1, 9)));
  CHECK(make_integers("p", 1, 9).ordered);
  CHECK(make_integers("p", 1, 9).kind == ParameterKind::kIntegers);
}

TEST_CASE("integers reach both ends of 64 bits") {
  CHECK(texts(make_integers("p", kSmallest, kLargest, kLargest)) ==
        "-9223372036854775808 -1 9223372036854775806");
  CHECK(texts(make_integers("p", kLargest - 1, kLargest)) ==
        "9223372036854775806 9223372036854775807");
}

TEST_CASE("a range by points has the ends that it is told to have") {
  CHECK(texts(make_range("p", 0, 1, 6)) == "0 0.2 0.4 0.6 0.8 1");
  CHECK(texts(make_range("p", 0, 1, 5, kOnlyLow)) == "0 0.2 0.4 0.6 0.8");
  CHECK(texts(make_range("p", 0, 1, 5, kOnlyHigh)) == "0.2 0.4 0.6 0.8 1");
  CHECK(texts(make_range("p", 0, 1, 4, kNone)) == "0.2 0.4 0.6 0.8");
  CHECK(texts(make_range("p", 0, 1, 1, kOnlyLow)) == "0");
  CHECK(texts(make_range("p", 0, 1, 1, kOnlyHigh)) == "1");
  CHECK(texts(make_range("p", 0, 1, 1, kNone)) == "0.5");
  CHECK(texts(make_range("p", 2, 2, 1)) == "2");
  CHECK(make_range("p", 0, 1, 6).ordered);
  CHECK(make_range("p", 0, 1, 6).kind == ParameterKind::kRange);
}

TEST_CASE("a range by step goes up to the high end") {
  CHECK(texts(make_range_by_step("p", 0, 1, 0.25)) == "0 0.25 0.5 0.75 1");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.3)) == "0 0.3 0.6 0.9");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.25, kOnlyLow)) == "0 0.25 0.5 0.75");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.25, kOnlyHigh)) == "0.25 0.5 0.75 1");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.25, kNone)) == "0.25 0.5 0.75");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.3, kNone)) == "0.3 0.6 0.9");
  CHECK(texts(make_range_by_step("p", 0, 1, 5)) == "0");
  CHECK(texts(make_range_by_step("p", 2, 2, 5)) == "2");
  CHECK(texts(make_range_by_step("p", 0, 1e-12, 1)) == "0");
  CHECK(make_range_by_step("p", 0, 1, 0.25).kind == ParameterKind::kRange);
}

TEST_CASE("the high end counts within a billionth of a step") {
  CHECK(texts(make_range_by_step("p", 0, 0.9999999999, 0.5)) == "0 0.5 0.9999999999");
  CHECK(texts(make_range_by_step("p", 0, 0.99999999, 0.5)) == "0 0.5");
}

TEST_CASE("a log range has equal ratios") {
  CHECK(texts(make_log_range("p", 1e-4, 1, 5)) == "0.0001 0.001 0.01 0.1 1");
  CHECK(texts(make_log_range("p", 1, 1024, 10, kOnlyLow)) == "1 2 4 8 16 32 64 128 256 512");
  CHECK(texts(make_log_range("p", 1, 1000, 3, kOnlyHigh)) == "10 100 1000");
  CHECK(texts(make_log_range("p", 1, 1000, 2, kNone)) == "10 100");
  CHECK(texts(make_log_range("p", 1, 10, 3)) == "1 3.16227766017 10");
  CHECK(texts(make_log_range("p", 1e-300, 1e300, 3)) == "1e-300 1 1e+300");
  CHECK(make_log_range("p", 1, 10, 3).kind == ParameterKind::kLogRange);
  CHECK(make_log_range("p", 1, 10, 3).ordered);
}

TEST_CASE("values of ranges are clean decimals") {
  CHECK(texts(make_range("p", 0, 1, 11)) == "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
  CHECK(texts(make_range_by_step("p", 0, 1, 0.1)) == "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
  CHECK(texts(make_range_by_step("p", -0.3, 0.3, 0.1)) == "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
  CHECK(texts(make_range("p", 0, 1, 4)) == "0 0.333333333333 0.666666666667 1");
  CHECK(texts(make_range("p", 1e9, 1e9 + 0.001, 3)) == "1000000000 1000000000.0005 1000000000.001");
  CHECK(texts(make_range("p", -1e308, 1e308, 3)) == "-1e+308 0 1e+308");
  CHECK(texts(make_range("p", 0, 1e-320, 2)) == "0 1e-320");
  CHECK(texts(make_range("p", 0, 1e-300, 5)) == "0 2.5e-301 5e-301 7.5e-301 1e-300");
}

TEST_CASE("included ends are exact") {
  const double low = 0.1 + 0.2;
  const double high = 1.0 / 3.0;
  for (const Parameter& p : {make_range("p", low, high, 7), make_log_range("p", low, high, 7),
                             make_range_by_step("p", low, high, (high - low) / 8)}) {
    CHECK(p.values.front() == Value(low));
    CHECK(p.values.back() == Value(high));
  }
}

TEST_CASE("the values of a decimal grid are the numbers that one would type") {
  const Parameter steps = make_range_by_step("p", -32.767, 32.767, 0.001);
  const Parameter points = make_range("p", -32.767, 32.767, 65'535);
  REQUIRE(steps.cardinality() == 65'535);
  CHECK(steps == points);
  bool same = true;
  for (int i = 0; i < 65'535; ++i) {
    const double typed = (i - 32'767) / 1000.0;
    same = same && steps.values[static_cast<std::size_t>(i)] == Value(typed);
  }
  CHECK(same);
}

TEST_CASE("ranges are as near to their formula as 12 digits allow") {
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double low = (rng.uniform() - 0.5) * std::pow(10.0, rng.below(9));
    const double extent = std::pow(10.0, static_cast<double>(rng.below(9)) - 4.0);
    const int points = static_cast<int>(rng.below(50)) + 2;
    const Parameter range = make_range("p", low, low + extent, points);
    const Parameter log_range = make_log_range("p", extent, 50 * extent, points);
    REQUIRE(range.cardinality() == points);
    REQUIRE(log_range.cardinality() == points);
    const double tolerance = std::max({1e-11 * std::abs(low), 1e-11 * extent});
    for (int i = 0; i < points; ++i) {
      const double t = i / (points - 1.0);
      const auto index = static_cast<std::size_t>(i);
      CHECK(std::abs(value_number(range.values[index]) - (low + t * extent)) <= tolerance);
      CHECK(value_number(log_range.values[index]) ==
            Approx(extent * std::pow(50.0, t)).epsilon(1e-11));
    }
  }
}

TEST_CASE("a range of whole numbers holds real numbers") {
  const Parameter parameter = make_range("p", 1, 3, 3);
  CHECK(all_hold_a<double>(parameter));
  CHECK(texts(parameter) == "1 2 3");
  CHECK(all_hold_a<double>(make_log_range("p", 1, 4, 3)));
}

TEST_CASE("a parameter has up to 65,535 values") {
  CHECK(make_integers("p", 1, kMaxValues).cardinality() == kMaxValues);
  CHECK(make_range("p", 0, 1, kMaxValues).cardinality() == kMaxValues);
  CHECK(make_log_range("p", 1, 2, kMaxValues).cardinality() == kMaxValues);
}

namespace {

template <class Make>
std::string error_of(Make make) {
  try {
    make();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("wrong choices are refused by name") {
  const auto error = [](const std::string& name, const std::vector<Value>& values) {
    return error_of([&] { make_choices(name, values); });
  };
  CHECK(error("", {true}) == "parameter '': a parameter needs a name");
  CHECK(error("forbid", {true}) ==
        "parameter 'forbid': no parameter may be called 'forbid', which is the key of forbidden "
        "combinations");
  CHECK(error("a\nb", {}) == "parameter 'a\\nb': has no values, at least one is needed");
  CHECK(error("p", {std::int64_t{1}, std::int64_t{2}, 1.0}) ==
        "parameter 'p': has the value 1 twice, at places 1 and 3; values must differ");
  CHECK(error("p", {true, true}) ==
        "parameter 'p': has the value true twice, at places 1 and 2; values must differ");
  CHECK(error("p", {std::string("x"), 1.0, std::string("x")}) ==
        "parameter 'p': has the value 'x' twice, at places 1 and 3; values must differ");
  CHECK(error("p", {true, std::int64_t{1}, std::string("1"), std::string("true")}) == "no error");
  CHECK(error("p", {1.0, kNan}) == "parameter 'p': has the value nan, finite numbers are allowed");
  CHECK(error("p", {-kInfinity}) ==
        "parameter 'p': has the value -inf, finite numbers are allowed");
  CHECK(error("p", std::vector<Value>(65'536, true)) ==
        "parameter 'p': has 65,536 values, at most 65,535 are allowed");
  CHECK(error_of([] { make_fixed("p", kNan); }) ==
        "parameter 'p': has the value nan, finite numbers are allowed");
}

TEST_CASE("wrong integers are refused by name") {
  const auto error = [](std::int64_t low, std::int64_t high, std::int64_t step) {
    return error_of([&] { make_integers("p", low, high, step); });
  };
  CHECK(error(3, 2, 1) ==
        "parameter 'p': is from 3 to 2, the low end may not be above the high end");
  CHECK(error(1, 2, 0) == "parameter 'p': has the step 0, at least 1 is needed");
  CHECK(error(1, 2, -1) == "parameter 'p': has the step -1, at least 1 is needed");
  CHECK(error(0, 65'535, 1) == "parameter 'p': gives 65,536 values, at most 65,535 are allowed");
  CHECK(error(kSmallest, kLargest, 1) ==
        "parameter 'p': gives too many values, at most 65,535 are allowed");
}

TEST_CASE("wrong ranges are refused by name") {
  const auto error = [](double low, double high, int points, Ends ends = {}) {
    return error_of([&] { make_range("p", low, high, points, ends); });
  };
  CHECK(error(0, 1, 0) == "parameter 'p': has 0 points, at least 1 is needed");
  CHECK(error(0, 1, -3) == "parameter 'p': has -3 points, at least 1 is needed");
  CHECK(error(0, 1, 65'536) == "parameter 'p': gives 65,536 values, at most 65,535 are allowed");
  CHECK(error(0, 1, 1) == "parameter 'p': has 1 point, at least 2 are needed to include both ends");
  CHECK(error(1, 0, 3) ==
        "parameter 'p': is from 1 to 0, the low end may not be above the high end");
  CHECK(error(1, 1, 3) == "parameter 'p': is from 1 to 1, which leaves room for one point");
  CHECK(error(1, 1, 1, kOnlyLow) ==
        "parameter 'p': is from 1 to 1, which leaves room for no point");
  CHECK(error(0, kInfinity, 3) == "parameter 'p': is from 0 to inf, finite numbers are allowed");
  CHECK(error(kNan, 1, 3) == "parameter 'p': is from nan to 1, finite numbers are allowed");
  CHECK(error(1, 1 + 1e-15, 10) ==
        "parameter 'p': has 10 values from 1 to 1.000000000000001, which are too close together to "
        "tell apart");
}

TEST_CASE("wrong ranges by step are refused by name") {
  const auto error = [](double low, double high, double step, Ends ends = {}) {
    return error_of([&] { make_range_by_step("p", low, high, step, ends); });
  };
  CHECK(error(0, 1, 0) == "parameter 'p': has the step 0, a finite number above 0 is needed");
  CHECK(error(0, 1, -0.1) == "parameter 'p': has the step -0.1, a finite number above 0 is needed");
  CHECK(error(0, 1, kNan) == "parameter 'p': has the step nan, a finite number above 0 is needed");
  CHECK(error(0, 1, kInfinity) ==
        "parameter 'p': has the step inf, a finite number above 0 is needed");
  CHECK(error(2, 1, 0.1) ==
        "parameter 'p': is from 2 to 1, the low end may not be above the high end");
  CHECK(error(0, kInfinity, 1) == "parameter 'p': is from 0 to inf, finite numbers are allowed");
  CHECK(error(0, 1, 1e-5) == "parameter 'p': gives 100,001 values, at most 65,535 are allowed");
  CHECK(error(-1e308, 1e308, 1e-300) ==
        "parameter 'p': gives too many values, at most 65,535 are allowed");
  CHECK(error(0, 1, 1, kNone) ==
        "parameter 'p': from 0 to 1 by 1 holds no value: its ends are left out");
  CHECK(error(1, 1, 1, kOnlyLow) ==
        "parameter 'p': from 1 to 1 by 1 holds no value: its ends are left out");
  CHECK(error(1, 1 + 1e-15, 1e-17).starts_with("parameter 'p': has "));
}

TEST_CASE("wrong log ranges are refused by name") {
  const auto error = [](double low, double high, int points) {
    return error_of([&] { make_log_range("p", low, high, points); });
  };
  CHECK(error(0, 1, 3) == "parameter 'p': has the low end 0, a number above 0 is needed");
  CHECK(error(-1, 1, 3) == "parameter 'p': has the low end -1, a number above 0 is needed");
  CHECK(error(kNan, 1, 3) == "parameter 'p': has the low end nan, a number above 0 is needed");
  CHECK(error(2, 1, 3) ==
        "parameter 'p': is from 2 to 1, the low end may not be above the high end");
  CHECK(error(1, 2, 0) == "parameter 'p': has 0 points, at least 1 is needed");
  CHECK(error(1, kInfinity, 3) == "parameter 'p': is from 1 to inf, finite numbers are allowed");
  CHECK(error(1, 1, 1) == "no error");
}

}  // namespace ntune
