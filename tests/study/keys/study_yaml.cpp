#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/facts/result_text.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::study_of;

namespace {

std::string yaml_error(const std::string& yaml) {
  return test::input_error([&] { study_of(yaml); });
}

std::vector<std::string> labels_of(const Study& study) {
  std::vector<std::string> labels;
  for (const StudyObjective& objective : study.objectives) labels.push_back(objective.label);
  for (const StudyOptimiser& optimiser : study.optimisers) labels.push_back(optimiser.label);
  return labels;
}

void check_yaml_plan(const RunPlan& plan, const RunPlan& expected) {
  CHECK(plan.label() == expected.label());
  CHECK(plan.hold_out == expected.hold_out);
}

/// Studies of every shape, small enough to run.
const std::vector<std::string>& shapes() {
  static const std::vector<std::string> kShapes = {
      "{objective: hartmann3, runs: 3, iterations: 30}",
      "{objective: hartmann3, runs: 1, iterations: 30, record: evaluations}",
      "{objective: hartmann3, budget: 300, runs: 4, name: 'a: name', seed: 12}",
      "{objective: {function: hartmann3, noise: {gaussian: 0.1}}, runs: 3, iterations: 20}",
      "{objective: {function: hartmann3, noise: none}, runs: 3, iterations: 20}",
      "{objective: {function: nk, dimensions: 6}, runs: 2, iterations: 20, hold_out: 0}",
      "{objective: branin, space: {x1: [0, 5], x2: {range: [0, 15], points: 4}}, iterations: 20}",
      "{objective: hartmann3, runs: 3, iterations: 30, re_evaluation: none}",
      "{objective: hartmann3, runs: 3, iterations: 30, re_evaluation: 17}",
      "{objective: hartmann3, runs: 3, iterations: 30, re_evaluation: {method: repeats, share: "
      "0.5}}",
      "{objective: hartmann3, runs: 3, iterations: 30, repeats: 2}",
      "{objective: hartmann3, optimisers: [ntbea, random, {algorithm: rmhc}], iterations: 20, "
      "runs: 2}",
      "{objective: hartmann3, optimiser: {tuples: [1, [x1, x3]], k: 2}, iterations: 20, runs: 2}",
      "{objectives: [hartmann3, branin], iterations: [10, 20], runs: 2}",
      "{objectives: [{function: nk, dimensions: 6}, {function: nk, dimensions: 8, k: 1}], "
      "iterations: 20, runs: 2}",
      "{objectives: [hartmann3, {function: hartmann3, noise: none}], iterations: 20, runs: 2}",
      "{objective: hartmann3, iterations: [10, 400], runs: 2, repeats: 2}",
      "{objective: hartmann3, iterations: [10, 40], runs: 2, repeats: 2, budget: 150}",
      "{objective: hartmann3, budget: 200, splits: [2 x 50, {runs: 5}, {runs: 3, re_evaluation: "
      "20}]}",
      "{objective: hartmann3, splits: [2 x 50], repeats: 2}",
      "{objective: hartmann3, budget: 200, splits: [{runs: 5}], optimisers: [ntbea, random]}",
      "{objective: hartmann3, runs: 2, iterations: 20, fail: {value: 0.1}, max_failure_rate: 0.3}",
      "{objective: hartmann3, runs: 2, iterations: 20, parallel_evaluations: 5, fail: skip}",
      "{objective: hartmann3, runs: 2, iterations: 20, record: none}",
  };
  return kShapes;
}

}  // namespace

TEST_CASE("defaults of a study") {
  const Study study = study_of("objective: hartmann6");
  CHECK(study.seed == 1);
  CHECK(study.execution.threads == 0);
  CHECK(study.repeats == 1);
  CHECK(study.unit == SampleUnit::kPicks);
  CHECK_FALSE(study.is_comparison());
  CHECK(study.re_evaluation.method == ReEvaluationMethod::kSequentialHalving);
  CHECK(study.re_evaluation.common_random_numbers);
  CHECK(labels_of(study) == std::vector<std::string>{"hartmann6", "auto"});
  REQUIRE(study.plans.size() == 1);
  check_yaml_plan(study.plans[0],
                  {.runs = 10, .iterations = 1000, .re_evaluation = 2500, .hold_out = 1000});
  CHECK(total_evaluations(study) == 13'500);
}

TEST_CASE("the kind of a study follows from its keys") {
  CHECK_FALSE(study_of("{objective: hartmann3, optimisers: [random]}").is_comparison());
  const Study runs = study_of("{objective: hartmann3, optimisers: [ntbea, random]}");
  CHECK(runs.unit == SampleUnit::kRuns);
  check_yaml_plan(runs.plans[0], {.runs = 10, .iterations = 1000});
  const Study picks = study_of("{objective: hartmann3, optimisers: [ntbea, random], repeats: 5}");
  CHECK(picks.unit == SampleUnit::kPicks);
  check_yaml_plan(picks.plans[0], {.runs = 10, .iterations = 1000, .re_evaluation = 2500});
  const Study splits = study_of("{objective: hartmann3, splits: [2 x 50, 5 x 20]}");
  CHECK(splits.unit == SampleUnit::kPicks);
  CHECK(splits.cells() == 2);
  CHECK(study_of("{objective: hartmann3, iterations: [10, 20]}").unit == SampleUnit::kRuns);
  CHECK(study_of("{objective: hartmann3, repeats: 3}").is_comparison());
}

TEST_CASE("splits are read as texts and as maps") {
  const Study study = study_of(
      "{objective: hartmann3, budget: 10000, hold_out: 0, splits: [10 x 200, '1,0 x 2,00', 5x20, "
      "{runs: 4}, {runs: 4, iterations: 100, re_evaluation: 7}]}");
  REQUIRE(study.plans.size() == 5);
  check_yaml_plan(study.plans[0], {.runs = 10, .iterations = 200, .re_evaluation = 500});
  check_yaml_plan(study.plans[1], {.runs = 10, .iterations = 200, .re_evaluation = 500});
  check_yaml_plan(study.plans[2], {.runs = 5, .iterations = 20, .re_evaluation = 25});
  check_yaml_plan(study.plans[3], {.runs = 4, .iterations = 2000, .re_evaluation = 2000});
  check_yaml_plan(study.plans[4], {.runs = 4, .iterations = 100, .re_evaluation = 7});
}

TEST_CASE("hold-out by default where true values are not known") {
  const auto objective = test::coins({0.2, 0.6});
  check_yaml_plan(study_of("{runs: 2, iterations: 50}", objective).plans[0],
                  {.runs = 2, .iterations = 50, .re_evaluation = 25, .hold_out = 30});
  // Each run is held out by a tenth of its own search.
  const Study comparison =
      study_of("{runs: 5, iterations: 1000, optimisers: [ntbea, random]}", objective);
  check_yaml_plan(comparison.plans[0], {.runs = 5, .iterations = 1000, .hold_out = 100});
  CHECK(total_evaluations(comparison) == 2 * (5 * 1000 + 5 * 100));
  Payoffs payoffs;
  payoffs.noisy = false;
  const auto exact = test::arms(
      2, [](const Point& point, Rng&) { return 1.0 * point[0]; }, payoffs);
  CHECK(study_of("{runs: 2, iterations: 50}", exact).plans[0].hold_out == 1);
}

TEST_CASE("a comparison in which runs are held out keeps to its budget") {
  const auto objective = test::coins({0.2, 0.6});
  const Study study =
      study_of("{runs: 10, iterations: 100, budget: 1200, optimisers: [ntbea, random]}", objective);
  CHECK(study.plans[0].hold_out == 20);
  CHECK(total_evaluations(study) == 2 * 1200);
}

TEST_CASE("labels of objectives and optimisers tell them apart") {
  CHECK(labels_of(study_of("objectives: [hartmann3, {function: hartmann3, noise: none}, hartmann3, "
                           "{function: nk, dimensions: 5}, {function: nk}]")) ==
        std::vector<std::string>{"hartmann3", "hartmann3 noise=none", "hartmann3 noise=win_loss",
                                 "nk dimensions=5", "nk", "auto"});
  CHECK(labels_of(study_of("{objectives: [nk, nk, nk, nk], optimiser: {k: 2}}")) ==
        std::vector<std::string>{"nk", "nk noise=win_loss", "nk noise=win_loss #3",
                                 "nk noise=win_loss #4", "ntbea k=2.0"});
}

TEST_CASE("labels stay on one line") {
  CHECK(labels_of(study_of(R"({objective: nk, optimiser: {label: "two\nlines \x1b[31m"}})")) ==
        std::vector<std::string>{"nk", "two\\nlines \\x1b[31m"});
}

TEST_CASE("studies that are refused") {
  struct Case {
    std::string yaml;
    std::string error;  ///< after "study.yaml:1: "
  };
  const std::string kObjective = "objective: hartmann3, ";
  const std::vector<Case> cases = {
      {"", "objective: is missing: the study is empty, see 'ntune describe hartmann6'"},
      {"runs: 5",
       "objective: is missing, name one, such as 'objective: hartmann6' (see 'ntune list "
       "objectives')"},
      {"{objective: hartmann3, objectives: [branin]}",
       "objectives: stands beside 'objective', one of the two is allowed"},
      {"{objective: [hartmann3]}",
       "objective: is a list, one is allowed; write 'objectives:' for several"},
      {"{objectives: []}", "objectives: is an empty list, one or more objectives are allowed"},
      {"{objectives: hartmann3}", "objectives: is 'hartmann3', a list of objectives is allowed"},
      {"{objectives: [hartmann3, branin], space: {x1: 0}}",
       "space: a space goes with one objective, there are several"},
      {"{objectives: [hartmann3, {function: hartmnn3}]}",
       "objectives[2].function: is 'hartmnn3', did you mean 'hartmann3'?; allowed: "},
      {"{" + kObjective + "optimiser: random, optimisers: [ntbea]}",
       "optimisers: stands beside 'optimiser', one of the two is allowed"},
      {"{" + kObjective + "optimisers: []}",
       "optimisers: is an empty list, one or more optimisers are allowed"},
      {"{" + kObjective + "optimisers: [ntbea, {algorithm: ntbea}]}",
       "optimisers[2]: the optimiser 'ntbea' stands twice; give one a `label`"},
      {"{" + kObjective + "optimisers: [{label: a}, {label: a, k: 2}]}",
       "optimisers[2]: the optimiser 'a' stands twice; give one a `label`"},
      {"{" + kObjective + R"(optimisers: [{label: "a\nb"}, {label: "a\nb", k: 2}]})",
       "optimisers[2]: the optimiser 'a\\nb' stands twice; give one a `label`"},
      {"{" + kObjective + "optimiser: 5}", "optimiser: '5' is not an optimiser; allowed: "},
      {"{" + kObjective + "optimisers: [~]}",
       "optimisers[1]: is nothing, the name of an optimiser or a map is allowed"},
      {"{" + kObjective + "re_evaluation: some}",
       "re_evaluation: is 'some', a map, a number of evaluations or 'none' is allowed"},
      {"{" + kObjective + "re_evaluation: -5}",
       "re_evaluation: is '-5', a map, a number of evaluations or 'none' is allowed"},
      {"{" + kObjective + "re_evaluation: {evaluations: 2.5}}",
       "re_evaluation.evaluations: is '2.5', 'auto' or a whole number at least 0 is "
       "allowed"},
      {"{" + kObjective + "re_evaluation: {share: 1}}",
       "re_evaluation.share: is '1', a number from 0 to 0.95 is allowed"},
      {"{" + kObjective + "optimisers: [ntbea, random], re_evaluation: 50}",
       "re_evaluation: a comparison counts single runs unless `repeats` is above 1, and then there "
       "is "
       "nothing to re-evaluate; set `repeats` or 'none'"},
      {"{" + kObjective + "split: auto, splits: [1 x 5]}",
       "splits: stands beside 'split', one of the two is allowed"},
      {"{" + kObjective + "splits: [1 x 5], runs: 5}",
       "runs: stands beside 'splits', one of the two is allowed"},
      {"{" + kObjective + "budget: 500, split: auto, iterations: 5}",
       "iterations: stands beside 'split', one of the two is allowed"},
      {"{" + kObjective + "split: auto}", "split: needs a `budget`"},
      {"{" + kObjective + "split: 5, budget: 500}",
       "split: is '5', 'auto' or 'adaptive' is allowed (or `splits:` for a list)"},
      {"{" + kObjective + "split: adaptive}", "split: needs a `budget`"},
      {"{" + kObjective + "splits: [adaptive]}", "splits[1]: needs a `budget`"},
      {"{" + kObjective + "budget: 500, split: adaptive, re_evaluation: 50}",
       "split: decides on the re-evaluation itself, none may be asked for"},
      {"{" + kObjective + "splits: []}",
       "splits: is an empty list, one or more splits are allowed"},
      {"{" + kObjective + "splits: 1 x 5}", "splits: is '1 x 5', a list of splits is allowed"},
      {"{" + kObjective + "splits: [ten x 5]}",
       "splits[1]: is 'ten x 5', 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed"},
      {"{" + kObjective + "splits: [10 x 0]}",
       "splits[1]: is '10 x 0', 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed"},
      {"{" + kObjective + "splits: [1 x 2 x 3]}",
       "splits[1]: is '1 x 2 x 3', 'runs x iterations' such as '10 x 2000' or 'adaptive' is "
       "allowed"},
      {"{" + kObjective + "splits: ['[ x 5']}",
       "splits[1]: is '[ x 5', 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed"},
      {"{" + kObjective + "splits: [5]}",
       "splits[1]: is '5', 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed"},
      {"{" + kObjective + "splits: [[5, 6]]}",
       "splits[1]: is a list, 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed"},
      {"{" + kObjective + "budget: 100, splits: [1 x 50, 5 x 30]}",
       "splits[2]: 5 runs x 30 iterations with what is asked for beside them make 150 evaluations, "
       "the budget allows 100"},
      {"{" + kObjective + "budget: 12, runs: 13}",
       "budget: 12 leaves nothing for 13 runs after 2 re-evaluations and 2 hold-out evaluations"},
      {"{" + kObjective + "budget: 50, hold_out: 60, runs: 1}",
       "hold_out: 60 leave nothing of a budget of 50 for 1 run; allowed: 0 to 49"},
      {"{" + kObjective + "budget: 9, hold_out: 4, runs: 10}", "budget: 9 leaves nothing for 10"},
      {"{objective: {command: [a, '{x}']}, space: {x: [1, 2]}, default: {x: 1}, budget: 16, "
       "hold_out: 8}",
       "hold_out: 8 each for the recommendation and the default leave nothing of a budget of 16 "
       "for 1 run; allowed: 0 to 7"},
      {"{" + kObjective + "iterations: [5, many]}",
       "iterations[2]: is 'many', a whole number of at least 1 is allowed"},
      {"{" + kObjective + "iterations: {}}",
       "iterations: is a map, a whole number of at least 1 is allowed"},
      {"{" + kObjective + "runs: 1000000, repeats: 11, iterations: 1}",
       "the study makes 11,000,000 runs, at most 10,000,000 are allowed"},
      {"{" + kObjective + "splits: [100000000000 x 1]}",
       "the study makes 100,000,000,000 runs, at most 10,000,000 are allowed"},
      {"{" + kObjective + "runs: 1, iterations: 1000000000000000, repeats: 9}",
       "the study makes 9,000,000,000,000,000 evaluations, at most 1,000,000,000,000,000 are "
       "allowed"},
      {"{" + kObjective + "runs: 1000000, iterations: 1000000000000000}",
       "iterations: 1,000,000 runs x 1,000,000,000,000,000 iterations are more than the "
       "1,000,000,000,000,000 evaluations allowed"},
      {"{" + kObjective + "record: all}",
       "record: is 'all'; allowed: auto, evaluations, runs or none"},
      {"{" + kObjective + "parallel_evaluations: 0}",
       "parallel_evaluations: is '0', a whole number from 1 to 1024 is allowed"},
      {"{" + kObjective + "fail: stop}",
       "fail: is 'stop', abort, skip or {value: number} is allowed"},
      {"{" + kObjective + "fail: 5}", "fail: is '5', abort, skip or {value: number} is allowed"},
      {"{" + kObjective + "fail: [skip]}",
       "fail: is a list, abort, skip or {value: number} is allowed"},
      {"{" + kObjective + "fail: {}}", "fail: is a map, abort, skip or {value: number} is allowed"},
      {"{" + kObjective + "fail: {value: .nan}}", "fail.value: is '.nan', a "},
      {"{" + kObjective + "fail: {vlaue: 1}}",
       "fail.vlaue: unknown key, did you mean 'value'?; allowed: value"},
      {"{objective: hartmann6, budget: {costs: 60}}",
       "budget.costs: unknown key, did you mean 'cost'?; allowed: cost, evaluations and "
       "cost_exponent"},
      {"{objective: hartmann6, budget: {evaluations: 60}}",
       "budget.cost: is missing, a number above 0"},
      {"{" + kObjective + "fail: {value: 1, rate: 2}}", "fail.rate: unknown key"},
      {"{" + kObjective + "fail: {value: -1e200}}",
       "fail.value: is '-1e200', a number from -1e+100 to 1e+100 is allowed"},
      {"{" + kObjective + "fail: {value: .inf}}",
       "fail.value: is '.inf', a number from -1e+100 to 1e+100 is allowed"},
      {"{objective: {command: [a, '{x}']}, space: {x: [1, 2]}, budget: 20, goals: {a: maximise, "
       "b: {direction: minimise, scale: log, at_most: -1}}}",
       "goals.b.at_most: is -1, a number above 0 is allowed (scale: log)"},
      {"{objective: {match: {game: simulated}}, budget: 300, fail: {value: 0}}",
       "fail: gives failed matches a value, though either player may be at fault; allowed: abort, "
       "skip"},
      {"{objective: {command: [a, '{x}'], payoffs: [0, 10]}, space: {x: [1, 2]}, budget: 30, "
       "fail: {value: -1}}",
       "fail.value: the value is -1, outside of payoffs: [0, 10]"},
      {"{objective: {command: [a, '{x}'], payoffs: [0, 1], two_valued: true}, space: {x: [1, 2]}, "
       "budget: 30, fail: {value: 0.5}}",
       "fail.value: the value is 0.5, neither 0 nor 1, as two_valued says"},
      {"{objective: {command: [a, '{x}'], result: letters}, space: {x: [1, 2]}, budget: 30, "
       "fail: {value: -1}}",
       "fail.value: the value is -1, outside of payoffs: [0, 1]"},
      {"{objective: {command: [a, '{x}'], result: time}, space: {x: [1, 2]}, budget: 30, "
       "fail: {value: -1}}",
       "fail.value: the value is -1, a time of at least 0 is allowed"},
      {"{objective: {ask_tell: a, payoffs: [0, 1]}, space: {x: [1, 2]}, budget: 30, "
       "fail: {value: 2}}",
       "fail.value: the value is 2, outside of payoffs: [0, 1]"},
      {"{" + kObjective + "max_failure_rate: 1.5}",
       "max_failure_rate: is '1.5', a number from 0 to 1 is allowed"},
      {"{" + kObjective + "published: none.csv}", "published: the file 'none.csv' does not exist"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.yaml);
    CHECK_THAT(yaml_error(c.yaml), StartsWith("study.yaml:1: " + c.error));
  }
}

TEST_CASE("a program that gives the objective gives its space too") {
  const auto objective = test::coins({0.5, 0.6});
  const auto error = [&](const std::string& yaml) {
    return test::input_error([&] { study_of(yaml, objective); });
  };
  CHECK(error("objective: hartmann3") ==
        "study.yaml:1: objective: the program gives the objective, none is allowed here");
  CHECK(error("objectives: [hartmann3]") ==
        "study.yaml:1: objectives: the program gives the objective, none is allowed here");
  CHECK(error("space: {arm: 0}") ==
        "study.yaml:1: space: the program gives the space with the objective");
  const Study study = study_of("runs: 3", objective);
  CHECK(study.objectives[0].objective == objective);
  CHECK(study.config["objective"].dump() == R"({"program":"arms"})");
}

TEST_CASE("the configuration of a result holds every default") {
  const Json config = study_of("{objective: hartmann3, optimiser: ntbea}").config;
  CHECK(config["objective"].dump() == R"({"function":"hartmann3","noise":"win_loss"})");
  CHECK(config["space"].size() == 3);
  CHECK(config["optimiser"]["algorithm"] == "ntbea");
  CHECK(config["optimiser"]["neighbours"] == 50);
  CHECK(config["runs"] == 10);
  CHECK(config["iterations"].dump() == "1000");
  CHECK(config["hold_out"].dump() == "1000");
  CHECK(config["re_evaluation"].dump() ==
        R"({"method":"sequential_halving","evaluations":2500,"share":0.2,)"
        R"("common_random_numbers":true,"capping":true})");
  CHECK(config["seed"] == 1);
  CHECK(config["record"] == "runs");
  CHECK(config["fail"] == "abort");
  CHECK(config["max_failure_rate"] == 0.99);
  CHECK(config["parallel_evaluations"] == 1);
  CHECK_FALSE(config.contains("threads"));
}

TEST_CASE("the configuration of a result reads to an equal study") {
  for (const std::string& yaml : shapes()) {
    CAPTURE(yaml);
    const Study study = study_of(yaml);
    CAPTURE(study.config.dump());
    Study again;
    REQUIRE_NOTHROW(again = study_of(study.config.dump()));
    CHECK(again.config.dump() == study.config.dump());
    CHECK(plan_text(again) == plan_text(study));
    CHECK(labels_of(again) == labels_of(study));
    CHECK((test::full_outputs(again) == test::full_outputs(study)));
  }
}

TEST_CASE("without an optimiser a study takes auto, and says what that is for its runs") {
  const auto text = [](const std::string& yaml) { return plan_text(study_of(yaml)); };
  CHECK_THAT(text("{objective: hartmann3, iterations: 300}"),
             ContainsSubstring("auto (gaussian_process): 10 x 300"));
  CHECK_THAT(text("{objective: hartmann3, iterations: 1000}"),
             ContainsSubstring("auto (pooled_starts of gaussian_process): 10 x 1,000"));
  CHECK_THAT(text("{objective: hartmann3, iterations: 6000}"),
             ContainsSubstring("auto (pooled_starts of gaussian_process): 10 x 6,000"));
  CHECK_THAT(text("{objective: {function: hartmann6, noise: none}, iterations: 3000, runs: 5}"),
             ContainsSubstring("auto (multi_start of gaussian_process): 5 x 3,000"));
  CHECK_THAT(
      text("{objective: hartmann3, iterations: [300, 20000], runs: 5}"),
      ContainsSubstring("auto (gaussian_process or pooled_starts of gaussian_process): 5 x"));
  // It divides its budget by itself.
  for (const char* optimiser : {"", ", optimiser: auto", ", optimisers: [auto]"}) {
    CHECK_THAT(
        text(fmt::format("{{objective: hartmann3, budget: 30000, split: auto{}}}", optimiser)),
        ContainsSubstring(
            "\nauto (pooled_starts of gaussian_process): 1 x 27,000 + 3,000 hold-out; 30,000"));
  }
  CHECK_THAT(text("{objective: {match: {game: simulated}}, budget: 30000}"),
             ContainsSubstring("\nauto (duels): 1 x 27,000 + 3,000 hold-out; 30,000"));
  CHECK_THAT(text("{objective: hartmann3, budget: 3000, split: auto, optimisers: [auto, ntbea]}"),
             ContainsSubstring("\nauto and ntbea: runs and iterations chosen at the start"));
  CHECK_THAT(text("{objective: hartmann6, budget: 3000, split: adaptive}"),
             ContainsSubstring("\nauto (gaussian_process): adaptive"));
}

TEST_CASE("the configuration of a study with split: auto reads to an equal study") {
  for (const char* rest : {"900, optimiser: random", "900", "6000"}) {
    CAPTURE(rest);
    const Study study =
        study_of(fmt::format("{{objective: hartmann3, split: auto, budget: {}}}", rest));
    const Study again = study_of(study.config.dump());
    CHECK(again.advise_budget == study.advise_budget);
    CHECK(again.config.dump() == study.config.dump());
    CHECK(again.plans[0].label() == study.plans[0].label());
    CHECK(again.plans[0].hold_out == study.plans[0].hold_out);
  }
}

TEST_CASE("a budget alone is divided as split: auto divides it, to the last evaluation") {
  for (const char* rest :
       {"300", "200", "7", "1000", "5000", "6000", "300, optimiser: ntbea", "300, optimiser: tpe",
        "12000, optimiser: gaussian_process", "300, repeats: 2, optimisers: [auto, tpe]",
        "300, hold_out: 50", "300, re_evaluation: none"}) {
    CAPTURE(rest);
    const Study alone = study_of(fmt::format("{{objective: hartmann3, budget: {}}}", rest));
    const Study worded =
        study_of(fmt::format("{{objective: hartmann3, split: auto, budget: {}}}", rest));
    CHECK(alone.advise_budget == worded.advise_budget);
    REQUIRE(alone.plans.size() == 1);
    CHECK(alone.plans[0].label() == worded.plans[0].label());
    CHECK(alone.plans[0].hold_out == worded.plans[0].hold_out);
    const Study again = study_of(alone.config.dump());
    CHECK(again.config.dump() == alone.config.dump());
    CHECK(again.plans[0].label() == alone.plans[0].label());
    CHECK(again.advise_budget == alone.advise_budget);
  }
  CHECK(study_of("{objective: hartmann3, budget: 300}").plans[0].runs == 1);
  CHECK(study_of("{objective: hartmann3, budget: 300}").plans[0].iterations == 270);
  CHECK(study_of("{objective: hartmann3, budget: 12000, optimiser: tpe}").plans[0].runs == 3);
  CHECK(study_of("{objective: hartmann3, budget: 12000}").plans[0].runs == 1);
  CHECK(study_of("{objective: hartmann3, budget: 300, optimiser: ntbea}").advise_budget == 300);
  // Runs are what a comparison counts, and what a stated number of iterations is made of.
  CHECK(
      study_of("{objective: hartmann3, budget: 300, optimisers: [ntbea, random]}").plans[0].runs ==
      10);
  CHECK(study_of("{objective: hartmann3, budget: 1000, iterations: 100}").plans[0].runs == 7);
  for (const char* plan : {"budget: 300", "budget: 300, runs: 10", "budget: 301, iterations: 50",
                           "budget: 5000", "budget: 500, split: adaptive"}) {
    CAPTURE(plan);
    const Study study = study_of(fmt::format("{{objective: hartmann3, {}}}", plan));
    std::string text = plan;
    CHECK(total_evaluations(study) == std::stoi(text.substr(text.find(' '))));
  }
}

TEST_CASE("the plan of a study adds up") {
  const auto text = [](const std::string& yaml) { return plan_text(study_of(yaml)); };
  CHECK_THAT(text("{objective: hartmann3, budget: 280, runs: 10, optimiser: ntbea}"),
             ContainsSubstring("\nntbea: 10 x 20 + 50 + 30 hold-out; 280 evaluations in all"));
  CHECK_THAT(text("{objective: hartmann3, iterations: 100, runs: 3, hold_out: 20, optimisers: "
                  "[ntbea, random]}"),
             ContainsSubstring("\nntbea and random: 3 x 100 + 3 x 20 hold-out, for each of 2 "
                               "optimisers; 720 evaluations in all"));
  CHECK_THAT(text("{objectives: [hartmann3, branin], iterations: 100, runs: 1, repeats: 5, "
                  "optimisers: [ntbea, random]}"),
             ContainsSubstring("1 x 100, for each of 2 optimisers and each of 2 objectives, 5 "
                               "times; 2,000 evaluations in all"));
}

TEST_CASE("what a study says of failures, evaluations in flight and its journal") {
  const Study plain = study_of("objective: hartmann3");
  CHECK(plain.execution.on_failure.kind == FailurePolicy::Kind::kAbort);
  CHECK(plain.execution.on_failure.max_rate == 0.99);
  CHECK(plain.execution.parallel_evaluations == 1);
  CHECK(plain.execution.record == Recording::kRuns);
  const Study study = study_of(
      "{objective: hartmann3, fail: {value: -2.5}, max_failure_rate: 0.1, parallel_evaluations: 7, "
      "record: evaluations}");
  CHECK(study.execution.on_failure.kind == FailurePolicy::Kind::kValue);
  CHECK(study.execution.on_failure.value == -2.5);
  CHECK(study.execution.on_failure.max_rate == 0.1);
  CHECK(study.execution.parallel_evaluations == 7);
  CHECK(study.execution.record == Recording::kEvaluations);
  CHECK(study.config["fail"].dump() == R"({"value":-2.5})");
  CHECK(study_of("{objective: hartmann3, fail: skip}").execution.on_failure.kind ==
        FailurePolicy::Kind::kSkip);
  CHECK(study_of("{objective: hartmann3, record: none}").execution.record == Recording::kNone);
  CHECK(study_of("{objective: hartmann3, record: none}").config["record"] == "none");
  CHECK(study_of("{objective: hartmann3, record: auto}").execution.record == Recording::kRuns);
}

TEST_CASE("small budgets leave split: auto its choice") {
  CHECK(
      study_of("{objective: hartmann3, budget: 5, split: auto, optimiser: ntbea}").advise_budget ==
      5);
}

TEST_CASE("threads are no part of the configuration") {
  CHECK(study_of("{objective: hartmann3, threads: 3}").execution.threads == 3);
  CHECK(study_of("{objective: hartmann3, threads: 3}").config ==
        study_of("{objective: hartmann3}").config);
}

TEST_CASE("published results and spaces are found beside the study file") {
  const test::TemporaryFolder folder;
  const std::string csv = folder.file("results.csv", "x\n");
  (void)folder.file("space.yaml", "x1: [0.5]\n");
  const std::string path = folder.file(
      "study.yaml", "{objective: hartmann3, published: results.csv, space: space.yaml}");
  const Study study = read_study(read_yaml(path));
  CHECK(study.published_file == csv);
  CHECK(study.config["published"] == "results.csv");
  CHECK(study.config["space"]["x1"].dump() == "[0.5]");
}

TEST_CASE("a plan notes what the command never gets") {
  const auto plan = [](const std::string& command, const std::string& more = "") {
    return plan_text(study_of("{objective: {command: [" + command +
                              "]}, space: {a: [1, 2], zeta: [1, 2]}, budget: 20" + more + "}"));
  };
  const std::string never = "note: the command is not passed zeta: all its values are alike\n";
  CHECK_THAT(plan("echo, '{a}'"), ContainsSubstring(never));
  CHECK_THAT(plan("echo, '{a}', '{zeta}'"), !ContainsSubstring("note: "));
  CHECK_THAT(plan("echo, '{params:gnu}'"), !ContainsSubstring("note: "));
  const std::string unseen = "note: the command has no {instance}: ";
  const std::string instances = ", instances: [u, v]";
  CHECK_THAT(plan("echo, '{params:gnu}'", instances), ContainsSubstring(unseen));
  CHECK_THAT(plan("echo, '{params:gnu}', '{instance}'", instances), !ContainsSubstring("note: "));
  CHECK_THAT(plan("sh, -c, 'echo $1 $NTUNE_INSTANCE', sh, '{params:gnu}'", instances),
             !ContainsSubstring("note: "));
}

TEST_CASE("a default goes with one objective") {
  const std::string two = "objectives: [branin, goldstein_price], iterations: 5";
  CHECK_THAT(yaml_error("{" + two + ", default: {x1: 0, x2: 0}}"),
             StartsWith("study.yaml:1: default: goes with one objective, there are several"));
  CHECK_FALSE(study_of("{" + two + "}").beginning.incumbent);
}

}  // namespace ntune
