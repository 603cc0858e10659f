#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "ntune/core/option_reader.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/keys/plan_requests.h"

namespace ntune {

namespace {

/// How many evaluations visit every instance as its weight says; 0: there are none.
std::int64_t visits_of_all(const InstanceList& instances) {
  constexpr std::int64_t kMostVisits = 10;  // of the heaviest: then the light ones have to wait
  double sum = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const Instance& instance : instances.all()) {
    sum += instance.weight;
    least = std::min(least, instance.weight);
  }
  if (instances.empty()) return 0;
  const auto most = kMostVisits * static_cast<std::int64_t>(instances.size());
  const double visits = std::ceil(sum / least - 1e-9);
  return visits < static_cast<double>(most) ? static_cast<std::int64_t>(visits) : most;
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
  request.compares_runs =
      re_evaluation.values.method != ReEvaluationMethod::kNone && unit == SampleUnit::kPicks;
  request.holds_out_runs = unit == SampleUnit::kRuns;
  request.holds_out_incumbent = study.holds_out_incumbent() && !comparison;
  request.held_out_instances = visits_of_all(study.instances.held_out());
  request.compares_leaders = !comparison && request.noisy && compares_leaders(study);
  if (comparison && study.true_values_known()) {
    request.auto_hold_out = PlanRequest::AutoHoldOut::kNone;
  } else if (!request.noisy) {
    request.auto_hold_out = PlanRequest::AutoHoldOut::kOne;
  }
  return request;
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

}  // namespace

std::int64_t read_count(const YamlNode& node) {
  const auto value = node.integer();
  if (!value || *value < 1 || *value > kMostEvaluations) {
    node.fail(fmt::format("is {}, a whole number of at least 1 is allowed", node.describe()));
  }
  return *value;
}

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
  const std::vector<const YamlNode*> nodes = plan_nodes(keys);
  const std::size_t plans = std::max<std::size_t>(1, nodes.size());
  const bool several_cells = plans * study.objectives.size() * study.optimisers.size() > 1;
  const bool counts_runs = several_cells && splits == nullptr && keys.repeats == 1;
  if (counts_runs && keys.re_evaluation != nullptr &&
      re_evaluation.values.method != ReEvaluationMethod::kNone) {
    keys.re_evaluation->fail(
        "a comparison counts single runs unless `repeats` is above 1, and "
        "then there is nothing to re-evaluate; set `repeats` or 'none'");
  }
  const SampleUnit unit = counts_runs ? SampleUnit::kRuns : SampleUnit::kPicks;
  PlanRequest request =
      common_request(keys, re_evaluation, study, unit, several_cells || keys.repeats > 1);
  StudyPlans read;
  if (keys.time || keys.cost) {
    read = read_limited(root, keys, request, several_cells || keys.repeats > 1);
  } else if (keys.split != nullptr) {
    read = read_split_word(*keys.split, request, study);
  } else if (keys.splits != nullptr) {
    read = read_splits(nodes, request);
  } else if (given_value(keys.budget) && !keys.runs_given && keys.iterations == nullptr &&
             !counts_runs) {
    read = divide_budget(root, request, study);
  } else {
    request.fits_runs = !keys.runs_given && !counts_runs && nodes.size() == 1;
    read = read_iterations(nodes, root, request);
  }
  refuse_lone_comparison(keys, read, request);
  read.unit = unit;
  return read;
}

}  // namespace ntune
