#include "ntune/study/run/stage_search.h"

#include <cstdint>
#include <span>
#include <utility>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/capping.h"

namespace ntune {

namespace {

OptimiserPlan plan_of(const RunTask& task, const RunStage& stage) {
  const OptimiserPlan& plan = stage.plan != nullptr ? *stage.plan : *task.optimiser;
  return stage.adaptive ? multi_start_of(plan) : plan;
}

std::vector<SearchedGoal> searched_goals(const Objective& objective) {
  std::vector<SearchedGoal> searched;
  for (const Goal& goal : objective.goals()) {
    searched.push_back({.logarithmic = goal.logarithmic,
                        .is_cost = goal.unit.is_cost(),
                        .noisy = goal.payoffs.noisy,
                        .order = goal.order,
                        .low = goal.payoffs.low,
                        .high = goal.payoffs.high});
    if (goal.limit) searched.back().least = goal.unit.payoff_of(*goal.limit);
  }
  return searched;
}

OptimiserContext context_of(const RunTask& task, const RunStage& stage, const Study& study,
                            bool blocks) {
  const Execution& execution = study.execution;
  const Payoffs payoffs = task.objective->payoffs();
  // Prior observations are of the space of today.
  const bool matches = are_duels(*task.objective);
  const auto prior = stage.space == nullptr ? task.beginning->prior.told : nullptr;
  return {.space = stage.space != nullptr ? stage.space : &task.objective->space(),
          .budget = stage.iterations,
          .payoff_low = payoffs.low,
          .payoff_high = payoffs.high,
          .noisy = payoffs.noisy,
          .goals = searched_goals(*task.objective),
          .ends_losers = can_be_capped(*task.objective),
          .ends_leaders = !study.learn_from_penalties,
          .blocks = blocks,
          .matches = matches,
          .anchors = matches ? task.objective->matches()->anchors() : std::span<const Point>(),
          .anchor_weights =
              matches ? task.objective->matches()->anchor_weights() : std::span<const double>(),
          .incumbent = task.beginning->incumbent,
          .prior = prior,
          .fail_limit = execution.on_failure.recommended,
          .cost_exponent = study.cost_exponent};
}

/// The points of today in a narrower space. The context then looks at `anchors`.
void bring_into(const WidenedSpace& widen, OptimiserContext& context, std::vector<Point>& anchors) {
  if (context.incumbent) context.incumbent = widen.narrowed(*context.incumbent);
  for (const Point& anchor : context.anchors) anchors.push_back(widen.narrowed(anchor));
  context.anchors = anchors;
}

/// What an optimiser is told beforehand, on another scale. There are no bounds there, and no times
/// at which an evaluation could be ended.
void set_scale(const ModelScale& scale, OptimiserContext& context) {
  context.payoff_low = {};
  context.payoff_high = {};
  context.ends_losers = false;
  if (context.prior == nullptr) return;
  std::vector<PriorPayoff> prior = *context.prior;
  for (PriorPayoff& known : prior) known.payoff = scale.of_payoff(known.payoff);
  context.prior = std::make_shared<const std::vector<PriorPayoff>>(std::move(prior));
}

}  // namespace

StageSearch make_search(const RunTask& task, const RunStage& stage, std::size_t index,
                        const Study& study) {
  const bool learns_effects = study.instances.learns_effects();
  const OptimiserPlan plan = plan_of(task, stage);
  OptimiserContext context =
      context_of(task, stage, study, learns_effects && study.instances.blocks);
  StageSearch search{.space = context.space, .learns_from_others = plan.uses_prior};
  if (stage.space != nullptr) {
    search.widen.emplace(*stage.space, task.objective->space());
    bring_into(*search.widen, context, search.anchors);
  }
  search.optimiser = plan.make(context);
  // What is compared within blocks of one instance needs no effects of instances.
  const bool in_blocks = context.blocks && plan.asks_in_blocks;
  if (!learns_effects || in_blocks || context.matches) return search;
  const ModelScale scale = study.instances.scale(task.objective->unit());
  if (scale.is_logarithmic()) set_scale(scale, context);
  std::vector<double> weights;
  for (const Instance& instance : study.instances.train.all()) weights.push_back(instance.weight);
  auto aware = std::make_unique<InstanceAwareSearch>(
      plan.make, context, std::move(weights),
      task.stream.stream("instance effects", static_cast<std::uint64_t>(index)), scale);
  search.instance_aware = aware.get();
  search.optimiser = std::move(aware);
  return search;
}

}  // namespace ntune
