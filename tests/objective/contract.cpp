// What every objective promises, over the whole table and the options that matter.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/objective/capabilities.h"
#include "objective/make.h"

namespace ntune {

namespace {

/// Studies: every objective of the table with each noise, and special options and spaces.
std::vector<std::string> studies() {
  std::vector<std::string> list = {
      "objective: hartmann6",
      "objective: {function: branin, floor: false}",
      "objective: {function: branin, floor: false, noise: none}",
      "objective: {function: goldstein_price, floor: false, noise: {gaussian: 30}}",
      "objective: {function: one_max, dimensions: 50, values: 10}",
      "objective: {function: one_max, dimensions: 4, values: 20, noise: none}",
      "objective: {function: trap, dimensions: 20, block: 5}",
      "objective: {function: trap, dimensions: 50, block: 10}",
      "objective: {function: nk, dimensions: 18, k: 4, neighbours: random, seed: 7}",
      "objective: {function: nk, dimensions: 50, k: 0, values: 12, noise: none}",
      "objective: {function: nk, dimensions: 50, k: 49, values: 3}",
      "objective: {function: gaussian_landscape, dimensions: 20, main_effects: 0.3, pairs: 0.7}",
      "objective: {function: hartmann3}\nspace: {x2: {range: [0, 1], points: 101}}",
      "objective: {function: hartmann3}\nspace: {x1: 0.1, x3: [0.9, 0.85], forbid: [{x2: 0.6}]}",
      "objective: {function: nk}\nspace: {x2: {choices: [-3, 0.25, 1e9], when: {x1: 1}}}",
      "objective: {function: one_max, dimensions: 3}\nspace: {x1: {boolean: true}}",
      "objective:\n  table: |\n    x1,x2,observations\n    1,a,1*3 -1*7\n    2,a,-1*4 1\n    "
      "1,b,1\n"
      "    2,b,1*2 -1*998\n",
      "objective: {table: \"x1,observations\\n1,2 3.5*70 -1e3 4*2\\n2,5 6 7 8 9*2\\n\"}",
  };
  for (const ObjectiveEntry& entry : objective_table()) {
    if (entry.kind != "function") continue;  // table_contract.cpp: all entries
    for (const char* noise : {"win_loss", "none", "{gaussian: 0.25}"}) {
      list.push_back("objective: {" + entry.kind + ": " + entry.name + ", noise: " + noise + "}");
    }
  }
  return list;
}

std::vector<Point> some_points(const SearchSpace& space, int count) {
  Rng rng(42);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) points.push_back(space.sample(rng));
  return points;
}

double evaluate(const Objective& objective, const std::vector<Point>& points, std::size_t i) {
  Rng stream = Rng(9).stream("evaluation", i);
  return objective.evaluate(points[i], stream);
}

}  // namespace

TEST_CASE("the same stream gives the same payoff in any call order") {
  for (const std::string& study : studies()) {
    INFO(study);
    const auto objective = test::make(study);
    const auto points = some_points(objective->space(), 200);
    std::vector<double> payoffs;
    for (std::size_t i = 0; i < points.size(); ++i) {
      payoffs.push_back(evaluate(*objective, points, i));
    }
    const auto again = test::make(study);
    for (std::size_t i = points.size(); i-- > 0;) {
      REQUIRE(evaluate(*objective, points, i) == payoffs[i]);
      REQUIRE(evaluate(*again, points, (7 * i) % points.size()) ==
              payoffs[(7 * i) % points.size()]);
    }
  }
}

TEST_CASE("several threads may call all members of one objective") {
  for (const std::string& study : studies()) {
    INFO(study);
    const auto objective = test::make(study);
    const auto points = some_points(objective->space(), 100);
    std::vector<double> sums(3);
    std::vector<std::optional<double>> optima(3);
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < sums.size(); ++t) {
        threads.emplace_back([&, t] {
          optima[t] = optimum_of(*objective);
          for (std::size_t i = 0; i < points.size(); ++i) {
            sums[t] +=
                evaluate(*objective, points, i) + true_value_of(*objective, points[i]).value();
          }
        });
      }
    }
    CHECK(sums[0] == sums[1]);
    CHECK(sums[0] == sums[2]);
    CHECK(optima[0] == optima[1]);
    CHECK(optima[0] == optima[2]);
  }
}

TEST_CASE("payoffs are finite, within the declared range, and two-valued where they say so") {
  for (const std::string& study : studies()) {
    INFO(study);
    const auto objective = test::make(study);
    const Payoffs payoffs = objective->payoffs();
    const auto points = some_points(objective->space(), 2000);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double payoff = evaluate(*objective, points, i);
      REQUIRE(std::isfinite(payoff));
      if (payoffs.low) REQUIRE(payoff >= *payoffs.low);
      if (payoffs.high) REQUIRE(payoff <= *payoffs.high);
      if (payoffs.two_valued) REQUIRE((payoff == *payoffs.low || payoff == *payoffs.high));
      if (!payoffs.noisy)
        REQUIRE(objective->unit().value_of(payoff) == true_value_of(*objective, points[i]));
    }
  }
}

TEST_CASE("the mean of 20,000 payoffs is the true value within 4.5 standard errors",
          "[statistical]") {
  constexpr int kCount = 20'000;
  for (const std::string& study : studies()) {
    INFO(study);
    const auto objective = test::make(study);
    const bool win_or_loss = objective->payoffs().two_valued;
    for (const Point& point : some_points(objective->space(), 3)) {
      double sum = 0.0;
      double squares = 0.0;
      for (int i = 0; i < kCount; ++i) {
        Rng stream = Rng(77).stream("evaluation", i);
        const double payoff = objective->evaluate(point, stream);
        sum += payoff;
        squares += payoff * payoff;
      }
      const double mean = sum / kCount;
      const double variance = std::max(0.0, squares / kCount - mean * mean);
      const double slope = objective->unit().value_of(1.0) - objective->unit().value_of(0.0);
      REQUIRE(slope > 0.0);
      double expected = true_value_of(*objective, point).value();
      if (win_or_loss) expected = std::clamp(expected, 0.0, 1.0);
      const double error = slope * std::sqrt(variance / kCount);
      REQUIRE(std::abs(objective->unit().value_of(mean) - expected) <= 4.5 * error + 1e-9);
    }
  }
}

TEST_CASE("the optimum is the largest true value of the grid") {
  for (const std::string& study : studies()) {
    INFO(study);
    const auto objective = test::make(study);
    const auto optimum = optimum_of(*objective);
    if (objective->space().grid_size() > 0x1p20) {
      for (const Point& point : some_points(objective->space(), 1000)) {
        if (optimum) REQUIRE(true_value_of(*objective, point).value() <= *optimum);
      }
      continue;
    }
    REQUIRE(optimum);
    bool above = false;
    bool attained = false;
    test::for_each(objective->space(), [&](const Point& point) {
      const double value = true_value_of(*objective, point).value();
      above = above || value > *optimum;
      attained = attained || value == *optimum;
    });
    CHECK_FALSE(above);
    CHECK(attained);
  }
}

TEST_CASE("resolved options name every option and read back the same") {
  for (const std::string& study : studies()) {
    INFO(study);
    const Json options = test::resolved(study);
    CHECK(test::resolved("objective: " + options.dump()) == options);
    const auto objective = test::make("objective: " + options.dump());
    CHECK(objective->description() == test::make(study)->description());
    const YamlNode root = parse_yaml(study);
    CHECK(options.begin().key() == find_objective(*root.find("objective")).kind);
  }
}

TEST_CASE("the table, the schema and the reader know the same options") {
  std::set<std::string> names;
  for (const ObjectiveEntry& entry : objective_table()) {
    INFO(entry.title());
    CHECK(names.insert(entry.title()).second);
    CHECK_FALSE(entry.summary.empty());
    if (entry.name.empty()) continue;  // programs and tables: files of their own
    const std::string head = "objective: {" + entry.kind + ": " + entry.name;
    const Json schema = entry.schema();
    CHECK(schema["additionalProperties"] == false);
    CHECK(schema["required"] == Json::array({entry.kind}));
    std::vector<std::string> keys;
    const Json options = test::resolved(head + "}");
    for (const auto& [key, property] : schema["properties"].items()) {
      keys.push_back(key);
      if (property.contains("default")) CHECK(property["default"] == options[key]);
      CHECK_FALSE(property["description"].get<std::string>().empty());
    }
    CHECK(options.size() == keys.size());
    std::string known;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0) known += i + 1 == keys.size() ? " and " : ", ";
      known += keys[i];
    }
    CHECK_THROWS_WITH(test::make(head + ", qqqqqq: 1}"),
                      Catch::Matchers::ContainsSubstring("unknown key; allowed: " + known));
  }
}

}  // namespace ntune
