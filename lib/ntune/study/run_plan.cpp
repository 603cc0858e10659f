#include "ntune/study/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ntune/core/text.h"

namespace ntune {

namespace {

std::string count(std::int64_t value) { return count_text(static_cast<double>(value)); }

std::int64_t auto_hold_out(const PlanRequest& request, std::int64_t evaluations) {
  constexpr std::int64_t kLeast = 30;
  switch (request.auto_hold_out) {
    case PlanRequest::AutoHoldOut::kNone:
      return 0;
    case PlanRequest::AutoHoldOut::kOne:
      return 1;
    case PlanRequest::AutoHoldOut::kTenth:
      break;
  }
  return std::max(kLeast, evaluations / 10);
}

/// Iterations are given: re-evaluation and hold-out come on top, within the budget if there is one.
RunPlan plan_from_iterations(const PlanRequest& request, const YamlNode& node) {
  RunPlan plan{.runs = request.runs, .iterations = *request.iterations};
  const bool compares = request.compares_runs && plan.runs > 1;
  const double ratio = request.share / (1.0 - request.share);
  const auto by_share =
      static_cast<std::int64_t>(std::floor(static_cast<double>(plan.search()) * ratio));
  if (compares) plan.re_evaluation = request.re_evaluation.value_or(by_share);
  plan.hold_out = request.hold_out.value_or(auto_hold_out(request, plan.search()));
  if (!request.budget) return plan;

  const std::int64_t budget = *request.budget;
  const std::int64_t fixed = plan.search() + (request.re_evaluation ? plan.re_evaluation : 0) +
                             (request.hold_out ? plan.hold_out : 0);
  if (fixed > budget) {
    node.fail(fmt::format("{} runs x {} iterations with what is asked for beside them make {} "
                          "evaluations, the budget allows {}",
                          count(plan.runs), count(plan.iterations), count(fixed), count(budget)));
  }
  std::int64_t left = budget - fixed;
  if (!request.re_evaluation) left -= plan.re_evaluation = std::min(plan.re_evaluation, left);
  if (!request.hold_out) plan.hold_out = std::min(plan.hold_out, left);
  return plan;
}

/// The budget is given: the runs get what re-evaluation and hold-out leave.
RunPlan plan_from_budget(const PlanRequest& request, const YamlNode& node) {
  const std::int64_t budget = *request.budget;
  RunPlan plan{.runs = request.runs};
  plan.hold_out =
      request.hold_out.value_or(std::min(auto_hold_out(request, budget), budget / 5));
  const std::int64_t rest = budget - plan.hold_out;
  const bool compares = request.compares_runs && plan.runs > 1;
  const auto by_share =
      static_cast<std::int64_t>(std::floor(static_cast<double>(rest) * request.share));
  if (compares) plan.re_evaluation = request.re_evaluation.value_or(by_share);
  plan.iterations = (rest - plan.re_evaluation) / plan.runs;
  if (plan.iterations < 1) {
    node.fail(fmt::format("a budget of {} leaves nothing for {} runs after {} re-evaluations and {} "
                          "hold-out evaluations",
                          count(budget), count(plan.runs), count(plan.re_evaluation),
                          count(plan.hold_out)));
  }
  return plan;
}

}  // namespace

std::string RunPlan::label() const {
  const std::string text = fmt::format("{} x {}", count(runs), count(iterations));
  return re_evaluation > 0 ? fmt::format("{} + {}", text, count(re_evaluation)) : text;
}

RunPlan make_plan(const PlanRequest& request, const YamlNode& node) {
  if (request.iterations) return plan_from_iterations(request, node);
  if (request.budget) return plan_from_budget(request, node);
  PlanRequest filled = request;
  constexpr std::int64_t kDefaultIterations = 1000;
  filled.iterations = kDefaultIterations;
  return plan_from_iterations(filled, node);
}

}  // namespace ntune
