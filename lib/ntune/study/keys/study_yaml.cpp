#include "ntune/study/keys/study_yaml.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/input_errors.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/goal_options.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/keys/instance_keys.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

std::optional<std::int64_t> given_value(const AutoInteger& number) {
  if (number.automatic) return std::nullopt;
  return number.value;
}

std::vector<const YamlNode*> elements_of(const YamlNode& node, const char* plural) {
  std::vector<const YamlNode*> list;
  if (!node.is_list()) {
    node.fail(fmt::format("is {}, a list of {} is allowed", node.describe(), plural));
  }
  for (const YamlNode& item : node.children()) list.push_back(&item);
  if (list.empty()) node.fail(fmt::format("is an empty list, one or more {} are allowed", plural));
  return list;
}

void refuse_both(const YamlNode* one, const YamlNode* other) {
  if (one != nullptr && other != nullptr) {
    other->fail(fmt::format("stands beside '{}', one of the two is allowed", one->key()));
  }
}

namespace {

/// An adaptive plan runs every optimiser inside MultiStart.
void wrap_optimisers(Study& study) {
  if (std::ranges::none_of(study.plans, &RunPlan::adaptive)) return;
  for (StudyOptimiser& optimiser : study.optimisers) {
    for (const OptimiserPlan& plan : optimiser.plans) {
      optimiser.adaptive.push_back(multi_start_of(plan));
    }
  }
}

/// Refuses what no machine could do before anything is counted or reserved.
void check_size(const Study& study, const YamlNode& root) {
  constexpr double kMostRuns = 1e7;
  const auto cells = static_cast<double>(study.objectives.size() * study.optimisers.size());
  // In floating point, since the products may be beyond any integer.
  const double times = static_cast<double>(study.repeats) * cells;
  double runs = 0.0;
  double evaluations = 0.0;
  for (const RunPlan& plan : study.plans) {
    const auto plan_runs = static_cast<double>(plan.runs);
    const auto points = static_cast<double>(study.points_held_out(plan));
    runs += times * plan_runs;
    evaluations +=
        times * (static_cast<double>(plan.search()) + static_cast<double>(plan.re_evaluation) +
                 points * static_cast<double>(plan.hold_out));
  }
  if (runs > kMostRuns) {
    root.fail(fmt::format("the study makes {} runs, at most {} are allowed", count_text(runs),
                          count_text(kMostRuns)));
  }
  if (evaluations > static_cast<double>(kMostEvaluations)) {
    root.fail(fmt::format("the study makes {} evaluations, at most {} are allowed",
                          count_text(evaluations), count_text(kMostEvaluations)));
  }
}

/// What a journal keeps by default: evaluations where a program makes them, or they are matches.
std::string record_name(const StudyYaml& keys, const Study& study) {
  if (keys.record != "auto") return keys.record;
  // Limits are kept evaluation by evaluation, and so are goals, of which a run's record has one.
  const bool has_goals = !study.objectives.front().objective->goals().empty();
  if (study.limits.any() || has_goals) return "evaluations";
  const bool external = std::ranges::any_of(study.objectives, [](const StudyObjective& objective) {
    return is_external(*objective.objective) || are_duels(*objective.objective);
  });
  return external ? "evaluations" : "runs";
}

Recording recording_of(const std::string& name) {
  if (name == "evaluations") return Recording::kEvaluations;
  return name == "runs" ? Recording::kRuns : Recording::kNone;
}

/// A cutoff that is longer than the whole study has time.
void refuse_long_cutoff(const StudyYaml& keys, const Study& study) {
  const OutsideProgram* program = study.objectives.front().objective->outside_program();
  if (program == nullptr || keys.objective == nullptr || !keys.time) return;
  // Without a cutoff it is infinite.
  const double cutoff = program->cutoff();
  if (!std::isfinite(cutoff) || cutoff <= *keys.time) return;
  keys.objective->find("cutoff")->fail(fmt::format("is {} s, the study has {} s (`time`)",
                                                   number_text(cutoff), number_text(*keys.time)));
}

/// What is compared with the recommendation must be among its opponents, or nothing would link
/// them.
void refuse_unknown_default(const StudyYaml& keys, const Study& study) {
  const Objective& objective = *study.objectives.front().objective;
  if (!study.beginning.incumbent || !are_duels(objective) || keys.objective == nullptr) return;
  // The place of the message is the key that says most about it.
  const auto anchors = objective.matches()->anchors();
  if (std::ranges::find(anchors, *study.beginning.incumbent) != anchors.end()) return;
  const YamlNode* opponents = keys.objective->find("opponents");
  const YamlNode& place = keys.default_point != nullptr ? *keys.default_point
                          : opponents != nullptr        ? *opponents
                                                        : *keys.objective;
  place.fail(
      "the default, with which the recommendation is compared, is none of the opponents; add it "
      "to 'opponents:', or write 'default: none'");
}

/// A failure counts as a payoff that there can be. A failed match has none: whose fault it was
/// nobody knows.
void check_value_of_failures(const YamlNode& root, const Study& study) {
  if (study.execution.on_failure.kind != FailurePolicy::Kind::kValue) return;
  // A value follows from `fail:` alone, so that the file has the key.
  const YamlNode& place = *root.find("fail");
  for (const StudyObjective& objective : study.objectives) {
    if (are_duels(*objective.objective)) {
      place.fail(
          "gives failed matches a value, though either player may be at fault; allowed: abort, "
          "skip");
    }
    const double value = study.execution.on_failure.value;
    const std::string fault = fault_of_declared(value, *objective.objective);
    if (!fault.empty()) place.fail_at("value", fault);
  }
}

std::string find_published(const YamlNode& root, const std::string& published) {
  if (published.empty()) return {};
  // The file is named as seen from the study file.
  const std::filesystem::path folder = std::filesystem::path(root.file()).parent_path();
  const std::filesystem::path file = folder / published;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    root.find("published")->fail(fmt::format("the file '{}' does not exist", file.string()));
  }
  return file.string();
}

/// Writes back the options of all objectives or optimisers, as one where the file does not say
/// several.
template <class Entries>
void resolve_options(const Entries& entries, const char* one, const char* several,
                     bool names_several, StudyYaml& keys) {
  Json list = Json::array();
  for (const auto& entry : entries) list.push_back(entry.options);
  keys.resolved[names_several ? several : one] = names_several ? list : list[0];
}

/// Writes the plans back in a form that reads to the same plans. One plan is written in numbers,
/// without the budget that they follow from; several are written as they were asked for.
void resolve_plans(const Study& study, const StudyPlans& plans, ReEvaluationYaml re_evaluation,
                   StudyYaml& keys) {
  const RunPlan& first = study.plans.front();
  keys.runs = first.runs;
  // One plan becomes numbers, several stay as they were asked for.
  if (study.limited && study.limited->open) {
    // What the runs have time for is not known.
  } else if (!plans.split.empty()) {
    keys.resolved["split"] = plans.split;
  } else if (keys.splits != nullptr) {
    keys.resolved["splits"] = plans.splits;
  } else if (study.plans.size() > 1) {
    Json& iterations = keys.resolved["iterations"];
    for (const RunPlan& plan : study.plans) iterations.push_back(plan.iterations);
  } else {
    keys.resolved["iterations"] = first.iterations;
    keys.budget = {};
    keys.hold_out = {.automatic = false, .value = first.hold_out};
    re_evaluation.evaluations = {.automatic = false, .value = first.re_evaluation};
  }
  // Where runs are counted, nothing compares them.
  const bool picks = study.unit == SampleUnit::kPicks;
  keys.resolved["re_evaluation"] = picks ? options_json(re_evaluation) : Json("none");
}

/// What a study begins with, with every value.
void resolve_beginning(const Study& study, StudyYaml& keys) {
  const SearchSpace& space = study.objectives.front().objective->space();
  if (study.beginning.incumbent) {
    keys.resolved["default"] = point_json(*study.beginning.incumbent, space);
  } else if (keys.default_point != nullptr) {
    keys.resolved["default"] = "none";
  }
  if (keys.start == nullptr) return;
  // With the default among them: read again, it is there already.
  Json& starts = keys.resolved["start"] = Json::array();
  for (const Point& start : study.beginning.starts) starts.push_back(point_json(start, space));
}

/// The instances with every value, so that a file or folder need not be there any more.
void resolve_instances(const Study& study, StudyYaml& keys) {
  if (study.instances.empty()) return;
  keys.resolved["instances"] = instances_json(study.instances.train);
  if (!study.instances.test.empty()) {
    keys.resolved["test_instances"] = instances_json(study.instances.test);
  }
  if (keys.aggregate != nullptr) {
    keys.resolved["aggregate"] = aggregate_json(study.instances.aggregate);
  }
  if (!study.instances.effects_are_learned) keys.resolved["instance_effects"] = "kept";
}

/// Options without those that are not given.
Json without_empty(Json json) {
  for (auto item = json.begin(); item != json.end();) {
    item = item->is_null() || *item == "" ? json.erase(item) : std::next(item);
  }
  return json;
}

/// The study file with every default.
Json study_config(const Study& study, const StudyPlans& plans,
                  const ReEvaluationYaml& re_evaluation, StudyYaml keys) {
  resolve_options(study.objectives, "objective", "objectives", keys.objectives != nullptr, keys);
  if (keys.goals != nullptr) {
    keys.resolved["goals"] = goals_json(study.objectives[0].objective->goals());
  }
  if (keys.objective != nullptr) {
    keys.resolved["space"] = space_json(study.objectives[0].objective->space());
  }
  resolve_options(study.optimisers, "optimiser", "optimisers", keys.optimisers != nullptr, keys);
  resolve_plans(study, plans, re_evaluation, keys);
  resolve_beginning(study, keys);
  resolve_instances(study, keys);
  keys.record = record_name(keys, study);
  if (!study.earlier.empty()) keys.resolved["extended_from"] = earlier_stages_json(study.earlier);
  // Keys that say what this version does anyhow are left out, as are those that are not given.
  Json config = options_json(keys);
  config.erase("threads");  // does not change the result
  if (study.execution.on_failure.learn) config.erase("learn_from_failures");
  if (!compares_in_blocks(config)) config.erase("instance_blocks");
  if (!has_penalties(config)) config.erase("learn_from_penalties");
  if (!plans.split.empty() || keys.splits != nullptr) config.erase("runs");
  return without_empty(std::move(config));
}

}  // namespace

Study read_study(const YamlNode& node, std::shared_ptr<const Objective> objective, StudyUse use,
                 SpaceDefaults space_defaults) {
  if (node.is_null()) {
    node.fail_at("objective", "is missing: the study is empty, see 'ntune describe hartmann6'");
  }
  // First every key by itself: names, types and ranges.
  StudyYaml keys;
  InputErrors errors;
  OptionReader reader(node, &errors);
  keys.visit(reader);
  // Keys that begin with x- are the user's own, such as maps to be merged into others.
  for (const YamlNode& child : node.children()) {
    if (child.key().starts_with("x-")) reader.take(child.key());
  }
  reader.finish();
  keys.runs_given = node.find("runs") != nullptr;
  Study& study = keys.study;
  // Of what depends on one another only the first error is sure to be one. All else is read on.
  const bool needs_budget = objective == nullptr && use == StudyUse::kRun && !errors.any();
  const bool is_misspelt = objective == nullptr && keys.objective == nullptr &&
                           keys.objectives == nullptr && errors.any();
  const bool known = !is_misspelt && errors.hold([&] {
    study.objectives = read_objectives(node, keys, std::move(objective));
  });
  if (needs_budget) errors.hold([&] { require_budget(node, keys); });
  // Without an objective only what does not depend on it is read, for its errors.
  ReEvaluationYaml re_evaluation;
  errors.hold([&] { re_evaluation = read_re_evaluation(keys.re_evaluation); });
  if (!known) {
    for (const YamlNode* list : {keys.instances, keys.test_instances}) {
      if (list != nullptr) errors.hold([&] { read_instance_list(*list); });
    }
    errors.hold([&] { check_optimisers(keys); });
    errors.throw_any();
  }
  // Then what the objective and its space are needed for.
  errors.hold([&] { read_instances(keys, study); });
  errors.hold([&] { study.optimisers = read_optimisers(keys, study.objectives); });
  if (keys.default_point != nullptr || space_defaults == SpaceDefaults::kCompared) {
    errors.hold([&] { study.beginning.incumbent = read_default(node, keys, study); });
  }
  if (keys.start != nullptr) errors.hold([&] { read_starts(*keys.start, study); });
  errors.throw_any();
  check_goals(node, keys, study);
  // From here on each step needs the ones before: the first error is thrown at once.
  refuse_unknown_default(keys, study);
  const StudyPlans plans = read_plans(node, keys, re_evaluation, study);
  study.plans = plans.plans;
  study.unit = plans.unit;
  study.advise_budget = plans.advise_budget;
  study.limits = {.cost = keys.cost, .seconds = keys.time};
  study.cost_exponent = keys.cost_exponent;
  study.limited = plans.limited;
  if (const auto budget = given_value(keys.budget)) study.budget = *budget;
  // The plans decide whether this is a comparison, which begins with no default.
  read_beginning(keys, study);
  wrap_optimisers(study);
  check_size(study, node);
  study.seed = static_cast<std::uint64_t>(keys.seed);
  study.execution.threads = static_cast<int>(keys.threads);
  study.re_evaluation = re_evaluation.values;
  errors.hold([&] { check_value_of_failures(node, study); });
  errors.hold([&] { refuse_long_cutoff(keys, study); });
  study.execution.record = recording_of(record_name(keys, study));
  if (study.limits.any() && study.execution.record == Recording::kRuns) {
    node.fail_at("record", "must be evaluations or none in a study with a limit of time or cost");
  }
  errors.hold([&] { study.published_file = find_published(node, keys.published); });
  errors.throw_any();
  // The prior may be large, and the stages before are of the whole study: both come last.
  if (keys.prior != nullptr) {
    keys.resolved["prior"] = without_empty(options_json(read_prior(*keys.prior, study)));
  }
  study.folder = std::filesystem::path(node.file()).parent_path();
  if (keys.extended_from != nullptr) {
    study.earlier = read_earlier_stages(*keys.extended_from, study);
  }
  study.config = study_config(study, plans, re_evaluation, keys);
  return std::move(study);
}

Json config_in_folder(Json config, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path path = folder / kStudyName;
  if (!std::filesystem::is_regular_file(path, error)) return config;
  // Only what names files: all else is as it was recorded.
  const Json held = to_json(read_yaml(path));
  for (const char* key : {"objective", "objectives", "prior"}) {
    if (held.is_object() && held.contains(key) && config.contains(key)) config[key] = held[key];
  }
  return config;
}

}  // namespace ntune
