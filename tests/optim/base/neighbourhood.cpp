#include "ntune/optim/base/neighbourhood.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_point;
using test::mutant;
using test::yaml_space;

namespace {

using Distribution = std::map<Point, double>;

/// Share of correct generators that a chi-square test here would refuse.
constexpr double kFalseAlarms = 1e-6;

/// Observed counts against probabilities; those with less than 5 expected counts are pooled.
template <class Key>
void check_counts(const std::map<Key, double>& probabilities, const std::map<Key, int>& counts) {
  double n = 0.0;
  for (const auto& [key, count] : counts) {
    REQUIRE(probabilities.count(key) == 1);
    n += count;
  }
  double chi_square = 0.0;
  double rest = 0.0;
  double rest_expected = 0.0;
  int cells = 0;
  const auto add_cell = [&](double observed, double expected) {
    chi_square += (observed - expected) * (observed - expected) / expected;
    ++cells;
  };
  for (const auto& [key, probability] : probabilities) {
    const auto found = counts.find(key);
    const double observed = found == counts.end() ? 0.0 : found->second;
    if (probability * n >= 5.0) {
      add_cell(observed, probability * n);
    } else {
      rest += observed;
      rest_expected += probability * n;
    }
  }
  if (rest_expected >= 5.0) {
    add_cell(rest, rest_expected);
  } else {
    CHECK(rest <= 25.0);
  }
  if (cells < 2) return;
  const boost::math::chi_squared distribution(cells - 1);
  CAPTURE(cells, n);
  CHECK(chi_square < quantile(complement(distribution, kFalseAlarms)));
}

/// Chances of every mutant by the definition, worked out by enumeration.
class Definition {
 public:
  Definition(const SearchSpace& space, const NeighbourhoodOptions& options, const Point& point)
      : space_(space), options_(options), point_(point) {
    for (int i = 0; i < space.dimensions(); ++i) {
      if (space[i].cardinality() > 1 && space.is_active(point, i)) active_.push_back(i);
    }
    const auto d = static_cast<double>(active_.size());
    rate_ = options.mutation_rate.automatic ? 1.0 / d : options.mutation_rate.value;
    for (const int forced : active_) mutate(0, forced, point, 1.0 / d);
    double allowed = 0.0;
    for (const auto& [mutant, probability] : mutants_) allowed += probability;
    for (auto& [mutant, probability] : mutants_) probability /= allowed;  // others: drawn again
  }

  [[nodiscard]] const Distribution& mutants() const { return mutants_; }

 private:
  void mutate(std::size_t at, int forced, const Point& mutant, double probability) {
    if (at == active_.size()) {
      settle(0, mutant, probability);
      return;
    }
    const int i = active_[at];
    const double rate = i == forced ? 1.0 : rate_;
    if (rate < 1.0) mutate(at + 1, forced, mutant, probability * (1.0 - rate));
    const int values = space_[i].cardinality();
    for (int value = 0; value < values; ++value) {
      if (options_.different && value == point_[i]) continue;
      Point next = mutant;
      next[i] = static_cast<std::uint16_t>(value);
      mutate(at + 1, forced, next, probability * rate / (values - (options_.different ? 1 : 0)));
    }
  }

  /// Inactive parameters take their first value, newly active ones a uniform value.
  void settle(int i, const Point& mutant, double probability) {
    if (i == space_.dimensions()) {
      if (!space_.is_allowed(mutant) || (options_.different && mutant == point_)) return;
      if (probability > 0.0) mutants_[mutant] += probability;
      return;
    }
    Point next = mutant;
    if (!space_.is_active(mutant, i)) {
      next[i] = 0;
      settle(i + 1, next, probability);
    } else if (space_.is_active(point_, i)) {
      settle(i + 1, next, probability);
    } else {
      const int values = space_[i].cardinality();
      for (int value = 0; value < values; ++value) {
        next[i] = static_cast<std::uint16_t>(value);
        settle(i + 1, next, probability / values);
      }
    }
  }

  const SearchSpace& space_;
  NeighbourhoodOptions options_;
  Point point_;
  std::vector<int> active_;
  double rate_ = 0.0;
  Distribution mutants_;
};

void check_distribution(const SearchSpace& space, const Point& point,
                        const NeighbourhoodOptions& options, std::uint64_t seed = 1) {
  CAPTURE(space.text(point), options.different);
  Neighbourhood neighbourhood(space, options);
  Rng rng(seed);
  std::map<Point, int> counts;
  for (int n = 0; n < 40'000;) {
    neighbourhood.draw(point, rng);
    REQUIRE(neighbourhood.size() > 0);
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
      ++counts[mutant(point, neighbourhood[i])];
      ++n;
    }
  }
  check_counts(Definition(space, options, point).mutants(), counts);
}

constexpr NeighbourhoodOptions with_rate(double rate) {
  return {.size = 50, .mutation_rate = {.automatic = false, .value = rate}};
}

NeighbourhoodOptions with_size(int size, bool cap = false) {
  NeighbourhoodOptions options;
  options.size = size;
  options.cap = cap;
  return options;
}

NeighbourhoodOptions with_different(bool different) {
  NeighbourhoodOptions options;
  options.different = different;
  return options;
}

const char* const kConditional =
    "kind: [a, b, c]\n"
    "x: {integers: [1, 4], when: {kind: a}}\n"
    "y: {choices: [1, 2, 3], when: {kind: [a, b]}}\n"
    "z: {boolean: , when: {y: 2}}\n"
    "w: [1, 2]\n";

const char* const kForbidden =
    "a: [0, 1, 2]\n"
    "b: [0, 1, 2, 3]\n"
    "c: [0, 1]\n"
    "forbid:\n"
    "  - {a: 0, b: [1, 2]}\n"
    "  - {b: 3, c: 1}\n"
    "  - {a: [1, 2], b: 0, c: 0}\n";

}  // namespace

TEST_CASE("mutants differ from the point in legal values of free parameters") {
  Rng rng(3);
  for (const auto& cardinalities :
       {std::vector<int>{2}, std::vector<int>{1, 2, 1}, std::vector<int>{65'535, 2},
        std::vector<int>{10, 10}, std::vector<int>{3, 1, 4, 1, 5}, std::vector<int>(64, 2),
        std::vector<int>(64, 300), std::vector<int>(65, 2), std::vector<int>(200, 3)}) {
    const SearchSpace space = grid_space(cardinalities);
    for (const double rate : {-1.0, 0.0, 0.1, 0.5, 1.0}) {
      CAPTURE(space.dimensions(), rate);
      const auto options = rate < 0.0 ? NeighbourhoodOptions{} : with_rate(rate);
      Neighbourhood neighbourhood(space, options);
      bool legal = true;
      for (int draw = 0; draw < 100; ++draw) {
        const Point point = space.sample(rng);
        neighbourhood.draw(point, rng);
        REQUIRE(neighbourhood.size() == 50);
        for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
          const Changes changes = neighbourhood[i];
          std::set<int> parameters;
          for (const Change& change : changes) {
            parameters.insert(change.parameter);
            legal = legal && change.parameter < space.dimensions() &&
                    change.value < space[change.parameter].cardinality() &&
                    change.value != point[change.parameter];
          }
          legal = legal && !changes.empty() && parameters.size() == changes.size();
        }
      }
      CHECK(legal);
    }
  }
}

TEST_CASE("mutants are distributed by the definition") {
  check_distribution(grid_space({3}), make_point({1}), {});
  check_distribution(grid_space({2, 2}), make_point({0, 1}), {});
  check_distribution(grid_space({20, 20}), make_point({19, 3}), {});
  check_distribution(grid_space({3, 1, 2, 4}), make_point({2, 0, 0, 1}), {});
  check_distribution(grid_space({2, 3, 2, 2, 3}), make_point({1, 0, 1, 0, 2}), {});
  check_distribution(grid_space({2, 2, 2, 2, 2, 2, 2}), Point(7), {});
  check_distribution(grid_space({3, 2, 4}), make_point({2, 0, 1}), with_size(1));
  check_distribution(grid_space({3, 2, 4}), make_point({2, 0, 1}), with_size(7));
}

TEST_CASE("mutants are distributed by the definition for other rates") {
  const SearchSpace space = grid_space({3, 2, 1, 4, 2});
  const Point point = make_point({1, 0, 0, 3, 1});
  for (const double rate : {0.0, 0.02, 0.3, 0.5, 0.9, 1.0}) {
    CAPTURE(rate);
    check_distribution(space, point, with_rate(rate));
  }
}

TEST_CASE("without different, a mutated parameter may keep its value") {
  check_distribution(grid_space({3}), make_point({1}), with_different(false));
  check_distribution(grid_space({3, 2, 1, 4}), make_point({1, 0, 0, 3}), with_different(false));
  NeighbourhoodOptions options = with_rate(0.7);
  options.different = false;
  check_distribution(grid_space({3, 2, 4}), make_point({1, 1, 0}), options);
  check_distribution(yaml_space(kForbidden), make_point({1, 1, 0}), options);
}

TEST_CASE("sizes and positions of many parameters are distributed by the definition") {
  for (const int d : {10, 30, 64}) {
    CAPTURE(d);
    const SearchSpace space = grid_space(std::vector<int>(static_cast<std::size_t>(d), 3));
    const Point point(d);
    Neighbourhood neighbourhood(space, {});
    Rng rng(static_cast<std::uint64_t>(d));
    std::map<std::size_t, int> sizes;
    std::map<int, int> positions;  // of the mutants with one to three changes
    std::map<int, int> values;
    for (int draw = 0; draw < 600; ++draw) {
      neighbourhood.draw(point, rng);
      for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
        ++sizes[neighbourhood[i].size()];
        for (const Change& change : neighbourhood[i]) {
          ++positions[change.parameter];
          ++values[change.value];
        }
      }
    }
    const boost::math::binomial others(d - 1, 1.0 / d);
    std::map<std::size_t, double> size_probabilities;
    std::map<int, double> position_probabilities;
    for (int i = 0; i < d; ++i) {
      size_probabilities[static_cast<std::size_t>(i + 1)] = pdf(others, i);
      position_probabilities[i] = 1.0 / d;
    }
    check_counts(size_probabilities, sizes);
    check_counts(position_probabilities, positions);
    check_counts({{1, 0.5}, {2, 0.5}}, values);
  }
}

TEST_CASE("cap: a quarter of the space, at least 5") {
  const auto size = [](const std::vector<int>& cardinalities, int wanted) {
    const SearchSpace space = grid_space(cardinalities);
    Neighbourhood neighbourhood(space, with_size(wanted, true));
    Rng rng(1);
    neighbourhood.draw(Point(space.dimensions()), rng);
    return neighbourhood.size();
  };
  CHECK(size({2}, 50) == 5);
  CHECK(size({2}, 3) == 3);
  CHECK(size({23}, 50) == 5);
  CHECK(size({24}, 50) == 6);
  CHECK(size({10, 10}, 50) == 25);
  CHECK(size({10, 20}, 50) == 50);
  CHECK(size(std::vector<int>(64, 60), 50) == 50);
}

TEST_CASE("mutants of constrained spaces are allowed") {
  Rng rng(11);
  for (const char* yaml : {kConditional, kForbidden}) {
    const SearchSpace space = yaml_space(yaml);
    for (const bool different : {true, false}) {
      Neighbourhood neighbourhood(space, with_different(different));
      space.for_each_point([&](const Point& point) {
        for (int draw = 0; draw < 5; ++draw) {
          neighbourhood.draw(point, rng);
          REQUIRE(neighbourhood.size() == 50);
          bool legal = true;
          for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
            const Point other = mutant(point, neighbourhood[i]);
            legal = legal && space.is_allowed(other) && (!different || !(other == point));
          }
          REQUIRE(legal);
        }
        return true;
      });
    }
  }
}

TEST_CASE("mutants of constrained spaces are distributed by the definition") {
  for (const char* yaml : {kConditional, kForbidden}) {
    const SearchSpace space = yaml_space(yaml);
    std::uint64_t seed = 0;
    space.for_each_point([&](const Point& point) {
      if (++seed % 3 == 0) check_distribution(space, point, {}, seed);
      return true;
    });
  }
  check_distribution(yaml_space(kConditional), make_point({0, 2, 1, 1, 0}), with_rate(0.4));
}

TEST_CASE("no mutants where nothing can change") {
  Rng rng(2);
  const auto mutants = [&](const SearchSpace& space) {
    Neighbourhood neighbourhood(space, {});
    neighbourhood.draw(space.sample(rng), rng);
    const std::size_t first = neighbourhood.size();
    neighbourhood.draw(space.sample(rng), rng);
    CHECK(neighbourhood.size() == first);
    return first;
  };
  CHECK(mutants(grid_space({1})) == 0);
  CHECK(mutants(grid_space({1, 1, 1})) == 0);
  CHECK(mutants(yaml_space("{x: [1, 2], forbid: [{x: 2}]}")) == 0);
  CHECK(mutants(yaml_space("{x: [1, 2], y: [1, 2], forbid: [{x: 2}, {y: 1}]}")) == 0);
  CHECK(mutants(yaml_space("{x: 1, y: {choices: [1, 2], when: {x: 1}}, forbid: [{y: 1}]}")) == 0);
  // Two allowed points that lie two changes apart.
  CHECK(mutants(yaml_space("{x: [1, 2], y: [1, 2], forbid: [{x: 1, y: 2}, {x: 2, y: 1}]}")) == 50);
}

TEST_CASE("the same stream draws the same mutants, and a longer draw leaves no trace") {
  const SearchSpace space = grid_space({3, 4, 5, 2});
  Neighbourhood a(space, {});
  Neighbourhood b(space, {});
  Rng rng(1);
  b.draw(make_point({1, 1, 1, 1}), rng);
  Rng first(9);
  Rng second(9);
  for (int draw = 0; draw < 50; ++draw) {
    const Point point = space.sample(rng);
    a.draw(point, first);
    b.draw(point, second);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      REQUIRE(mutant(point, a[i]) == mutant(point, b[i]));
    }
    REQUIRE(first() == second());
  }
}

TEST_CASE("where no neighbour is allowed, points from anywhere take their place") {
  // Four parameters that must be alike, by pairs of clauses: of 10,000 points 10 are allowed, and
  // none is within reach of another.
  std::string yaml;
  for (const char name : {'w', 'x', 'y', 'z'})
    yaml += std::string(1, name) + ": {integers: [0, 9]}\n";
  yaml += "forbid:\n";
  for (const char name : {'x', 'y', 'z'}) {
    for (int value = 0; value < 10; ++value) {
      std::string others;
      for (int other = 0; other < 10; ++other) {
        if (other != value) others += (others.empty() ? "" : ", ") + std::to_string(other);
      }
      yaml += "  - {w: " + std::to_string(value) + ", " + name + ": [" + others + "]}\n";
    }
  }
  const SearchSpace space = test::yaml_space(yaml);
  REQUIRE(space.size().points == 10.0);
  Neighbourhood neighbourhood(space, {});
  Rng rng(1);
  const Point point = space.sample(rng);
  std::set<Point> met;
  for (int i = 0; i < 20; ++i) {
    neighbourhood.draw(point, rng);
    REQUIRE(neighbourhood.size() > 0);
    for (std::size_t m = 0; m < neighbourhood.size(); ++m) {
      const Point other = mutant(point, neighbourhood[m]);
      CHECK(space.is_allowed(other));
      CHECK(other != point);
      met.insert(other);
    }
  }
  CHECK(met.size() == 9);
  for (const char* name : {"ntbea", "gaussian_process", "rmhc", "auto"}) {
    CAPTURE(name);
    OptimiserContext context = test::make_context(space, 60);
    const auto search = test::make_plan(name, space).make(context);
    const test::Trace trace = test::run(*search, 60, 1, [](const Point& each, Rng& noise) {
      return each[0] == 7 ? 1.0 + 0.1 * noise.normal() : 0.1 * noise.normal();
    });
    CHECK(std::set<Point>(trace.points.begin(), trace.points.end()).size() >= 5);
    // A hill climber evaluates each of its few challengers five times.
    if (std::string(name) == "rmhc") continue;
    CHECK(search->recommend().point == test::make_point({7, 7, 7, 7}));
  }
}

}  // namespace ntune
