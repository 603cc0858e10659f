// How a study file asks for plans: `runs:`, `iterations:`, `budget:`, `split:`, `splits:` and
// limits.

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

/// How many evaluations visit every instance as its weight says; 0: there are none.
std::int64_t visits_of_all(const InstanceList& instances) {
  constexpr std::int64_t kMostVisits = 10;  // of the heaviest: then the light ones have to wait
  return std::min(instances.visits_of_all(), kMostVisits * std::ssize(instances.all()));
}

/// Whether a single run's best points are to be compared: programs whose costs differ much, between
/// instances or as they may be cut off. There a point that was met once has a mean of luck. A race
/// compares its points by itself.
bool compares_leaders(const Study& study) {
  const Objective& objective = *study.objectives.front().objective;
  const OutsideProgram* program = objective.outside_program();
  return program != nullptr && objective.unit().is_cost() && study.learn_from_penalties &&
         (study.instances.train.size() > 1 || program->penalty()) &&
         study.optimisers.front().algorithm() != "racing";
}

/// What the file says for all plans alike. `comparison`: the study has several cells or repeats.
PlanRequest common_request(const StudyYaml& keys, const ReEvaluationYaml& re_evaluation,
                           const Study& study, SampleUnit unit, bool comparison) {
  PlanRequest request;
  request.runs = keys.runs;
  request.budget = given_value(keys.budget);
  request.hold_out = given_value(keys.hold_out);
  request.re_evaluation = given_value(re_evaluation.evaluations);
  request.share = re_evaluation.share;
  request.noisy = std::ranges::any_of(study.objectives, [](const StudyObjective& objective) {
    return objective.objective->payoffs().noisy;
  });
  // Runs are compared to pick one: in a table that counts runs each stands for itself.
  request.compares_runs =
      re_evaluation.values.method != ReEvaluationMethod::kNone && unit == SampleUnit::kPicks;
  request.holds_out_runs = unit == SampleUnit::kRuns;
  request.holds_out_incumbent = study.holds_out_incumbent() && !comparison;
  request.held_out_instances = visits_of_all(study.instances.held_out());
  request.compares_leaders = !comparison && request.noisy && compares_leaders(study);
  // A hold-out tells nothing where true values are known, and no more than once without noise.
  if (comparison && study.true_values_known()) {
    request.auto_hold_out = PlanRequest::AutoHoldOut::kNone;
  } else if (!request.noisy) {
    request.auto_hold_out = PlanRequest::AutoHoldOut::kOne;
  }
  return request;
}

/// One run, and a hold-out that the settings of the front share: a third of the budget where they
/// are noisy, one evaluation each where they are not.
void plan_front(const StudyYaml& keys, PlanRequest& request) {
  constexpr std::int64_t kMostExact = 13;
  request.runs = 1;
  request.compares_runs = false;
  request.compares_leaders = false;
  if (request.hold_out) return;
  std::int64_t noisy = request.budget.value_or(0) / 3;
  const std::int64_t iterations =
      keys.iterations == nullptr ? 0 : keys.iterations->integer().value_or(0);
  if (iterations > 0) noisy = request.budget ? *request.budget - iterations : iterations / 2;
  const std::int64_t exact = std::min(kMostExact, noisy);
  request.hold_out = std::max<std::int64_t>(1, request.noisy ? noisy : exact);
}

/// The nodes that ask for one plan each; none where the file leaves the one plan to the rest.
std::vector<const YamlNode*> plan_nodes(const StudyYaml& keys) {
  if (keys.splits != nullptr) return elements_of(*keys.splits, "splits");
  if (keys.iterations == nullptr) return {};
  if (keys.iterations->is_list()) return elements_of(*keys.iterations, "numbers");
  return {keys.iterations};
}

/// Evaluations that compare several runs are asked for, but there is one.
void refuse_lone_comparison(const StudyYaml& keys, const StudyPlans& read,
                            const PlanRequest& request) {
  const bool lone = !keys.runs_given && read.advise_budget == 0 && read.plans.size() == 1 &&
                    read.plans.front().runs == 1 && !request.compares_leaders;
  if (!lone || keys.re_evaluation == nullptr || request.re_evaluation.value_or(0) == 0) return;
  keys.re_evaluation->fail(
      "compares the recommendations of several runs, but there is one run; `runs` says how many");
}

/// A number of evaluations, at least 1.
std::int64_t read_count(const YamlNode& node) {
  const auto value = node.integer();
  if (!value || *value < 1 || *value > kMostEvaluations) {
    node.fail(fmt::format("is {}, a whole number of at least 1 is allowed", node.describe()));
  }
  return *value;
}

/// One plan for each number of iterations, or one where none is given.
StudyPlans read_iterations(const std::vector<const YamlNode*>& numbers, const YamlNode& root,
                           PlanRequest request) {
  if (numbers.empty()) return {.plans = {make_plan(request, root)}};
  StudyPlans read;
  for (const YamlNode* node : numbers) {
    request.iterations = read_count(*node);
    read.plans.push_back(make_plan(request, *node));
  }
  return read;
}

/// A number of "10 x 2,000": spaces and thousands commas where the user likes them.
std::optional<std::int64_t> read_factor(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == ','; });
  std::int64_t value = 0;
  if (!read_number(text, value) || value < 1 || value > kMostEvaluations) return std::nullopt;
  return value;
}

/// "10 x 2000".
SplitYaml read_product(const YamlNode& node) {
  const std::size_t cross = node.text().find('x');
  const bool is_product = node.is_scalar() && cross != std::string::npos;
  const auto runs = is_product ? read_factor(node.text().substr(0, cross)) : std::nullopt;
  const auto iterations = is_product ? read_factor(node.text().substr(cross + 1)) : std::nullopt;
  if (!runs || !iterations) {
    node.fail(fmt::format("is {}, 'runs x iterations' such as '10 x 2000' or 'adaptive' is allowed",
                          node.describe()));
  }
  SplitYaml split;
  split.runs = *runs;
  split.iterations = {.automatic = false, .value = *iterations};
  return split;
}

/// One search that divides its iterations into starts and their comparison by itself.
RunPlan adaptive_plan(const YamlNode& node, PlanRequest request) {
  if (!request.budget) node.fail("needs a `budget`");
  if (request.re_evaluation) {
    node.fail("decides on the re-evaluation itself, none may be asked for");
  }
  request.runs = 1;
  request.compares_runs = false;
  RunPlan plan = make_plan(request, node);
  plan.adaptive = true;
  return plan;
}

/// The plan that `split: auto` makes of a budget. Optimisers that take a single run get one, or
/// several where one would be too long. For others a simulation will choose.
StudyPlans divide_budget(const YamlNode& node, PlanRequest request, const Study& study) {
  StudyPlans read;
  // An optimiser that gains by one long run gets it, up to its own limit of length.
  bool simulates = false;
  std::int64_t longest = *request.budget;
  for (const StudyOptimiser& optimiser : study.optimisers) {
    const std::optional<std::int64_t> most = longest_single_run(optimiser.algorithm());
    simulates = simulates || !most;
    longest = std::min(longest, most.value_or(longest));
  }
  if (simulates) {
    read.advise_budget = *request.budget;
    read.split = "auto";
  }
  request.runs = 1 + (simulates ? 0 : (*request.budget - 1) / longest);
  read.plans.push_back(make_plan(request, node));
  return read;
}

/// `split: auto` or `split: adaptive`.
StudyPlans read_split_word(const YamlNode& node, const PlanRequest& request, const Study& study) {
  const std::string& word = node.text();
  if (word != "auto" && word != "adaptive") {
    node.fail(fmt::format("is {}, 'auto' or 'adaptive' is allowed (or `splits:` for a list)",
                          node.describe()));
  }
  if (word == "adaptive") return {.plans = {adaptive_plan(node, request)}, .split = word};
  if (!request.budget) node.fail("needs a `budget`");
  StudyPlans read = divide_budget(node, request, study);
  read.split = word;
  return read;
}

/// The entries of `splits:`.
StudyPlans read_splits(const std::vector<const YamlNode*>& entries, const PlanRequest& common) {
  StudyPlans read;
  for (const YamlNode* node : entries) {
    // Each entry is a plan of its own, with the budget of the study.
    if (node->is_scalar() && node->text() == "adaptive") {
      read.plans.push_back(adaptive_plan(*node, common));
      read.splits.push_back("adaptive");
      continue;
    }
    const SplitYaml split = node->is_map() ? read_options(*node, SplitYaml()) : read_product(*node);
    PlanRequest request = common;
    request.uses_all = false;
    request.runs = split.runs;
    request.iterations = given_value(split.iterations);
    if (!split.re_evaluation.automatic) request.re_evaluation = given_value(split.re_evaluation);
    read.plans.push_back(make_plan(request, *node));
    read.splits.push_back(options_json(split));
  }
  return read;
}

/// The plan of a study with limits, `time:` or `budget: {cost: …}`: one cell, whose runs end when
/// their part is used up. `comparison`: the study has several cells or repeats, which is refused.
StudyPlans read_limited(const YamlNode& root, const StudyYaml& keys, PlanRequest request,
                        bool comparison) {
  const YamlNode& place = keys.time ? *root.find("time") : *keys.budget_node;
  if (comparison) {
    place.fail("is of a study with one recommendation; a comparison says its `iterations`");
  }
  for (const YamlNode* split : {keys.split, keys.splits}) {
    if (split != nullptr) {
      split->fail(fmt::format("stands beside a limit of {}, which leaves `runs` alone to say",
                              keys.time ? "time" : "cost"));
    }
  }
  // One run uses up the limit, unless the file wants several.
  if (!keys.runs_given) request.runs = 1;
  request.fits_runs = false;
  StudyPlans read;
  LimitedPlan limited{
      .request = request, .whole = {}, .open = !request.budget && keys.iterations == nullptr};
  if (limited.open) {
    read.plans.push_back({.runs = request.runs,
                          .iterations = kOpenIterations,
                          .re_evaluation = request.re_evaluation.value_or(0),
                          .hold_out = request.hold_out.value_or(
                              request.auto_hold_out == PlanRequest::AutoHoldOut::kNone ? 0 : 1)});
  } else {
    if (keys.iterations != nullptr) request.iterations = read_count(*keys.iterations);
    const RunPlan plan = make_plan(request, root);
    // As the study is written back, in numbers.
    limited.request.hold_out = plan.hold_out;
    limited.request.re_evaluation = plan.re_evaluation;
    limited.request.budget = {};
    read.plans.push_back(plan);
  }
  // What the file asks for at most stays beside what the limit leaves of it.
  limited.whole = read.plans.front();
  read.limited = limited;
  return read;
}

}  // namespace

/// A word, a number of evaluations, or a map.
ReEvaluationYaml read_re_evaluation(const YamlNode* node) {
  ReEvaluationYaml re_evaluation;
  if (node == nullptr) return re_evaluation;
  if (node->is_scalar() && node->text() == "none") {
    re_evaluation.values.method = ReEvaluationMethod::kNone;
  } else if (const auto count = node->integer(); count && *count >= 0) {
    re_evaluation.evaluations = {.automatic = false, .value = *count};
  } else if (node->is_map()) {
    re_evaluation = read_options(*node, ReEvaluationYaml());
  } else {
    node->fail(fmt::format("is {}, a map, a number of evaluations or 'none' is allowed",
                           node->describe()));
  }
  return re_evaluation;
}

StudyPlans read_plans(const YamlNode& root, const StudyYaml& keys,
                      const ReEvaluationYaml& re_evaluation, const Study& study) {
  refuse_both(keys.split, keys.splits);
  const YamlNode* splits = keys.splits != nullptr ? keys.splits : keys.split;
  refuse_both(splits, root.find("runs"));
  refuse_both(splits, keys.iterations);
  // How many cells there are decides what is counted: single runs, or what a repeat picks.
  const std::vector<const YamlNode*> nodes = plan_nodes(keys);
  const std::size_t plans = std::max<std::size_t>(1, nodes.size());
  const bool several_cells = plans * study.objectives.size() * study.optimisers.size() > 1;
  const bool counts_runs = several_cells && splits == nullptr && study.repeats == 1;
  if (counts_runs && keys.re_evaluation != nullptr &&
      re_evaluation.values.method != ReEvaluationMethod::kNone) {
    keys.re_evaluation->fail(
        "a comparison counts single runs unless `repeats` is above 1, and "
        "then there is nothing to re-evaluate; set `repeats` or 'none'");
  }
  const SampleUnit unit = counts_runs ? SampleUnit::kRuns : SampleUnit::kPicks;
  PlanRequest request =
      common_request(keys, re_evaluation, study, unit, several_cells || study.repeats > 1);
  if (given_value(keys.budget)) {
    request.budget_place = root.find("budget");
    request.hold_out_place = root.find("hold_out");
  }
  const bool has_goals = !study.objectives.front().objective->goals().empty();
  if (has_goals) plan_front(keys, request);
  // Limits go first; then words and lists; a budget alone is divided as by `split: auto`.
  StudyPlans read;
  if (keys.time || keys.cost) {
    read = read_limited(root, keys, request, several_cells || study.repeats > 1);
  } else if (keys.split != nullptr) {
    read = read_split_word(*keys.split, request, study);
  } else if (keys.splits != nullptr) {
    read = read_splits(nodes, request);
  } else if (given_value(keys.budget) && !keys.runs_given && keys.iterations == nullptr &&
             !counts_runs) {
    read = divide_budget(root, request, study);
  } else {
    request.fits_runs = !keys.runs_given && !counts_runs && nodes.size() == 1 && !has_goals;
    read = read_iterations(nodes, root, request);
  }
  refuse_lone_comparison(keys, read, request);
  read.unit = unit;
  return read;
}

}  // namespace ntune
