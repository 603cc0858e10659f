// The functions against slow twins, written from the formulas of the literature, and against
// published values.

#include "ntune/objective/functions/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/functions/function_objective.h"
#include "objective/make.h"

namespace ntune {

namespace {

using Vector = std::vector<double>;

/// Random points of the domain; every fourth coordinate is one of its ends.
std::vector<Vector> random_points(const BenchmarkFunction& function, int count) {
  const auto dimensions = static_cast<int>(function.parameters.size());
  Rng rng(17);
  std::vector<Vector> points;
  for (int n = 0; n < count; ++n) {
    Vector& x = points.emplace_back();
    for (int i = 0; i < dimensions; ++i) {
      const Bounds domain = function.domains[static_cast<std::size_t>(i)];
      const double u = rng.below(4) == 0 ? rng.below(2) : rng.uniform();
      x.push_back(domain.low + u * (domain.high - domain.low));
    }
  }
  return points;
}

void compare(const BenchmarkFunction& function, const std::function<double(const Vector&)>& twin) {
  for (const Vector& x : random_points(function, 2000)) {
    const double expected = twin(x);
    REQUIRE(std::abs(function.value(x) - expected) <= 1e-12 * (1.0 + std::abs(expected)));
    REQUIRE(function.value(x) <= function.range.high);
    REQUIRE(function.value(x) >= function.range.low);
  }
}

/// Columns are the four terms; P in units of 10^-4, as the tables of the literature print it.
double hartmann_twin(const Vector& x, const std::vector<std::array<double, 4>>& a,
                     const std::vector<std::array<int, 4>>& p) {
  const std::array<double, 4> alpha = {1.0, 1.2, 3.0, 3.2};
  double f = 0.0;
  for (std::size_t term = 0; term < 4; ++term) {
    double product = alpha[term];
    for (std::size_t j = 0; j < x.size(); ++j) {
      product *= std::exp(-a[j][term] * std::pow(x[j] - p[j][term] / 1e4, 2));
    }
    f -= product;
  }
  return -f / 4.0;
}

double hartmann3_twin(const Vector& x) {
  return hartmann_twin(
      x, {{3.0, 0.1, 3.0, 0.1}, {10.0, 10.0, 10.0, 10.0}, {30.0, 35.0, 30.0, 35.0}},
      {{3689, 4699, 1091, 381}, {1170, 4387, 8732, 5743}, {2673, 7470, 5547, 8828}});
}

double hartmann6_twin(const Vector& x, int p20) {
  return hartmann_twin(x,
                       {{10.0, 0.05, 3.0, 17.0},
                        {3.0, 10.0, 3.5, 8.0},
                        {17.0, 17.0, 1.7, 0.05},
                        {3.5, 0.1, 10.0, 10.0},
                        {1.7, 8.0, 17.0, 0.1},
                        {8.0, 14.0, 8.0, 14.0}},
                       {{1312, 2329, p20, 4047},
                        {1696, 4135, 1451, 8828},
                        {5569, 8307, 3522, 8732},
                        {124, 3736, 2883, 5743},
                        {8283, 1004, 3047, 1091},
                        {5886, 9991, 6650, 381}});
}

double branin_twin(const Vector& x) {
  const double pi = std::acos(-1.0);
  const double a = 1.0;
  const double b = 5.1 / (4.0 * std::pow(pi, 2));
  const double c = 5.0 / pi;
  const double r = 6.0;
  const double s = 10.0;
  const double t = 1.0 / (8.0 * pi);
  return a * std::pow(x[1] - b * std::pow(x[0], 2) + c * x[0] - r, 2) +
         s * (1.0 - t) * std::cos(x[0]) + s;
}

double goldstein_price_twin(const Vector& v) {
  const double x = v[0];
  const double y = v[1];
  const double first =
      1 + std::pow(x + y + 1, 2) * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y);
  const double second = 30 + std::pow(2 * x - 3 * y, 2) *
                                 (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y);
  return first * second;
}

/// All true values of an objective's grid.
Vector values_of_grid(const Objective& objective) {
  Vector values;
  test::for_each(objective.space(), [&](const Point& point) {
    values.push_back(true_value_of(objective, point).value());
  });
  return values;
}

double share_above_zero(const Vector& values) {
  const auto above = std::count_if(values.begin(), values.end(), [](double v) { return v > 0.0; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

double largest(const Vector& values) { return *std::max_element(values.begin(), values.end()); }

}  // namespace

TEST_CASE("Hartmann functions equal their twins and published optima") {
  compare(make_hartmann3(), hartmann3_twin);
  compare(make_hartmann6(), [](const Vector& x) { return hartmann6_twin(x, 2348); });
  compare(make_hartmann6_tag(), [](const Vector& x) { return hartmann6_twin(x, 2548); });
  const Vector best3 = {0.114614, 0.555649, 0.852547};
  const Vector best6 = {0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573};
  CHECK(4.0 * make_hartmann3().value(best3) == Approx(3.86278).margin(5e-6));
  CHECK(4.0 * make_hartmann6().value(best6) == Approx(3.32237).margin(5e-6));
}

TEST_CASE("Branin equals its twin and published optima") {
  const auto p = [](const Vector& x) { return (10.0 - branin_twin(x)) / 12.0; };
  compare(make_branin({.floor = false}), p);
  compare(make_branin(), [&](const Vector& x) { return std::max(0.0, p(x)); });
  const double pi = std::numbers::pi;
  const double best = (10.0 - 0.397887) / 12.0;
  CHECK(make_branin().value(Vector{-pi, 12.275}) == Approx(best).margin(1e-7));
  CHECK(make_branin().value(Vector{pi, 2.275}) == Approx(best).margin(1e-7));
  CHECK(make_branin().value(Vector{9.42478, 2.475}) == Approx(best).margin(1e-7));
}

TEST_CASE("Goldstein-Price equals its twin and published optima") {
  const auto p = [](const Vector& x) { return (400.0 - goldstein_price_twin(x)) / 500.0; };
  compare(make_goldstein_price({.floor = false}), p);
  compare(make_goldstein_price(), [&](const Vector& x) { return std::max(0.0, p(x)); });
  CHECK(make_goldstein_price().value(Vector{0.0, -1.0}) == Approx((400.0 - 3.0) / 500.0));
  // Local minima: 30 at (-0.6, -0.4), 84 at (1.8, 0.2).
  CHECK(make_goldstein_price().value(Vector{-0.6, -0.4}) == Approx((400.0 - 30.0) / 500.0));
  CHECK(make_goldstein_price().value(Vector{1.8, 0.2}) == Approx((400.0 - 84.0) / 500.0));
}

// Goodman and Lucas 2020, section 4.1: the ranges of p and the shares of non-zero points.
TEST_CASE("the default grids have the published maxima and shares of non-zero points") {
  SECTION("hartmann3: three points within 0.002 of the maximum 0.897") {
    const auto objective = test::make("objective: hartmann3");
    const Vector values = values_of_grid(*objective);
    REQUIRE(values.size() == 1000);
    CHECK(largest(values) == Approx(0.89673015374472).epsilon(1e-12));
    CHECK(std::round(1000.0 * largest(values)) == 897.0);
    CHECK(std::count_if(values.begin(), values.end(), [](double v) { return v >= 0.895; }) == 3);
    CHECK(true_value_of(*objective, Point(std::array<std::uint16_t, 3>{1, 6, 9})) ==
          largest(values));
  }
  SECTION("hartmann6 over 15,625 points") {
    const auto objective = test::make("objective: hartmann6");
    const Vector values = values_of_grid(*objective);
    REQUIRE(values.size() == 15'625);
    CHECK(largest(values) == Approx(0.73723073088359).epsilon(1e-12));
  }
  SECTION("hartmann6_tag") {
    const Vector values = values_of_grid(*test::make("objective: hartmann6_tag"));
    CHECK(largest(values) == Approx(0.73724953793580).epsilon(1e-12));
  }
  SECTION("branin") {
    const Vector values = values_of_grid(*test::make("objective: branin"));
    REQUIRE(values.size() == 400);
    CHECK(largest(values) == Approx(0.79519819287767).epsilon(1e-12));
    CHECK(share_above_zero(values) == 0.1475);
    CHECK(*std::min_element(values.begin(), values.end()) == 0.0);
  }
  SECTION("goldstein_price") {
    const Vector values = values_of_grid(*test::make("objective: goldstein_price"));
    REQUIRE(values.size() == 400);
    CHECK(largest(values) == Approx(0.794).epsilon(1e-12));
    CHECK(share_above_zero(values) == 0.1325);
  }
  SECTION("without the floor") {
    const auto branin = test::make("objective: {function: branin, floor: false}");
    const Vector values = values_of_grid(*branin);
    CHECK(largest(values) == Approx(0.79519819287767).epsilon(1e-12));
    CHECK(share_above_zero(values) == 0.1475);
    CHECK(*std::min_element(values.begin(), values.end()) == Approx(-24.844091334300554));
    const auto goldstein = test::make("objective: {function: goldstein_price, floor: false}");
    CHECK(share_above_zero(values_of_grid(*goldstein)) == 0.1325);
  }
}

TEST_CASE("a small grid is tabulated once, when a value is first asked for") {
  std::int64_t calls = 0;
  const auto value = [&](std::span<const double> x) {
    ++calls;
    return 0.1 * x[0] + 0.01 * x[1];
  };
  const FunctionObjective objective(
      {.description = "counted",
       .parameters = {make_integers("a", 0, 3), make_integers("b", 0, 4)},
       .domains = domains_of(2, between(0.0, 4.0)),
       .value = value},
      {.kind = Noise::Kind::kNone});
  CHECK(calls == 0);
  Rng rng(1);
  objective.space().for_each_point([&](const Point& point) {
    CHECK(objective.evaluate(point, rng) == Approx(0.1 * point[0] + 0.01 * point[1]));
    return true;
  });
  CHECK(objective.optimum() == Approx(0.34));
  CHECK(calls == 20);
}

TEST_CASE("one_max is the mean of the values over the largest") {
  const auto function = make_one_max({.dimensions = 50, .values = 7});
  compare(function,
          [](const Vector& x) { return std::accumulate(x.begin(), x.end(), 0.0) / (6.0 * 50.0); });
  CHECK(function.value(Vector(50, 6.0)) == 1.0);
  CHECK(function.value(Vector(50, 0.0)) == 0.0);
  CHECK(function.optimum() == 1.0);
}

TEST_CASE("trap equals its twin, and is deceptive") {
  for (const auto& [dimensions, block] : {std::pair(50, 5), {48, 48}, {7, 1}, {12, 4}}) {
    const auto function = make_trap({.dimensions = dimensions, .block = block});
    const auto twin = [length = block](const Vector& x) {
      std::string bits;
      for (const double xi : x) bits += xi < 0.5 ? '0' : '1';
      double sum = 0.0;
      int blocks = 0;
      for (; !bits.empty(); bits.erase(0, static_cast<std::size_t>(length)), ++blocks) {
        const std::string head = bits.substr(0, static_cast<std::size_t>(length));
        const auto ones = static_cast<double>(std::count(head.begin(), head.end(), '1'));
        sum += ones == length ? 1.0 : 1.0 - (1.0 + ones) / length;
      }
      return sum / blocks;
    };
    compare(function, twin);
    const Vector ones(static_cast<std::size_t>(dimensions), 1.0);
    CHECK(function.value(ones) == 1.0);
    CHECK(function.optimum() == 1.0);
  }
  const auto function = make_trap({.dimensions = 8, .block = 4});
  CHECK(function.value(Vector{0, 0, 0, 0, 0, 0, 0, 0}) == 0.75);
  CHECK(function.value(Vector{0, 0, 1, 0, 0, 0, 0, 0}) == 0.625);
  CHECK(function.value(Vector{1, 1, 1, 0, 0, 0, 0, 0}) == 0.375);
  CHECK(function.value(Vector{1, 1, 1, 1, 0, 0, 0, 0}) == 0.875);
  CHECK_THROWS_AS(make_trap({.dimensions = 10, .block = 4}), InputError);
}

}  // namespace ntune
