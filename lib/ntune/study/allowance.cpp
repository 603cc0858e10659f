#include "ntune/study/allowance.h"

#include <algorithm>
#include <cmath>

#include "ntune/study/study.h"

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

double as_double(std::int64_t count) { return static_cast<double>(count); }

/// Whole numbers up to this one that fit.
std::int64_t whole_part(double count, std::int64_t most) {
  if (!(count > 0.0)) return 0;
  return count >= as_double(most) ? most : static_cast<std::int64_t>(count);
}

std::int64_t runs_of(const Study& study) { return study.plans.front().runs; }

std::int64_t after_search(const Study& study, const RunPlan& plan) {
  return evaluations_of(study, plan) - plan.search();
}

}  // namespace

Allowance::Allowance(const Study& study, StudyLog* log, StudyProgress& progress,
                     std::int64_t at_once, std::int64_t runs_at_once)
    : study_(study),
      log_(log),
      progress_(progress),
      at_once_(at_once),
      runs_at_once_(std::min(runs_at_once, study.plans.empty() ? 1 : runs_of(study))) {
  if (is_limited()) show(0.0);
}

bool Allowance::is_limited() const { return study_.limits.any(); }

double Allowance::used() const {
  const std::optional<double> logged = log_ == nullptr ? std::nullopt : log_->used();
  return logged ? *logged : seconds_since(begin_);
}

void Allowance::show(double cost) {
  progress_.seconds_used = used();
  progress_.cost_used = cost;
}

std::optional<PlannedStep> Allowance::known(const EvaluationKey& key) const {
  std::optional<PlannedStep> step = log_ == nullptr ? std::nullopt : log_->planned(key);
  if (step && step->horizon == 0 && step->limits != study_.limits) return std::nullopt;
  return step;
}

PlannedStep Allowance::take(PlannedStep step) {
  step.limits = study_.limits;
  if (log_ != nullptr) log_->append_planned(step);
  return step;
}

double Allowance::seconds_after_search(const RunPlan& plan, double each) const {
  return each * std::ceil(as_double(after_search(study_, plan)) / as_double(at_once_));
}

std::int64_t Allowance::waves_after(std::int64_t run) const {
  return (runs_of(study_) - 1) / runs_at_once_ - run / runs_at_once_;
}

void Allowance::add_run(const RunUsage& usage) {
  const std::lock_guard lock(mutex_);
  searches_.add(usage);
}

double Allowance::seconds_each() const {
  const auto in_flight = as_double(std::min(study_.execution.parallel_evaluations, at_once_));
  const std::lock_guard lock(mutex_);
  if (searches_.carried_out > 0) {
    return in_flight * searches_.seconds / as_double(searches_.carried_out);
  }
  if (searches_.evaluations == 0) return 0.0;
  return in_flight * as_double(runs_at_once_) * used() / as_double(searches_.evaluations);
}

SearchAllowance::SearchAllowance(Allowance& allowance, std::uint32_t cell, std::int64_t repeat,
                                 std::int64_t run)
    : allowance_(allowance),
      key_{.cell = cell, .repeat = repeat, .run = run},
      most_(allowance.study().plans.front().iterations),
      checkpoint_(kPilot),
      mark_(allowance.used()) {}

EvaluationKey SearchAllowance::key(std::int64_t index) const {
  EvaluationKey key = key_;
  key.index = index;
  return key;
}

PlannedStep SearchAllowance::first() {
  horizon_ = std::min(kPilotHorizon, most_);
  return {.key = key(0), .horizon = horizon_};
}

std::int64_t SearchAllowance::end_of(const PlannedStep& step) const {
  if (const auto next = allowance_.known(key(step.key.index + 1))) return next->evaluations;
  return step.horizon;
}

double SearchAllowance::mean_cost() const {
  return usage_.evaluations == 0 ? 0.0 : usage_.cost / as_double(usage_.evaluations);
}

/// Seconds from one evaluation of the run to the next.
double SearchAllowance::seconds_each() const {
  return usage_.carried_out == 0 ? 0.0 : usage_.seconds / as_double(usage_.carried_out);
}

bool SearchAllowance::fits(const RunPlan& plan, std::int64_t told) const {
  const Limits& limits = allowance_.study().limits;
  if (limits.cost) {
    const auto all = as_double(evaluations_of(allowance_.study(), plan));
    if (mean_cost() * all > *limits.cost) return false;
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
  std::int64_t high = 2 * kLongestPlan * runs_of(study);
  if (!study.limited->open) high = evaluations_of(study, study.plans.front()) + 1;
  while (high - low > 1 + low / 1000) {
    const std::int64_t middle = low + (high - low) / 2;
    (fits(plan_within(study, middle), told) ? low : high) = middle;
  }
  return plan_within(study, low);
}

bool SearchAllowance::is_used_up(std::int64_t told, std::int64_t in_flight) const {
  const Study& study = allowance_.study();
  if (study.limits.cost) {
    const double kept = mean_cost() * as_double(after_search(study, plan_));
    const double share = (*study.limits.cost - kept) / as_double(runs_of(study));
    if (usage_.cost + mean_cost() * as_double(in_flight + 1) > share) return true;
  }
  if (!study.limits.seconds) return false;
  const double kept =
      allowance_.seconds_after_search(plan_, each_alone()) +
      seconds_each() * as_double(allowance_.waves_after(key_.run)) * as_double(told);
  return allowance_.used() + each_alone() + kept > *study.limits.seconds;
}

bool SearchAllowance::add(const Evaluated& evaluated, std::int64_t told, std::int64_t in_flight) {
  constexpr std::int64_t kRefits = 20;  // while the evaluations double
  usage_.evaluations += evaluated.cost();
  usage_.cost += evaluated.spent.value_or(0.0);
  if (evaluated.recalled) {
    mark_ = allowance_.used();
  } else {
    usage_.carried_out += evaluated.cost();
    usage_.seconds = allowance_.used() - mark_;
  }
  if (told >= next_fit_) {
    plan_ = fitting(told);
    next_fit_ = told + std::max<std::int64_t>(1, told / kRefits);
  }
  allowance_.show(usage_.cost);
  const bool looks_again = told >= checkpoint_;
  while (told >= checkpoint_) checkpoint_ *= kLookAgain;
  // What was decided before an interruption stands in the log.
  if (evaluated.recalled) return false;
  if (is_used_up(told, in_flight)) return true;
  if (!looks_again) return false;
  const auto planned = as_double(std::min(fitting(told).iterations, most_));
  return planned > kOtherPlan * as_double(horizon_) || planned < as_double(horizon_) / kOtherPlan;
}

PlannedStep SearchAllowance::next(const PlannedStep& step, std::int64_t told, bool exhausted) {
  const EvaluationKey name = key(step.key.index + 1);
  if (const auto known = allowance_.known(name)) {
    horizon_ = known->horizon;
    return *known;
  }
  PlannedStep taken{.key = name, .evaluations = told};
  if (!exhausted && told < most_ && !is_used_up(told, 0)) {
    const std::int64_t planned = std::min({fitting(told).iterations, most_, told + kLongestPlan});
    if (planned > told) taken.horizon = planned;
  }
  horizon_ = taken.horizon;
  return allowance_.take(taken);
}

FreshAllowance::FreshAllowance(Allowance& allowance, EvaluationKey key, std::int64_t points)
    : allowance_(allowance), key_(key), points_(points) {
  key_.index = 0;
}

std::int64_t FreshAllowance::next(std::int64_t most, double spent, double mean_cost,
                                  std::int64_t reserve) {
  if (!allowance_.is_limited()) return most;
  const EvaluationKey name = key_;
  ++key_.index;
  if (const auto known = allowance_.known(name)) return std::min(known->evaluations, most);
  const Limits& limits = allowance_.study().limits;
  std::int64_t count = most;
  if (limits.cost && mean_cost > 0.0) {
    const double left = (*limits.cost - spent) / mean_cost - as_double(reserve);
    count = std::min(count, whole_part(left / as_double(points_), most));
  }
  const double each = allowance_.seconds_each();
  if (limits.seconds && each > 0.0) {
    // Evaluations come in rounds of as many as are made at once.
    const double left = std::floor((*limits.seconds - allowance_.used()) / each);
    const double calls = left * as_double(allowance_.at_once()) - as_double(reserve);
    count = std::min(count, whole_part(calls / as_double(points_), most));
  }
  return allowance_.take({.key = name, .evaluations = count}).evaluations;
}

}  // namespace ntune
