#include "ntune/study/followup/deviations.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/facts/deviations_text.h"
#include "study/make.h"
#include "study/scripted.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

SearchSpace space_of(const std::string& yaml) { return read_space(parse_yaml(yaml)); }

Point point_of(std::vector<std::uint16_t> indices) { return Point(std::span(indices)); }

std::vector<std::string> texts(const SearchSpace& space, const std::vector<Deviation>& deviations) {
  std::vector<std::string> texts;
  for (const Deviation& deviation : deviations) {
    texts.push_back(space[deviation.parameter].name + "=" +
                    value_text(space[deviation.parameter].values[deviation.value]));
  }
  return texts;
}

/// a matters (best at 2), b does nothing, c has a better value than its first.
std::shared_ptr<const Objective> three(double noise) {
  return std::make_shared<LambdaObjective>(
      space_of("{a: {integers: [0, 4], default: 1}, b: {choices: [x, y], default: y}, c: [1, 2]}"),
      [noise](const Point& point, Rng& rng) {
        const double a = point[0] - 2.0;
        return -a * a + 0.5 * point[2] + noise * rng.normal();
      },
      "three", Payoffs{.noisy = noise > 0.0});
}

Deviations test_three(double noise, std::int64_t evaluations, const std::string& more = "") {
  const auto objective = three(noise);
  const Study study = test::study_of("{runs: 1, iterations: 10" + more + "}", objective);
  const Point point = point_of({2, 0, 0});
  const Point defaults = point_of({1, 1, 0});
  StudyProgress progress;
  return test_deviations(study, point, one_step_deviations(objective->space(), point, &defaults),
                         {.evaluations = evaluations}, progress);
}

const Deviation& find(const Deviations& result, int parameter, int value) {
  for (const Deviation& deviation : result.tested) {
    if (deviation.parameter == parameter && deviation.value == value) return deviation;
  }
  FAIL("no such deviation");
  return result.tested.front();
}

}  // namespace

TEST_CASE("neighbours and defaults come first, the far values last") {
  const SearchSpace space = space_of("{a: {integers: [0, 5]}, b: [x, y, z], fixed: 3}");
  const Point point = point_of({2, 0, 0});
  const Point defaults = point_of({5, 0, 0});
  CHECK(texts(space, one_step_deviations(space, point, &defaults)) ==
        std::vector<std::string>{"a=1", "a=3", "a=5", "b=y", "b=z", "a=0", "a=4"});
  CHECK(texts(space, one_step_deviations(space, point, nullptr)).back() == "a=5");
}

TEST_CASE("a change activates parameters with their defaults and skips forbidden points") {
  const SearchSpace space = space_of(
      "policy: [greedy, ucb]\n"
      "c: {choices: [0, 1, 2], default: 2, when: {policy: ucb}}\n"
      "depth: [1, 2, 3]\n"
      "forbid: [{policy: greedy, depth: 3}]\n");
  const auto deviations = one_step_deviations(space, point_of({0, 0, 1}), nullptr);
  CHECK(texts(space, deviations) == std::vector<std::string>{"policy=ucb", "depth=1"});
  CHECK(deviations[0].point == point_of({1, 2, 1}));
}

TEST_CASE("what matters, what could go back and what is better is found") {
  const Deviations result = test_three(1.0, 20'000);
  CHECK(find(result, 0, 1).verdict == DeviationVerdict::kWorse);
  CHECK(find(result, 0, 4).verdict == DeviationVerdict::kWorse);
  CHECK(find(result, 1, 1).verdict == DeviationVerdict::kUndecided);
  CHECK(find(result, 2, 1).verdict == DeviationVerdict::kBetter);
  CHECK(find(result, 2, 1).interval->low < 0.5);
  CHECK(find(result, 2, 1).interval->high >= Approx(0.5));
  CHECK(result.evaluations <= 20'000);
  // what is decided early leaves its evaluations to the others
  CHECK(find(result, 0, 4).pairs < find(result, 1, 1).pairs);

  const auto objective = three(1.0);
  const Point defaults = point_of({1, 1, 0});
  const Json json = deviations_json(*objective, result, &defaults);
  CHECK(json["matter"] == Json({"a", "c"}));
  CHECK(json["could_go_back"] == Json({"b"}));
  CHECK(json["better"].size() == 1);
  const std::string text = deviations_text(*objective, result, &defaults);
  CHECK_THAT(text, ContainsSubstring("Better than the recommendation:\n  c = 2: +0."));
  CHECK_THAT(text, ContainsSubstring("  b = y: "));
}

TEST_CASE("where a change is shown to be worse, the worst of those is printed") {
  const auto objective = three(1.0);
  Deviations result;
  result.point = point_of({2, 0, 0});
  const auto add = [&](std::uint16_t value, double mean, double half, DeviationVerdict verdict) {
    Deviation& one = result.tested.emplace_back(Deviation{.value = value, .verdict = verdict});
    for (const double payoff : {mean - 1.0, mean + 1.0}) one.difference.add(payoff);
    one.pairs = 2;
    one.interval = Interval{mean - half, mean + half};
  };
  add(0, -3.0, 4.0, DeviationVerdict::kUndecided);
  add(1, -2.0, 1.0, DeviationVerdict::kWorse);
  add(3, -1.0, 0.5, DeviationVerdict::kWorse);
  add(4, 5.0, 6.0, DeviationVerdict::kUndecided);
  const std::string text = deviations_text(*objective, result, nullptr);
  CHECK_THAT(text, ContainsSubstring("yes (2 of 4)"));
  CHECK_THAT(text, ContainsSubstring("1: -2.0000 [-3.0000, -1.0000]"));
  CHECK_THAT(text, !ContainsSubstring("0: -3.0000"));
  CHECK_THAT(text, ContainsSubstring("4: +5.0000 [-1.0000, +11.00]"));
}

namespace {

Deviations deviations_of(const std::string& study,
                         const std::shared_ptr<const Objective>& objective, const Point& point,
                         std::int64_t evaluations) {
  const Study read = test::study_of(study, objective);
  StudyProgress progress;
  return test_deviations(read, point, one_step_deviations(objective->space(), point, nullptr),
                         {.evaluations = evaluations}, progress);
}

}  // namespace

TEST_CASE("differences that never vary are judged at every size alike") {
  // A change of x brings the same for every seed; the payoffs themselves vary.
  for (const double size : {1e-6, 0.3, 1.0, 8.0, 1e6}) {
    CAPTURE(size);
    const auto objective = std::make_shared<LambdaObjective>(
        SearchSpace({make_integers("x", 0, 3)}),
        [size](const Point& point, Rng& rng) {
          return size * (2.0 * point[0] + std::floor(7.0 * rng.uniform()));
        },
        "steps");
    const Deviations result = deviations_of("{}", objective, point_of({2}), 2'000);
    for (const auto& deviation : result.tested) {
      const bool better = deviation.value == 3;
      CHECK(deviation.verdict == (better ? DeviationVerdict::kBetter : DeviationVerdict::kWorse));
      REQUIRE(deviation.interval.has_value());
      CHECK(deviation.interval->low <= deviation.difference.mean());
      CHECK(deviation.interval->high >= deviation.difference.mean());
    }
  }
}

TEST_CASE("a default that was not tested is not said to lose") {
  const auto objective = test::coins({0.1, 0.9});
  const Point defaults = test::arm(1);
  Deviations result;
  result.point = test::arm(0);
  result.tested.push_back(
      {.parameter = 0, .value = 1, .point = defaults, .is_default = true, .is_neighbour = true});
  const std::string text = deviations_text(*objective, result, &defaults);
  CHECK_THAT(text, ContainsSubstring("1 is not tested"));
  CHECK_THAT(text, ContainsSubstring("Back to default was not tested of 1 parameter.\n"));
  CHECK_THAT(text, !ContainsSubstring("no parameter"));
}

TEST_CASE("no change is better that fails more often, and one that always fails is worse") {
  // 1 always fails, 2 gains 5 where it does not fail, 3 gains 5.
  const auto objective = test::scripted(4, [](const Point& point, Rng& rng) {
    const bool fails = point[0] == 1 || (point[0] == 2 && rng.below(4) == 0);
    if (fails) return Outcome{.failure = "broken"};
    return Outcome{.payoff = rng.normal() + (point[0] >= 2 ? 5.0 : 0.0)};
  });
  const Deviations result = deviations_of("{fail: skip}", objective, test::arm(0), 400);
  REQUIRE(result.tested.size() == 3);
  CHECK(find(result, 0, 1).verdict == DeviationVerdict::kWorse);
  CHECK(find(result, 0, 2).verdict == DeviationVerdict::kUndecided);
  CHECK(find(result, 0, 2).interval->low > 0.0);
  CHECK(find(result, 0, 3).verdict == DeviationVerdict::kBetter);
  const std::string text = deviations_text(*objective, result, nullptr);
  CHECK_THAT(text, ContainsSubstring("1: 16 of 16 failed"));
  CHECK_THAT(text, !ContainsSubstring("not tested"));
  CHECK(deviation_rows(*objective, result)[0]["failures"] == 16);
}

TEST_CASE("differences that cancel are 0 in every text") {
  // 0.1 worse on two of three calls and 0.2 better on the third, or the other way round.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("x", 0, 1)}),
      [](const Settings& settings, Rng&, const Instance& instance) {
        return static_cast<double>(settings.integer("x")) * (instance.name == "c" ? 0.2 : -0.1);
      },
      "swings");
  const Deviations result = deviations_of("{instances: [a, b, c]}", objective, point_of({0}), 96);
  REQUIRE(result.tested.size() == 1);
  CHECK(result.tested[0].difference.mean() == 0.0);
  CHECK_THAT(deviations_text(*objective, result, nullptr), ContainsSubstring("1: +0.0000"));
}

TEST_CASE("deviations have the digits that count on any scale") {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    const auto objective = test::arms(2, [=](const Point& point, Rng& rng) {
      return scale * (5.0 + 0.5 * point[0] + 0.3 * rng.stream("arm", point[0]).normal());
    });
    const Deviations result = deviations_of("{}", objective, test::arm(0), 200);
    REQUIRE(result.tested.size() == 1);
    const std::string text = deviations_text(*objective, result, nullptr);
    CAPTURE(text);
    const std::size_t at = text.find("1: +");
    REQUIRE(at != std::string::npos);
    CHECK(std::strtod(text.c_str() + at + 3, nullptr) ==
          Approx(result.tested[0].difference.mean()).epsilon(0.01));
  }
}

TEST_CASE("deviations over instances count by the weights of these") {
  // x = 1 is better by 0.5 on average, by -19.5 to 20.5 on single instances; weights 1 and 3.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("x", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double effect = instance.name == "up" ? 60.5 : -19.5;
        const double x = static_cast<double>(settings.integer("x"));
        return 0.1 * (1.0 + x) * rng.normal() + x * effect;
      },
      "swings");
  const Deviations result =
      deviations_of("{instances: [{instance: up, weight: 1}, {instance: down, weight: 3}]}",
                    objective, point_of({0}), 200);
  REQUIRE(result.tested.size() == 1);
  CHECK(result.tested[0].difference.mean() == Approx(0.5).margin(0.1));
  REQUIRE(result.tested[0].interval.has_value());
  CAPTURE(result.tested[0].interval->low, result.tested[0].interval->high, result.tested[0].pairs);
  CHECK(result.tested[0].verdict == DeviationVerdict::kBetter);
}

TEST_CASE("deviations do not depend on the number of threads") {
  const auto objective = three(1.0);
  const Json one = deviations_json(*objective, test_three(1.0, 3000, ", threads: 1"), nullptr);
  const Json three_threads =
      deviations_json(*objective, test_three(1.0, 3000, ", threads: 3"), nullptr);
  CHECK(one == three_threads);
}

TEST_CASE("few evaluations test the first deviations alone") {
  const Deviations result = test_three(1.0, 70);
  int tested = 0;
  for (const Deviation& deviation : result.tested) {
    tested += deviation.verdict != DeviationVerdict::kUntested ? 1 : 0;
  }
  CHECK(tested == 3);
  CHECK(result.evaluations <= 70);
  CHECK(test_three(1.0, 10).evaluations == 0);
}

TEST_CASE("without noise one evaluation of each decides") {
  const Deviations result = test_three(0.0, 1000);
  CHECK(result.evaluations == 7);
  CHECK(find(result, 2, 1).verdict == DeviationVerdict::kBetter);
  CHECK(find(result, 1, 1).interval->low == 0.0);
}

TEST_CASE("without noise a change that fails is worse, and no default to go back to") {
  const auto objective =
      test::scripted(2,
                     [](const Point& point, Rng&) {
                       return point[0] == 0 ? Outcome{.failure = "broken"} : Outcome{.payoff = 1.0};
                     },
                     {.noisy = false});
  const Study study = test::study_of("{runs: 1, iterations: 10, fail: skip}", objective);
  const Point point = point_of({1});
  const Point broken = point_of({0});
  StudyProgress progress;
  const Deviations result =
      test_deviations(study, point, one_step_deviations(objective->space(), point, &broken),
                      {.evaluations = 10}, progress);
  CHECK(find(result, 0, 0).verdict == DeviationVerdict::kWorse);
  const std::string text = deviations_text(*objective, result, &broken);
  CHECK_THAT(text, ContainsSubstring("\n1 change of one parameter, 2 evaluations, 1 look;"));
  CHECK_THAT(text, ContainsSubstring("without a shown loss: no parameter."));
}

// Simultaneous intervals at 95 %: at most 5 % of the tables hold a wrong verdict where nothing
// matters. Fixed beforehand: 5 % and 3.1 standard errors of 400 tables.
TEST_CASE("tables of deviations keep their confidence", "[statistical][slow]") {
  const int tables = 400;
  int wrong = 0;
  for (int seed = 1; seed <= tables; ++seed) {
    const auto objective = std::make_shared<LambdaObjective>(
        space_of("{a: {integers: [0, 3]}, b: {integers: [0, 3]}, c: {integers: [0, 3]}}"),
        [](const Point& point, Rng& rng) {
          return rng.stream("own", std::hash<Point>()(point)).bernoulli(0.5) ? 1.0 : -1.0;
        },
        "none", Payoffs{.low = -1.0, .high = 1.0, .two_valued = true});
    const Study study = test::study_of(
        "{runs: 1, iterations: 10, threads: 1, seed: " + std::to_string(seed) + "}", objective);
    const Point point = point_of({1, 1, 1});
    StudyProgress progress;
    const Deviations result =
        test_deviations(study, point, one_step_deviations(objective->space(), point, nullptr),
                        {.evaluations = 5000}, progress);
    bool any = false;
    for (const Deviation& deviation : result.tested) {
      any = any || deviation.verdict == DeviationVerdict::kWorse ||
            deviation.verdict == DeviationVerdict::kBetter;
    }
    wrong += any ? 1 : 0;
  }
  WARN(wrong << " of " << tables << " tables have a wrong verdict");
  CHECK(wrong <= 33);
}

}  // namespace ntune
