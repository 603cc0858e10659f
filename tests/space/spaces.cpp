// Search spaces: their rules, their size, activity and allowed points.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/core/text.h"
#include "ntune/space/search_space.h"
#include "space/twin.h"

namespace ntune {

namespace {

std::string error_of(const std::vector<Parameter>& parameters,
                     const std::vector<Clause>& forbidden = {}) {
  try {
    const SearchSpace space(parameters, forbidden);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Parameter integers(const std::string& name, int values) { return make_integers(name, 1, values); }

Parameter when(Parameter parameter, std::vector<Term> terms) {
  parameter.when = std::move(terms);
  return parameter;
}

/// p0 … of 1 to `values`.
std::vector<Parameter> many(int count, int values) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < count; ++i) {
    parameters.push_back(integers("p" + std::to_string(i), values));
  }
  return parameters;
}

Term term(int parameter, std::vector<std::uint16_t> values) {
  return {.parameter = parameter, .values = std::move(values)};
}

Point point_of(std::vector<std::uint16_t> indices) { return Point(std::span(indices)); }

/// policy (greedy, ucb); c of ucb; table only where c is its second value.
std::vector<Parameter> nested() {
  return {make_choices("policy", {std::string("greedy"), std::string("ucb")}),
          when(make_range("c", 0, 1, 3), {term(0, {1})}),
          when(make_boolean("table"), {term(1, {1})}), integers("depth", 2)};
}

}  // namespace

TEST_CASE("a space knows its parameters") {
  const SearchSpace space(nested());
  CHECK(space.dimensions() == 4);
  CHECK(space[1].name == "c");
  CHECK(space.find("depth") == 3);
  CHECK(space.find("Depth") == -1);
  CHECK(space.names() == std::vector<std::string>{"policy", "c", "table", "depth"});
  CHECK(space.parameters().size() == 4);
  CHECK(space.forbidden().empty());
  CHECK(space.constrained());
  CHECK_FALSE(SearchSpace({make_boolean("b")}).constrained());
}

TEST_CASE("a point is written with names and values, on one line") {
  const SearchSpace space({make_range("x1", 0, 1, 6), make_choices("a\nb", {std::string("\t")})});
  CHECK(space.text(point_of({2, 0})) == "x1 = 0.4, a\\nb = \\t");
  CHECK(space.value(point_of({2, 0}), 0) == Value(0.4));
}

TEST_CASE("a space has 1 to 1,024 parameters") {
  CHECK(error_of({}) == "a search space needs at least one parameter");
  CHECK(error_of(many(1025, 2)) == "the space has 1025 parameters, at most 1024 are allowed");
  CHECK(SearchSpace(many(1024, 2)).dimensions() == 1024);
}

TEST_CASE("the points of the largest space are more than a number can count") {
  const SearchSpace space(many(512, 10));
  CHECK(space.size().points == std::numeric_limits<double>::max());
  CHECK(count_text(space.size().points) == "more than 10^308");
}

TEST_CASE("a point of any size is a value") {
  for (const int size : {0, 1, 63, 64, 65, 512}) {
    CAPTURE(size);
    Point point(size);
    CHECK(point.size() == size);
    CHECK(std::ranges::count(point.indices(), 0) == size);
    for (int i = 0; i < size; ++i) point[i] = static_cast<std::uint16_t>(i + 1);
    Point copy = point;
    CHECK(copy == point);
    CHECK(Point(point.indices()) == point);
    Point moved = std::move(copy);
    CHECK(moved == point);
    CHECK(copy == point);  // NOLINT(bugprone-use-after-move): promised
    copy = Point(3);
    CHECK(copy == Point(3));
    if (size == 0) continue;
    moved[size - 1] = 0;
    CHECK(moved < point);
    CHECK(std::hash<Point>{}(moved) != std::hash<Point>{}(point));
    copy = moved;
    CHECK(copy == moved);
  }
}

TEST_CASE("parameters of a space have different names") {
  CHECK(error_of({integers("a", 2), integers("b", 2), integers("a", 3)}) ==
        "two parameters are called 'a'");
}

TEST_CASE("parameters made by hand are held to the rules of their kind") {
  const auto error = [](ParameterKind kind, const std::vector<Value>& values,
                        bool ordered = false) {
    return error_of(
        {{.name = "p", .kind = kind, .values = values, .ordered = ordered, .when = {}}});
  };
  const std::vector<Value> reals = {1.0, 2.0, 4.0};
  const std::vector<Value> whole = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}};
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  CHECK(error(ParameterKind::kChoices, {}) ==
        "parameter 'p': has no values, at least one is needed");
  CHECK(error(ParameterKind::kFixed, reals) == "parameter 'p': is fixed, which means one value");
  CHECK(error(ParameterKind::kBoolean, {true, false}) ==
        "parameter 'p': is boolean, which means false and true");
  CHECK(error(ParameterKind::kIntegers, whole) ==
        "parameter 'p': is of integers, which means ascending ones in equal steps");
  CHECK(error(ParameterKind::kIntegers, reals) ==
        "parameter 'p': is of integers, which means ascending ones in equal steps");
  CHECK(error(ParameterKind::kIntegers, {-kFar, kFar}) ==
        "parameter 'p': is of integers, which means ascending ones in equal steps");
  CHECK(error(ParameterKind::kRange, whole) ==
        "parameter 'p': is a range, which means ascending real numbers");
  CHECK(error(ParameterKind::kRange, {2.0, 1.0}) ==
        "parameter 'p': is a range, which means ascending real numbers");
  CHECK(error(ParameterKind::kLogRange, {0.0, 1.0}) ==
        "parameter 'p': is a log_range, which means ascending real numbers above 0");
  CHECK(error(ParameterKind::kChoices, {1.0, 3.0, 2.0}, true) ==
        "parameter 'p': is ordered, which means ascending or descending numbers");
  CHECK(error(ParameterKind::kRange, reals) == "no error");
  CHECK(error(ParameterKind::kLogRange, reals) == "no error");
  CHECK(error(ParameterKind::kChoices, whole) == "no error");
  const SearchSpace space(
      {{.name = "p", .kind = ParameterKind::kRange, .values = reals, .when = {}}});
  CHECK(space[0].ordered);
}

TEST_CASE("terms are on values that exist") {
  const std::vector<Parameter> p = many(3, 4);
  CHECK(error_of(p, {{term(3, {0})}}) ==
        "forbidden combination 1 names parameter number 3, there are 3");
  CHECK(error_of(p, {{term(0, {0})}, {term(-1, {0})}}) ==
        "forbidden combination 2 names parameter number -1, there are 3");
  CHECK(error_of(p, {{}}) == "forbidden combination 1 names no parameter");
  CHECK(error_of(p, {{term(1, {})}}) == "forbidden combination 1 names no value of 'p1'");
  CHECK(error_of(p, {{term(1, {0, 4})}}) ==
        "forbidden combination 1 names value number 4 of 'p1', which has 4");
  CHECK(error_of(p, {{term(1, {2, 1})}}) ==
        "forbidden combination 1 does not name the values of 'p1' in ascending order");
  CHECK(error_of(p, {{term(1, {1, 1})}}) ==
        "forbidden combination 1 does not name the values of 'p1' in ascending order");
  CHECK(error_of(p, {{term(1, {0}), term(1, {1})}}) == "forbidden combination 1 names 'p1' twice");
}

TEST_CASE("conditions are on earlier parameters") {
  std::vector<Parameter> p = many(3, 4);
  p[1].when = {term(2, {0})};
  CHECK(error_of(p) == "parameter 'p1': its condition is on 'p2', which does not stand before it");
  p[1].when = {term(1, {0})};
  CHECK(error_of(p) == "parameter 'p1': its condition is on 'p1', which does not stand before it");
  p[1].when = {term(7, {0})};
  CHECK(error_of(p) == "parameter 'p1': its condition names parameter number 7, there are 3");
  p[1].when = {term(0, {9})};
  CHECK(error_of(p) == "parameter 'p1': its condition names value number 9 of 'p0', which has 4");
  p[1].when = {term(0, {3})};
  CHECK(error_of(p) == "no error");
}

TEST_CASE("a space in which every point is forbidden is refused") {
  CHECK(error_of(many(2, 2), {{term(0, {0, 1})}}) == "every point is forbidden");
  CHECK(error_of(many(2, 2), {{term(0, {0}), term(1, {0})},
                              {term(0, {0}), term(1, {1})},
                              {term(0, {1}), term(1, {0, 1})}}) == "every point is forbidden");
}

TEST_CASE("spaces are equal if their parameters and clauses are") {
  const SearchSpace space(nested(), {{term(3, {1})}});
  CHECK(space == SearchSpace(nested(), {{term(3, {1})}}));
  CHECK_FALSE(space == SearchSpace(nested()));
  CHECK_FALSE(space == SearchSpace(nested(), {{term(3, {0})}}));
  CHECK_FALSE(SearchSpace({make_choices("a", {1.0, 2.0})}) ==
              SearchSpace({make_choices("a", {std::int64_t{1}, std::int64_t{2}})}));
  CHECK_FALSE(SearchSpace({make_choices("a", {1.0, 2.0})}) ==
              SearchSpace({make_range("a", 1, 2, 2)}));
}

TEST_CASE("a parameter is active where its parents are active and match") {
  const SearchSpace space(nested());
  const auto active = [&](const std::vector<std::uint16_t>& indices) {
    std::string bits;
    for (int i = 0; i < 4; ++i) bits += space.is_active(point_of(indices), i) ? '1' : '0';
    return bits;
  };
  CHECK(active({0, 0, 0, 0}) == "1001");
  CHECK(active({1, 0, 0, 0}) == "1101");
  CHECK(active({1, 1, 0, 0}) == "1111");
  CHECK(active({0, 1, 0, 0}) == "1001");  // not canonical: c is inactive whatever its value
}

TEST_CASE("an inactive parameter is held at its first value") {
  const SearchSpace space(nested());
  CHECK(space.is_allowed(point_of({0, 0, 0, 1})));
  CHECK_FALSE(space.is_allowed(point_of({0, 1, 0, 1})));
  CHECK_FALSE(space.is_allowed(point_of({1, 0, 1, 1})));
  CHECK(space.is_allowed(point_of({1, 1, 1, 1})));
  Point point = point_of({0, 1, 1, 1});
  space.canonicalise(point);
  CHECK(point == point_of({0, 0, 0, 1}));
  point = point_of({1, 2, 1, 1});
  space.canonicalise(point);
  CHECK(point == point_of({1, 2, 0, 1}));
}

TEST_CASE("an inactive parameter counts once") {
  CHECK(SearchSpace(nested()).size().points == 2 * (1 + (1 + 2 + 1)));
  CHECK(SearchSpace(nested()).grid_size() == 24);
}

TEST_CASE("a clause applies only where all its parameters are active") {
  const SearchSpace space(nested(), {{term(1, {0}), term(3, {1})}});
  CHECK(space.is_allowed(point_of({0, 0, 0, 1})));
  CHECK_FALSE(space.is_allowed(point_of({1, 0, 0, 1})));
  CHECK(space.size().points == 9);
}

TEST_CASE("points of another shape are not allowed") {
  const SearchSpace space(many(2, 3));
  CHECK(space.is_allowed(point_of({2, 2})));
  CHECK_FALSE(space.is_allowed(point_of({2, 3})));
  CHECK_FALSE(space.is_allowed(point_of({2})));
  CHECK_FALSE(space.is_allowed(point_of({2, 2, 0})));
}

TEST_CASE("settling draws what has become active and holds what is not") {
  const SearchSpace space(nested());
  Rng rng(5);
  std::set<Point> settled;
  for (int i = 0; i < 200; ++i) {
    Point point = point_of({1, 0, 0, 1});
    space.settle(point, point_of({0, 0, 0, 1}), rng);
    settled.insert(point);
  }
  CHECK(settled == std::set<Point>{point_of({1, 0, 0, 1}), point_of({1, 1, 0, 1}),
                                   point_of({1, 1, 1, 1}), point_of({1, 2, 0, 1})});

  Point point = point_of({0, 1, 1, 1});
  space.settle(point, point_of({1, 1, 1, 1}), rng);
  CHECK(point == point_of({0, 0, 0, 1}));
}

TEST_CASE("settling leaves what was and is active alone and draws nothing for it") {
  const SearchSpace space(nested());
  Rng rng(5);
  Point point = point_of({1, 1, 1, 0});
  space.settle(point, point_of({1, 1, 0, 1}), rng);
  CHECK(point == point_of({1, 1, 1, 0}));
  CHECK(rng() == Rng(5)());
}

TEST_CASE("points are visited in lexicographic order until told to stop") {
  const SearchSpace space(many(2, 2), {{term(0, {0}), term(1, {1})}});
  CHECK(visited_points(space) ==
        std::vector<Point>{point_of({0, 0}), point_of({1, 0}), point_of({1, 1})});
  int visits = 0;
  space.for_each_point([&](const Point&) { return ++visits < 2; });
  CHECK(visits == 2);
}

TEST_CASE("size, enumeration and allowed points agree with brute force") {
  Rng rng(2024);
  int empty = 0;
  int constrained = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const SpaceParts parts = random_parts(rng);
    const std::vector<Point> expected = slow_allowed_points(parts);
    if (expected.empty()) {
      ++empty;
      CHECK(error_of(parts.parameters, parts.forbidden) == "every point is forbidden");
      continue;
    }
    const SearchSpace space(parts.parameters, parts.forbidden);
    constrained += space.constrained() ? 1 : 0;
    const std::vector<Point> grid = slow_grid(parts);
    CHECK(space.size().points == static_cast<double>(expected.size()));
    CHECK(space.size().without_forbidden);
    CHECK(space.grid_size() == static_cast<double>(grid.size()));
    CHECK(visited_points(space) == expected);
    int differences = 0;
    for (const Point& point : grid) {
      differences += space.is_allowed(point) != slow_is_allowed(parts, point) ? 1 : 0;
      for (int i = 0; i < point.size(); ++i) {
        differences += space.is_active(point, i) != slow_is_active(parts, point, i) ? 1 : 0;
      }
    }
    CHECK(differences == 0);
  }
  CHECK(empty > 10);
  CHECK(constrained > 300);
}

TEST_CASE("canonical points are the nearest to their grid points") {
  Rng rng(77);
  for (int trial = 0; trial < 200; ++trial) {
    SpaceParts parts = random_parts(rng);
    parts.forbidden.clear();
    const SearchSpace space(parts.parameters);
    for (const Point& point : slow_grid(parts)) {
      Point canonical = point;
      space.canonicalise(canonical);
      REQUIRE(slow_is_allowed(parts, canonical));
      for (int i = 0; i < point.size(); ++i) {
        REQUIRE(canonical[i] == (slow_is_active(parts, point, i) ? point[i] : 0));
      }
    }
  }
}

TEST_CASE("a space of 64 parameters with 60,000 values each is never enumerated") {
  const std::vector<Parameter> parameters = many(64, 60'000);
  const auto start = Clock::now();
  const SearchSpace space(parameters);
  CHECK(seconds_since(start) < 20.0);  // the copy of 3,840,000 values; days if it were enumerated
  CHECK(space.grid_size() == Approx(std::pow(60'000.0, 64)));
  CHECK(space.size().points == space.grid_size());
  CHECK(space.size().without_forbidden);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) CHECK(space.is_allowed(space.sample(rng)));
}

TEST_CASE("forbidden points of large spaces are counted by groups of linked parameters") {
  std::vector<Clause> clauses;
  for (int i = 0; i < 300; i += 2) clauses.push_back({term(i, {0}), term(i + 1, {1, 2})});
  const SearchSpace space(many(300, 3), clauses);
  CHECK(space.size().points == Approx(std::pow(7.0, 150)));
  CHECK(space.size().without_forbidden);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) CHECK(space.is_allowed(space.sample(rng)));
}

TEST_CASE("a chain of clauses through all parameters is counted") {
  // Neighbours may not both be 1: Fibonacci numbers.
  std::vector<Clause> clauses;
  for (int i = 0; i + 1 < 64; ++i) clauses.push_back({term(i, {1}), term(i + 1, {1})});
  const SearchSpace space(many(64, 2), clauses);
  CHECK(space.size().points == 27'777'890'035'288.0);
  CHECK(space.size().without_forbidden);
}

TEST_CASE("values that no clause tells apart are counted together") {
  std::vector<std::uint16_t> half;
  for (std::uint16_t v = 0; v < 30'000; ++v) half.push_back(v);
  const SearchSpace space(many(3, 60'000), {{term(0, half), term(1, half), term(2, {7})}});
  CHECK(space.size().points == 60'000.0 * 60'000 * 60'000 - 30'000.0 * 30'000);
}

namespace {

/// Random clauses of three terms on parameters with two values: 3-satisfiability.
std::vector<Clause> random_clauses(int parameters, int count, Rng& rng) {
  std::vector<Clause> clauses;
  const auto d = static_cast<std::uint32_t>(parameters);
  while (static_cast<int>(clauses.size()) < count) {
    const int a = static_cast<int>(rng.below(d));
    const int b = static_cast<int>(rng.below(d));
    const int c = static_cast<int>(rng.below(d));
    if (a == b || b == c || a == c) continue;
    const auto bit = [&] { return std::vector{static_cast<std::uint16_t>(rng.below(2))}; };
    clauses.push_back({term(a, bit()), term(b, bit()), term(c, bit())});
  }
  return clauses;
}

}  // namespace

TEST_CASE("a space that takes too long to count is measured with its forbidden points") {
  Rng rng(3);
  const std::vector<Clause> clauses = random_clauses(60, 150, rng);
  const std::vector<Parameter> parameters = many(60, 2);
  const auto start = Clock::now();
  const SearchSpace space(parameters, clauses);
  CHECK(seconds_since(start) < 5.0);  // 0.2 s optimised, more under sanitizers
  CHECK_FALSE(space.size().without_forbidden);
  CHECK(space.size().points == space.grid_size());
  for (int i = 0; i < 100; ++i) CHECK(space.is_allowed(space.sample(rng)));
}

TEST_CASE("a space without allowed points is refused even where it cannot be counted") {
  Rng rng(4);
  // The first three parameters alone contradict each other.
  std::vector<Clause> clauses = random_clauses(60, 150, rng);
  for (std::uint16_t bits = 0; bits < 8; ++bits) {
    const auto bit = [&](int i) { return term(i, {static_cast<std::uint16_t>((bits >> i) & 1)}); };
    clauses.push_back({bit(0), bit(1), bit(2)});
  }
  CHECK(error_of(many(60, 2), clauses) == "every point is forbidden");
}

TEST_CASE("a space that backtracking exhausts in vain is refused") {
  Rng rng(6);
  CHECK(error_of(many(40, 2), random_clauses(40, 400, rng)) == "every point is forbidden");
}

TEST_CASE("a space that random points miss but backtracking meets is accepted") {
  Rng rng(6);
  std::vector<Clause> clauses = random_clauses(64, 900, rng);
  std::erase_if(clauses, [](const Clause& clause) {  // those that forbid the first point
    return std::ranges::all_of(clause, [](const Term& t) { return t.values.front() == 0; });
  });
  const SearchSpace space(many(64, 2), clauses);
  CHECK(space.is_allowed(Point(64)));
  CHECK(space.is_allowed(space.sample(rng)));
}

TEST_CASE("a space with so many clauses that no allowed point is found is refused") {
  Rng rng(5);
  CHECK(error_of(many(64, 2), random_clauses(64, 400, rng)) ==
        "no allowed point was found: the forbidden combinations leave hardly any, or none");
}

}  // namespace ntune
