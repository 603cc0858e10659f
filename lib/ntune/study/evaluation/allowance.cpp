#include "ntune/study/evaluation/allowance.h"

#include <algorithm>
#include <cmath>

#include "ntune/study/evaluation/evaluation_recorder.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// Whole numbers up to this one that fit.
std::int64_t whole_part(double count, std::int64_t most) {
  if (!(count > 0.0)) return 0;
  return count >= as_double(most) ? most : static_cast<std::int64_t>(count);
}

}  // namespace

Allowance::Allowance(const Study& study, EvaluationRecorder& recorder, StudyProgress& progress,
                     std::int64_t at_once, std::int64_t runs_at_once)
    : study_(study),
      recorder_(recorder),
      progress_(progress),
      at_once_(at_once),
      runs_at_once_(std::min(runs_at_once, study.limited ? runs() : 1)) {
  if (is_limited()) show(0.0);
}

bool Allowance::is_limited() const { return study_.limits.any(); }

double Allowance::used() const {
  const std::optional<double> logged = recorder_.log().used();
  return logged ? *logged : seconds_since(begin_);
}

double Allowance::recorded() const {
  const std::optional<double> logged = recorder_.log().recorded_seconds();
  return logged ? *logged : used();
}

void Allowance::show(double cost) {
  progress_.seconds_used = used();
  progress_.cost_used += cost;
}

std::optional<PlannedStep> Allowance::known(const EvaluationKey& key) const {
  std::optional<PlannedStep> step = recorder_.log().planned(key);
  if (step && step->horizon == 0 && step->limits != study_.limits) return std::nullopt;
  return step;
}

bool Allowance::holds(const EvaluationKey& key) const { return recorder_.log().holds(key); }

PlannedStep Allowance::take(PlannedStep step) {
  step.limits = study_.limits;
  recorder_.record_planned(step);
  return step;
}

std::int64_t Allowance::runs() const { return study_.limited->whole.runs; }

std::int64_t Allowance::after_search(const RunPlan& plan) const {
  return evaluations_of(study_, plan) - plan.search();
}

double Allowance::seconds_after_search(const RunPlan& plan, double each) const {
  return each * std::ceil(as_double(after_search(plan)) / as_double(at_once_));
}

std::int64_t Allowance::waves_after(std::int64_t run) const {
  return (runs() - 1) / runs_at_once_ - run / runs_at_once_;
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

FreshAllowance::FreshAllowance(Allowance& allowance, EvaluationKey key, std::int64_t points)
    : allowance_(allowance), key_(key), points_(points) {
  key_.index = 0;
}

std::int64_t FreshAllowance::next(std::int64_t most, double spent, double mean_cost,
                                  std::int64_t reserve) {
  if (!allowance_.is_limited()) return most;
  const EvaluationKey name = key_;
  ++key_.index;
  if (const auto known = allowance_.known(name)) return known->evaluations;
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
