// Options of the optimisers: read, written back, labelled, refused.

#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/optim/auto_choice.h"
#include "ntune/optim/models/explorations.h"
#include "ntune/optim/models/weightings.h"
#include "ntune/optim/ntbea/recommendations.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_plan;
using test::names_of;
using test::run;
using test::yaml_space;

namespace {

SearchSpace three_parameters() {
  return yaml_space("{depth: [1, 2, 3], width: [0.1, 0.2], 'mode': [fast, slow]}");
}

std::string error_of(const std::string& optimiser, const SearchSpace& space) {
  try {
    make_plan(optimiser, space);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("defaults of every optimiser are written back") {
  const SearchSpace space = three_parameters();
  CHECK(make_plan("ntbea", space).options == Json::parse(R"({
      "algorithm": "ntbea", "label": "ntbea", "preset": "none", "tuples": [1, 2, "all"],
      "weighting": "none", "T": 15.0, "exploration": "ucb1", "epsilon": 0.5, "k": "auto",
      "unseen": "mean", "neighbours": 50, "mutation_rate": "auto", "different": true, "cap": false,
      "recommend": "mean", "capping": true})"));
  CHECK(make_plan("random", space).options ==
        Json::parse(R"({"algorithm": "random", "label": "random", "resamples": 5})"));
  CHECK(make_plan("rmhc", space).options == Json::parse(R"({
      "algorithm": "rmhc", "label": "rmhc", "resamples": 5, "mutation_rate": "auto"})"));
  CHECK(make_plan("grid", space).options ==
        Json::parse(R"({"algorithm": "grid", "label": "grid", "repeats": 1})"));
  CHECK(make_plan("{}", space).options == make_plan("ntbea", space).options);
  CHECK(make_plan("{k: 2}", space).options == make_plan("{algorithm: ntbea, k: 2}", space).options);
  for (const OptimiserEntry& entry : optimiser_table()) {
    CAPTURE(entry.name);
    CHECK(make_plan(entry.name, space).label == entry.name);
    CHECK(make_plan("{algorithm: " + entry.name + "}", space).options ==
          make_plan(entry.name, space).options);
  }
}

TEST_CASE("auto is one search below 1,000 evaluations, then pooled starts") {
  const SearchSpace ordered = grid_space({50, 50, 10});
  const SearchSpace small = grid_space({20, 20});
  const auto payoff = [&](const Point& point, Rng& rng) { return point[0] + rng.normal(); };
  struct Case {
    const SearchSpace* space;
    std::int64_t budget;
    bool noisy;
    std::string name;
  };
  const std::string one_search = "gaussian_process";
  const std::string pooled = "pooled_starts of gaussian_process";
  const std::string several = "multi_start of gaussian_process";
  const std::string many = "multi_start of ntbea";
  for (const Case& one :
       {Case{&ordered, 999, true, one_search}, Case{&ordered, 1000, true, pooled},
        Case{&ordered, 5001, true, pooled}, Case{&ordered, 1'000'000, true, pooled},
        Case{&small, 5001, true, pooled}, Case{&ordered, 999, false, one_search},
        Case{&ordered, 2000, false, pooled}, Case{&ordered, 2001, false, several},
        Case{&ordered, 5000, false, several}, Case{&ordered, 5001, false, many},
        Case{&small, 5000, false, pooled}, Case{&small, 5001, false, many}}) {
    const AutoChoice choice = auto_choice(*one.space, one.budget, one.noisy);
    CHECK(choice.name == one.name);
    OptimiserContext context = test::make_context(*one.space, one.budget);
    context.noisy = one.noisy;
    const auto chosen = make_plan("auto", *one.space).make(context);
    const auto plain = make_plan(choice.settings, *one.space).make(context);
    CHECK(run(*chosen, 40, 1, payoff).points == run(*plain, 40, 1, payoff).points);
  }
  CHECK(auto_choice(ordered, 3000, true, true).name == "gaussian_process");
  CHECK(auto_choice(ordered, 20'000, true, true).name == "gaussian_process");
  CHECK(auto_choice(ordered, 20'000, false, true).name == "ntbea");
}

TEST_CASE("auto hands a k to the Gaussian processes that it stands for") {
  const SearchSpace space = grid_space({20, 20, 10});
  const auto payoff = [](const Point& point, Rng& rng) { return point[0] + 9.0 * rng.normal(); };
  for (const std::int64_t budget : {60, 1000}) {
    const auto points = [&](const std::string& optimiser) {
      const auto plan = make_plan(optimiser, space);
      return run(*plan.make(test::make_context(space, budget)), 60, 1, payoff).points;
    };
    const std::string process = "{algorithm: gaussian_process, k: 0.5}";
    const std::string same =
        budget < 1000 ? process : "{algorithm: pooled_starts, optimiser: " + process + "}";
    CHECK(points("{algorithm: auto, k: 0.5}") == points(same));
    CHECK(points("{algorithm: auto, k: 0.5}") != points("auto"));
  }
}

TEST_CASE("auto is the same in all searches of a run, and none of them starts several") {
  const SearchSpace space = grid_space({20, 20, 10});
  const auto payoff = [&](const Point& point, Rng& rng) { return point[0] + rng.normal(); };
  const auto points = [&](const std::string& inner) {
    const auto optimiser = make_plan("{algorithm: multi_start, optimiser: " + inner + "}", space)
                               .make(test::make_context(space, 2500));
    return run(*optimiser, 400, 1, payoff).points;
  };
  CHECK(points("auto") == points("gaussian_process"));
}

TEST_CASE("every option of ntbea is read") {
  const Json options = make_plan(
                           "\n"
                           "  algorithm: ntbea\n"
                           "  label: mine\n"
                           "  tuples: [2, 1, [mode, depth], all, [width]]\n"
                           "  weighting: inverse_root\n"
                           "  T: 7.5\n"
                           "  exploration: ratio\n"
                           "  epsilon: 0.25\n"
                           "  k: 3\n"
                           "  unseen: zero\n"
                           "  neighbours: 12\n"
                           "  mutation_rate: 0.4\n"
                           "  different: false\n"
                           "  cap: true\n"
                           "  recommend: best_lower_bound\n"
                           "  capping: false\n",
                           three_parameters())
                           .options;
  CHECK(options == Json::parse(R"({
      "algorithm": "ntbea", "label": "mine", "preset": "none",
      "tuples": [2, 1, "all", ["depth", "mode"], ["width"]],
      "weighting": "inverse_root", "T": 7.5, "exploration": "ratio", "epsilon": 0.25, "k": 3.0,
      "unseen": "zero", "neighbours": 12, "mutation_rate": 0.4, "different": false, "cap": true,
      "recommend": "best_lower_bound", "capping": false})"));
}

TEST_CASE("every option of ntbea changes the course of a run") {
  const SearchSpace space = grid_space({6, 5, 4, 3});
  const auto course = [&](const std::string& options, std::uint64_t seed = 3) {
    const auto trace =
        run("{" + options + "}", space, 150, seed, [&](const Point& point, Rng& rng) {
          return test::height(space, point) + 0.5 * rng.normal();
        });
    auto points = trace.points;
    points.push_back(trace.recommendation.point);
    return points;
  };
  const auto plain = course("");
  std::vector<std::string> others = {
      "preset: paper",  "tuples: [1, 2]",     "tuples: [1, 3, all]", "epsilon: 0.1", "k: 0.3",
      "neighbours: 20", "mutation_rate: 0.5", "different: false",    "unseen: zero"};
  const auto add_table = [&](const std::string& key, const std::vector<std::string>& names) {
    CHECK(course(key + ": " + names.front()) == plain);
    for (std::size_t i = 1; i < names.size(); ++i) others.push_back(key + ": " + names[i]);
  };
  add_table("weighting", names_of(kWeightings));
  add_table("exploration", names_of(kExplorations));
  for (const std::string& options : others) {
    CAPTURE(options);
    CHECK(course(options) != plain);
  }
  CHECK(course("weighting: linear, T: 5") != course("weighting: linear"));
  CHECK(course("T: 5") == plain);  // counts in a weighting alone
  CHECK(course("cap: true, neighbours: 500") != course("neighbours: 500"));
  int recommended_otherwise = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Point most = course("recommend: most_sampled", seed).back();
    recommended_otherwise += most != course("recommend: best_lower_bound", seed).back() ? 1 : 0;
  }
  CHECK(recommended_otherwise > 0);
}

TEST_CASE("options written back read back as themselves") {
  const SearchSpace space = three_parameters();
  for (const char* optimiser :
       {"ntbea", "random", "grid", "rmhc", "{}", "{algorithm: ntbea, preset: paper}",
        "{preset: paper, k: auto, weighting: linear}", "{preset: none, T: 1e-3, epsilon: 1e300}",
        "{tuples: [[width, depth], [mode], 3]}", "{tuples: [all]}", "{k: 0.1, mutation_rate: 0}",
        "{algorithm: random, resamples: 1}", "{algorithm: rmhc, mutation_rate: 1, resamples: 9}",
        "{algorithm: grid, repeats: 1000000000}", "{label: \"a: b, {c} 'd' \\\"e\\\"\"}",
        "{label: '1e3'}", "{label: 'true'}", "{neighbours: 1000000, recommend: most_sampled}"}) {
    CAPTURE(optimiser);
    const OptimiserPlan plan = make_plan(optimiser, space);
    const OptimiserPlan again = make_plan(plan.options.dump(), space);
    CHECK(again.options == plan.options);
    CHECK(again.options.dump() == plan.options.dump());
    CHECK(again.label == plan.label);
    CHECK(plan.options.at("label") == plan.label);
  }
}

TEST_CASE("preset paper is the default with k = 1 and unseen tuples at 0; keys beside it count") {
  const SearchSpace space = three_parameters();
  Json paper = make_plan("ntbea", space).options;
  paper["preset"] = "paper";
  paper["k"] = 1.0;
  paper["unseen"] = "zero";
  paper["label"] = "ntbea preset=paper";
  CHECK(make_plan("{preset: paper}", space).options == paper);
  paper["weighting"] = "inverse";
  paper["label"] = "ntbea preset=paper weighting=inverse";
  CHECK(make_plan("{weighting: inverse, preset: paper}", space).options == paper);
  CHECK(make_plan("{k: 0.5, preset: paper}", space).options.at("k") == 0.5);
  CHECK(make_plan("{k: auto, preset: paper}", space).options.at("k") == "auto");
}

TEST_CASE("labels name what differs from the defaults") {
  const SearchSpace space = three_parameters();
  CHECK(make_plan("{weighting: linear, T: 20}", space).label == "ntbea weighting=linear T=20.0");
  CHECK(make_plan("{tuples: [1, 2], cap: true}", space).label == "ntbea tuples=[1,2] cap=true");
  CHECK(make_plan("{T: 15, weighting: none}", space).label == "ntbea");
  CHECK(make_plan("{algorithm: random, resamples: 3}", space).label == "random resamples=3");
  CHECK(make_plan("{algorithm: rmhc, label: climber}", space).label == "climber");
}

TEST_CASE("schemas describe every option that is written back") {
  const SearchSpace space = three_parameters();
  for (const OptimiserEntry& entry : optimiser_table()) {
    CAPTURE(entry.name);
    const Json schema = entry.schema();
    CHECK(schema.at("additionalProperties") == false);
    const Json options = make_plan(entry.name, space).options;
    CHECK(schema.at("properties").size() == options.size());
    for (const auto& [key, value] : options.items()) {
      CAPTURE(key);
      REQUIRE(schema.at("properties").contains(key));
      const Json& property = schema.at("properties").at(key);
      CHECK_FALSE(property.at("description").get<std::string>().empty());
      if (property.contains("default")) CHECK(property.at("default") == value);
    }
    CHECK_FALSE(entry.summary.empty());
  }
}

TEST_CASE("wrong options are refused with place, value and rule") {
  struct Message {
    std::string optimiser;
    std::string text;
  };
  const std::string names = list_text(names_of(optimiser_table()));
  std::vector<std::string> learners;
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (entry.learns_from_others) learners.push_back(entry.name);
  }
  const std::string parameters = "depth, width or mode";
  const std::string tuple_rule =
      "a size from 1 to 1024, 'all' or a list of parameter names is allowed";
  const std::vector<Message> messages = {
      {"{algorithm: pooled_starts, optimiser: spsa}",
       "study.yaml:1: optimiser.optimiser: 'spsa' learns only from what it asked for; allowed: " +
           list_text(learners)},
      {"ntbae",
       "study.yaml:1: optimiser: 'ntbae' is not an optimiser, did you mean 'ntbea'?; "
       "allowed: " +
           names},
      {"genetic", "study.yaml:1: optimiser: 'genetic' is not an optimiser; allowed: " + names},
      {"\n  algorithm: rmch",
       "study.yaml:2: optimiser.algorithm: 'rmch' is not an optimiser, did you mean 'rmhc'?; "
       "allowed: " +
           names},
      {"[ntbea]",
       "study.yaml:1: optimiser: is a list, the name of an optimiser or a map is allowed"},
      {"{algorithm: [ntbea]}",
       "study.yaml:1: optimiser.algorithm: is a list, the name of an optimiser is allowed"},
      {"\n  neighbors: 20",
       "study.yaml:2: optimiser.neighbors: unknown key, did you mean 'neighbours'?; allowed: "},
      {"{algorithm: random, neighbours: 3}",
       "study.yaml:1: optimiser.neighbours: unknown key; allowed: algorithm, label and resamples"},
      {"{algorithm: grid, resamples: 3}", "optimiser.resamples: unknown key; allowed: "},
      {"{preset: papr}",
       "study.yaml:1: optimiser.preset: is 'papr', did you mean 'paper'?; allowed: none or paper"},
      {"{preset: [paper]}", "study.yaml:1: optimiser.preset: is a list; allowed: none or paper"},
      {"\n  weighting: inverse\n  T: 0",
       "study.yaml:3: optimiser.T: is '0', a number above 0 is allowed"},
      {"{T: -15}", "study.yaml:1: optimiser.T: is '-15', a number above 0 is allowed"},
      {"{T: .inf}", "optimiser.T: is '.inf', a number above 0 is allowed"},
      {"{T: .nan}", "optimiser.T: is '.nan', a number above 0 is allowed"},
      {"{T: many}", "optimiser.T: is 'many', a number above 0 is allowed"},
      {"{epsilon: 0}", "study.yaml:1: optimiser.epsilon: is '0', a number above 0 is allowed"},
      {"{epsilon: -1e-9}", "optimiser.epsilon: is '-1e-9', a number above 0 is allowed"},
      {"{k: -1}", "study.yaml:1: optimiser.k: is '-1', 'auto' or a number at least 0 is allowed"},
      {"{k: automatic}", "optimiser.k: is 'automatic', 'auto' or a number at least 0 is allowed"},
      {"{k: [1]}", "optimiser.k: is a list, 'auto' or a number at least 0 is allowed"},
      {"{neighbours: 0}",
       "study.yaml:1: optimiser.neighbours: is '0', a whole number from 1 to 1000000 is allowed"},
      {"{neighbours: 2.5}", "optimiser.neighbours: is '2.5', a whole number from 1 to 1000000"},
      {"{neighbours: 1000001}", "optimiser.neighbours: is '1000001', a whole number from 1 to"},
      {"{mutation_rate: 1.5}",
       "optimiser.mutation_rate: is '1.5', 'auto' or a number from 0 to 1 is allowed"},
      {"{different: maybe}", "optimiser.different: is 'maybe', true or false is allowed"},
      {"{cap: 3}", "optimiser.cap: is '3', true or false is allowed"},
      {"{weighting: lineal}",
       "optimiser.weighting: is 'lineal', did you mean 'linear'?; allowed: " +
           list_text(names_of(kWeightings))},
      {"{exploration: ucb}", "optimiser.exploration: is 'ucb', did you mean 'ucb1'?; allowed: " +
                                 list_text(names_of(kExplorations))},
      {"{recommend: best}",
       "optimiser.recommend: is 'best'; allowed: " + list_text(names_of(kRecommendationRules))},
      {"{label: [a]}", "optimiser.label: is a list, a text is allowed"},
      {"{algorithm: random, resamples: 0}", "optimiser.resamples: is '0', a whole number"},
      {"{algorithm: rmhc, resamples: -5}", "optimiser.resamples: is '-5', a whole number"},
      {"{algorithm: rmhc, mutation_rate: -0.1}",
       "optimiser.mutation_rate: is '-0.1', 'auto' or a number from 0 to 1 is allowed"},
      {"{algorithm: grid, repeats: 0}", "optimiser.repeats: is '0', a whole number"},

      {"{tuples: []}",
       "study.yaml:1: optimiser.tuples: is a list, a list of sizes, 'all' and lists of parameter "
       "names is allowed"},
      {"{tuples: 2}", "optimiser.tuples: is '2', a list of sizes"},
      {"{tuples: all}", "optimiser.tuples: is 'all', a list of sizes"},
      {"{tuples: {size: 2}}", "optimiser.tuples: is a map, a list of sizes"},
      {"\n  tuples:\n    - 1\n    - 0", "study.yaml:4: optimiser.tuples[2]: is '0', " + tuple_rule},
      {"{tuples: [-1]}", "optimiser.tuples[1]: is '-1', " + tuple_rule},
      {"{tuples: [1, 1025]}", "optimiser.tuples[2]: is '1025', " + tuple_rule},
      {"{tuples: [1.5]}", "optimiser.tuples[1]: is '1.5', " + tuple_rule},
      {"{tuples: [1, depth]}", "optimiser.tuples[2]: is 'depth', " + tuple_rule},
      {"{tuples: [~]}", "optimiser.tuples[1]: is nothing, " + tuple_rule},
      {"{tuples: [{size: 1}]}", "optimiser.tuples[1]: is a map, " + tuple_rule},
      {"{tuples: [1, 2, 1]}", "study.yaml:1: optimiser.tuples[3]: size 1 stands twice"},
      {"{tuples: [all, all]}", "optimiser.tuples[2]: 'all' stands twice"},
      {"{tuples: [[depth, mode], [mode, depth]]}", "optimiser.tuples[2]: this tuple stands twice"},
      {"{tuples: [[depth, depth]]}",
       "optimiser.tuples[1]: a tuple needs one or more different parameter names"},
      {"{tuples: [[]]}",
       "optimiser.tuples[1]: a tuple needs one or more different parameter names"},
      {"{tuples: [1, [depth, widht]]}",
       "study.yaml:1: optimiser.tuples[2][2]: 'widht' is not a parameter of the space, did you "
       "mean 'width'?; allowed: " +
           parameters},
      {"{tuples: [[x]]}",
       "optimiser.tuples[1][1]: 'x' is not a parameter of the space; allowed: " + parameters},
      {"{tuples: [[[depth]]]}",
       "optimiser.tuples[1][1]: a list is not a parameter of the space; allowed: " + parameters}};
  const SearchSpace space = three_parameters();
  for (const auto& [optimiser, text] : messages) {
    CAPTURE(optimiser);
    const std::string error = error_of(optimiser, space);
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring(text));
    CHECK(error.find("study.yaml:") == 0);
    CHECK(error.find('\n') == std::string::npos);
  }
}

TEST_CASE("too many tuples are refused") {
  const SearchSpace space = grid_space(std::vector<int>(64, 2));
  CHECK(error_of("{tuples: [1, 10]}", space) ==
        "study.yaml:1: optimiser.tuples: makes 151,473,214,880 tuples, at most 1,000,000 are "
        "allowed");
  CHECK(error_of("{tuples: [64, all]}", space) == "no error");
  CHECK(error_of("{tuples: [3]}", space) == "no error");
}

}  // namespace ntune
