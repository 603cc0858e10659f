// What every objective of the table promises that is evaluated within this process, games included.

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "objective/make.h"

namespace ntune {

namespace {

/// Options that make an evaluation short, by name; an entry without any is evaluated as it is.
const std::map<std::string, std::string>& short_options() {
  static const std::map<std::string, std::string> kOptions = {
      {"slide3", "dtw: 4, moves: 12, depth: 1"},
      {"bao", "depth: 1"},
      {"amazons_tds", "nodes: 100, table_mb: 1, least_empties: 3, most_empties: 6"},
      {"planet_wars", "agent: {tick_budget: 60}, opponent: {tick_budget: 60}, rules: {ticks: 40}"},
      {"asteroids", "agent: {tick_budget: 200}, rules: {ticks: 150}"}};
  return kOptions;
}

std::string study_of(const ObjectiveEntry& entry) {
  const auto found = short_options().find(entry.name);
  const std::string more = found == short_options().end() ? "" : ", " + found->second;
  return "objective: {" + entry.kind + ": " + entry.name + more + "}";
}

/// Calls check(entry, objective) for all entries but those that need a program, or a file or space
/// of their own: these have no name.
template <class Check>
void for_each_entry(Check check) {
  for (const ObjectiveEntry& entry : objective_table()) {
    if (entry.name.empty()) continue;
    INFO(study_of(entry));
    const auto objective = test::make(study_of(entry));
    if (!is_external(*objective)) check(entry, *objective);
  }
}

std::vector<Point> sample(const SearchSpace& space, int count) {
  Rng rng(42);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) points.push_back(space.sample(rng));
  return points;
}

double payoff(const Objective& objective, const Point& point, std::size_t i) {
  Rng stream = Rng(9).stream("evaluation", i);
  return objective.evaluate(point, stream);
}

std::vector<double> payoffs_of(const Objective& objective, const std::vector<Point>& points) {
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    payoffs.push_back(payoff(objective, points[i], i));
  }
  return payoffs;
}

}  // namespace

TEST_CASE("every entry: the same stream gives the same payoff in any order and on any thread") {
  for_each_entry([](const ObjectiveEntry& entry, const Objective& objective) {
    const auto points = sample(objective.space(), 12);
    const auto payoffs = payoffs_of(objective, points);
    for (std::size_t i = points.size(); i-- > 0;) {
      REQUIRE(payoff(objective, points[i], i) == payoffs[i]);
    }
    REQUIRE(payoffs_of(*test::make(study_of(entry)), points) == payoffs);
    std::vector<std::vector<double>> others(3);
    {
      std::vector<std::jthread> threads;
      for (auto& other : others) {
        threads.emplace_back([&] { other = payoffs_of(objective, points); });
      }
    }
    for (const auto& other : others) REQUIRE(other == payoffs);
  });
}

TEST_CASE("every entry: payoffs are finite, within the declared range, two-valued if declared so") {
  for_each_entry([](const ObjectiveEntry&, const Objective& objective) {
    const Payoffs kind = objective.payoffs();
    for (const double payoff : payoffs_of(objective, sample(objective.space(), 60))) {
      REQUIRE(std::isfinite(payoff));
      if (kind.low) REQUIRE(payoff >= *kind.low);
      if (kind.high) REQUIRE(payoff <= *kind.high);
      if (kind.two_valued) REQUIRE((payoff == *kind.low || payoff == *kind.high));
    }
    const Unit unit = objective.unit();
    REQUIRE(unit.slope != 0.0);
    REQUIRE(unit.payoff_of(unit.value_of(0.25)) == 0.25);
  });
}

TEST_CASE("every entry: the description is one line and the same for the same options") {
  for_each_entry([](const ObjectiveEntry& entry, const Objective& objective) {
    const std::string text = objective.description();
    CHECK_FALSE(text.empty());
    CHECK(text.find('\n') == std::string::npos);
    const Json options = test::resolved(study_of(entry));
    CHECK(test::resolved("objective: " + options.dump()) == options);
    CHECK(test::make("objective: " + options.dump())->description() == text);
  });
}

TEST_CASE("every entry: what it plays by default is an allowed point of its default space") {
  int checked = 0;
  for_each_entry([&](const ObjectiveEntry&, const Objective& objective) {
    const Json defaults = objective.defaults();
    if (defaults.empty()) return;
    const Point point = default_point(objective.space(), defaults);
    CHECK(objective.space().is_allowed(point));
    CHECK(std::isfinite(payoff(objective, point, 0)));
    ++checked;
  });
  CHECK(checked > 0);
}

TEST_CASE("every entry: a match is a pair of games, decided by its stream") {
  int checked = 0;
  for_each_entry([&](const ObjectiveEntry&, const Objective& objective) {
    const Matches* matches = objective.matches();
    if (matches == nullptr) return;
    const auto points = sample(objective.space(), 8);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto play = [&] {
        Rng rng = Rng(5).stream("pair", i);
        return matches->play(points[i - 1], points[i], rng, {});
      };
      const Outcome pair = play();
      REQUIRE(pair.failure.empty());
      REQUIRE(pair.games.are_paired());
      REQUIRE(pair.games.pairs.pairs() == 1);
      REQUIRE(pair.payoff == pair.games.games.score());
      REQUIRE(play().games == pair.games);
      ++checked;
    }
  });
  CHECK(checked > 0);
}

}  // namespace ntune
