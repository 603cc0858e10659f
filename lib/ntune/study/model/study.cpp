#include "ntune/study/model/study.h"

#include <algorithm>
#include <array>

#include "ntune/core/json.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/auto_choice.h"
#include "ntune/optim/optimisers.h"

namespace ntune {

std::string Study::cell_label(std::size_t cell, bool with_objective) const {
  std::string label;
  const auto add = [&](const std::string& part) { label += (label.empty() ? "" : ", ") + part; };
  if (with_objective && objectives.size() > 1) add(objectives[objective_of(cell)].label);
  if (optimisers.size() > 1) add(optimisers[optimiser_of(cell)].label);
  if (plans.size() > 1) add(plans[plan_of(cell)].label());
  return label.empty() ? optimisers[optimiser_of(cell)].label : label;
}

std::string Study::algorithm(std::size_t objective, std::size_t plan, std::size_t optimiser) const {
  return algorithm_for(objective, plan, optimiser, plans[plan].iterations);
}

std::string Study::algorithm_for(std::size_t objective, std::size_t plan, std::size_t optimiser,
                                 std::int64_t iterations) const {
  const StudyOptimiser& chosen = optimisers[optimiser];
  if (!chosen.is_auto()) return chosen.options["algorithm"];
  const Objective& searched = *objectives[objective].objective;
  // Matches are searched by duels; all else by what suits the space and its noise.
  if (are_duels(searched) && !plans[plan].adaptive) return "duels";
  if (!searched.goals().empty()) return "goals";
  return auto_choice(searched.space(), iterations, searched.payoffs().noisy, plans[plan].adaptive)
      .name;
}

bool Study::chooses_opponents(std::size_t cell) const {
  if (!are_duels(*objectives[objective_of(cell)].objective)) return false;
  const std::string chosen = algorithm(objective_of(cell), plan_of(cell), optimiser_of(cell));
  const auto entry = std::ranges::find(optimiser_table(), chosen, &OptimiserEntry::name);
  return entry != optimiser_table().end() && entry->needs_matches;
}

bool Study::holds_out_incumbent() const {
  const Objective& objective = *objectives.front().objective;
  // Of several goals it is one of the settings that share the hold-out.
  return beginning.incumbent && objective.goals().empty() &&
         !is_opponent(objective, *beginning.incumbent);
}

bool Study::true_values_known() const {
  return std::ranges::all_of(objectives, [](const StudyObjective& entry) {
    return entry.objective->known_truth() != nullptr;
  });
}

const char* recording_name(Recording record) {
  constexpr std::array kNames = {"evaluations", "runs", "none"};
  return kNames[static_cast<std::size_t>(record)];
}

void set_seed(Study& study, std::uint64_t seed) {
  study.seed = seed;
  study.config["seed"] = seed;
}

void set_record(Study& study, Recording record) {
  study.execution.record = record;
  study.config["record"] = recording_name(record);
}

std::int64_t total_evaluations(const Study& study) {
  // Where a time or a cost alone limits the study, no number is known.
  if (study.limited && study.limited->open) return 0;
  std::int64_t total = 0;
  for (const RunPlan& plan : study.plans) {
    total += plan.search() + plan.re_evaluation + study.points_held_out(plan) * plan.hold_out;
  }
  return total * study.repeats *
         static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
}

/// What a later stage must know: how much each run had, and the space if it is another now.
EarlierStage as_earlier_stage(const Study& study, bool widened) {
  EarlierStage stage{
      .repeats = study.repeats, .starts = std::ssize(study.beginning.starts), .plans = {}};
  for (const RunPlan& plan : study.plans) {
    stage.plans.push_back({.runs = plan.runs,
                           .iterations = plan.iterations,
                           .hold_out = study.unit == SampleUnit::kRuns ? plan.hold_out : 0});
  }
  if (!widened) return stage;
  stage.space = std::make_shared<const SearchSpace>(study.objectives[0].objective->space());
  for (const StudyOptimiser& optimiser : study.optimisers) {
    stage.optimisers.push_back(optimiser.plans[0]);
  }
  return stage;
}

void inherit_spaces(std::vector<EarlierStage>& stages) {
  // From the last stage backwards, each has the space of the one after it.
  for (std::size_t i = stages.size(); i > 1; --i) {
    EarlierStage& stage = stages[i - 2];
    if (stage.space) continue;
    stage.space = stages[i - 1].space;
    stage.optimisers = stages[i - 1].optimisers;
  }
}

}  // namespace ntune
