#include "ntune/study/model/study.h"

#include <algorithm>

#include "ntune/objective/capabilities.h"
#include "ntune/optim/auto_choice.h"

namespace ntune {

std::string Study::algorithm(std::size_t objective, std::size_t plan, std::size_t optimiser) const {
  return algorithm_for(objective, plan, optimiser, plans[plan].iterations);
}

std::string Study::algorithm_for(std::size_t objective, std::size_t plan, std::size_t optimiser,
                                 std::int64_t iterations) const {
  const StudyOptimiser& chosen = optimisers[optimiser];
  if (!chosen.is_auto()) return chosen.options["algorithm"];
  const Objective& searched = *objectives[objective].objective;
  if (are_duels(searched) && !plans[plan].adaptive) return "duels";
  return auto_choice(searched.space(), iterations, searched.payoffs().noisy, plans[plan].adaptive)
      .name;
}

bool Study::holds_out_incumbent() const {
  return beginning.incumbent && !is_opponent(*objectives.front().objective, *beginning.incumbent);
}

bool Study::true_values_known() const {
  return std::ranges::all_of(objectives, [](const StudyObjective& entry) {
    return entry.objective->known_truth() != nullptr;
  });
}

std::int64_t total_evaluations(const Study& study) {
  if (study.limited && study.limited->open) return 0;
  std::int64_t total = 0;
  for (const RunPlan& plan : study.plans) {
    total += plan.search() + plan.re_evaluation + study.points_held_out(plan) * plan.hold_out;
  }
  return total * study.repeats *
         static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
}

}  // namespace ntune
