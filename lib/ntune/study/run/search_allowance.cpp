#include "ntune/study/run/search_allowance.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// Evaluations of the pilot, and what its optimiser is made for.
constexpr std::int64_t kPilot = 10;
constexpr std::int64_t kPilotHorizon = 100;
/// The plan is looked at again after so many times as many evaluations. Where it has become longer
/// or shorter by the factor below, another optimiser goes on.
constexpr std::int64_t kLookAgain = 4;
constexpr double kOtherPlan = 1.5;
/// Longest plan of a stage: models keep tables of this length.
constexpr std::int64_t kLongestPlan = 1'000'000;

}  // namespace

SearchAllowance::SearchAllowance(Allowance& allowance, std::uint32_t cell, std::int64_t repeat,
                                 std::int64_t run)
    : allowance_(allowance),
      key_{.cell = cell, .repeat = repeat, .run = run},
      most_(allowance.study().limited->whole.iterations),
      checkpoint_(kPilot),
      mark_(allowance.used()) {}

EvaluationKey SearchAllowance::key(std::int64_t index) const {
  EvaluationKey key = key_;
  key.index = index;
  return key;
}

PlannedStep SearchAllowance::first() {
  usage_.horizon = horizon_ = std::min(kPilotHorizon, most_);
  return {.key = key(0), .horizon = horizon_};
}

std::int64_t SearchAllowance::end_of(const PlannedStep& step) const {
  if (const auto next = allowance_.known(key(step.key.index + 1))) return next->evaluations;
  return step.horizon;
}

/// Seconds from one evaluation of the run to the next; of a study that goes on, until it has
/// carried one out, by the whole time that it has used.
double SearchAllowance::seconds_each() const {
  if (usage_.carried_out > 0) return usage_.seconds / as_double(usage_.carried_out);
  return usage_.evaluations == 0 ? 0.0 : mark_ / as_double(usage_.evaluations);
}

bool SearchAllowance::fits(const RunPlan& plan, std::int64_t told) const {
  const Limits& limits = allowance_.study().limits;
  if (limits.cost) {
    const auto all = as_double(evaluations_of(allowance_.study(), plan));
    if (usage_.mean_cost() * all > *limits.cost) return false;
  }
  if (!limits.seconds) return true;
  const auto waves = as_double(allowance_.waves_after(key_.run));
  const double to_come = as_double(plan.iterations - told) + waves * as_double(plan.iterations);
  const double each = seconds_each();
  return allowance_.used() + each * to_come + allowance_.seconds_after_search(plan, each_alone()) <=
         *limits.seconds;
}

/// Seconds of one evaluation.
double SearchAllowance::each_alone() const {
  return seconds_each() * as_double(std::min(allowance_.study().execution.parallel_evaluations,
                                             allowance_.at_once()));
}

/// The largest plan that fits, to a thousandth.
RunPlan SearchAllowance::fitting(std::int64_t told) const {
  const Study& study = allowance_.study();
  std::int64_t low = 0;
  std::int64_t high = 2 * kLongestPlan * allowance_.runs();
  if (!study.limited->open) high = evaluations_of(study, study.limited->whole) + 1;
  while (high - low > 1 + low / 1000) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(plan_within(study, middle), told) ? low : high) = middle;
  }
  return plan_within(study, low);
}

bool SearchAllowance::is_used_up(std::int64_t told, std::int64_t in_flight) const {
  const Study& study = allowance_.study();
  if (study.limits.cost) {
    const double kept = usage_.mean_cost() * as_double(allowance_.after_search(plan_));
    const double share = (*study.limits.cost - kept) / as_double(allowance_.runs());
    if (usage_.cost + usage_.mean_cost() * as_double(in_flight + 1) > share) return true;
  }
  if (!study.limits.seconds) return false;
  const double kept =
      allowance_.seconds_after_search(plan_, each_alone()) +
      seconds_each() * as_double(allowance_.waves_after(key_.run)) * as_double(told);
  return allowance_.used() + each_alone() + kept > *study.limits.seconds;
}

bool SearchAllowance::add(const Evaluated& evaluated, std::int64_t told, std::int64_t in_flight) {
  constexpr std::int64_t kRefits = 20;  // while the evaluations double
  ++calls_;
  usage_.evaluations += evaluated.evaluations();
  usage_.cost += evaluated.cost.value_or(0.0);
  if (evaluated.recalled) {
    mark_ = allowance_.used();
  } else {
    // What was reckoned before the first duration is known is worth nothing.
    if (usage_.carried_out == 0) next_fit_ = told;
    usage_.carried_out += evaluated.evaluations();
    usage_.seconds = allowance_.used() - mark_;
  }
  if (told >= next_fit_) {
    plan_ = fitting(told);
    next_fit_ = told + std::max<std::int64_t>(1, told / kRefits);
  }
  allowance_.show(evaluated.cost.value_or(0.0));
  const bool looks_again = told >= checkpoint_;
  while (told >= checkpoint_) checkpoint_ *= kLookAgain;
  // What follows was asked for before an interruption: it was decided then to go on.
  if (evaluated.recalled && allowance_.holds(key(calls_ + in_flight))) return false;
  if (is_used_up(told, in_flight)) return true;
  if (!looks_again) return false;
  const auto planned = as_double(std::min(fitting(told).iterations, most_));
  return planned > kOtherPlan * as_double(horizon_) || planned < as_double(horizon_) / kOtherPlan;
}

PlannedStep SearchAllowance::next(const PlannedStep& step, std::int64_t told, bool exhausted) {
  const EvaluationKey name = key(step.key.index + 1);
  if (const auto known = allowance_.known(name)) {
    set_horizon(known->horizon);
    return *known;
  }
  const Limits& limits = allowance_.study().limits;
  if (limits.cost && !limits.seconds && usage_.cost == 0.0 && told >= kPilot) {
    throw InputError(
        fmt::format("budget: {} have cost nothing, and would never use up a cost of {}",
                    counted(told, "evaluation"), number_text(*limits.cost)));
  }
  PlannedStep taken{.key = name, .evaluations = told};
  if (!exhausted && told < most_ && !is_used_up(told, 0)) {
    const std::int64_t planned = std::min({fitting(told).iterations, most_, told + kLongestPlan});
    if (planned > told) taken.horizon = planned;
  }
  set_horizon(taken.horizon);
  return allowance_.take(taken);
}

void SearchAllowance::set_horizon(std::int64_t horizon) {
  horizon_ = horizon;
  if (horizon > 0) usage_.horizon = horizon;
}

}  // namespace ntune
