#include "ntune/study/model/run_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Hold-out of so many evaluations where the file says nothing.
std::int64_t auto_hold_out(const PlanRequest& request, std::int64_t evaluations) {
  constexpr std::int64_t kLeast = 30;
  if (request.auto_hold_out == PlanRequest::AutoHoldOut::kNone) return 0;
  if (request.auto_hold_out == PlanRequest::AutoHoldOut::kOne) return 1;
  return std::max(kLeast, evaluations / 10);
}

/// Whether there is something to compare after so many runs. Iterations alone leave nothing for the
/// leaders of a single run.
bool compares_points(const PlanRequest& request, std::int64_t runs) {
  const bool leaders = request.compares_leaders && (request.budget || request.re_evaluation);
  return request.compares_runs && (runs > 1 || leaders);
}

/// How many parts of the search have a hold-out of their own.
std::int64_t searches(const PlanRequest& request) {
  return request.holds_out_runs ? request.runs : 1;
}

/// How many points of a plan are held out.
std::int64_t held_out(const PlanRequest& request) {
  return request.holds_out_incumbent ? 2 : searches(request);
}

/// Hold-out of a budget where the file says nothing: at most a fifth for all points. Beside a
/// default it is to show which of the two is better, which takes more: a fifth each of up to 1,000
/// evaluations (benchmarks/results/budgets.md).
std::int64_t auto_hold_out_of(const PlanRequest& request, std::int64_t budget) {
  constexpr std::int64_t kMostBesideDefault = 200;
  const std::int64_t usual =
      std::min(auto_hold_out(request, budget / searches(request)), budget / held_out(request) / 5);
  const bool asks =
      request.holds_out_incumbent && request.auto_hold_out == PlanRequest::AutoHoldOut::kTenth;
  const std::int64_t wanted =
      asks ? std::max(usual, std::min(budget / 5, kMostBesideDefault)) : usual;
  return in_whole_visits(request, wanted, 2 * budget / (5 * held_out(request)));
}

/// `part` of `whole`, rounded down.
std::int64_t share_of(std::int64_t whole, double part) {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(whole) * part));
}

/// Re-evaluation where the file says nothing: a part of the evaluations. Without noise one for each
/// run's recommendation tells all.
std::int64_t auto_re_evaluation(const PlanRequest& request, std::int64_t evaluations, double part) {
  const std::int64_t share = share_of(evaluations, part);
  return request.noisy ? share : std::min(share, request.runs);
}

/// The number of runs of the given iterations that a budget holds beside re-evaluation and
/// hold-out.
std::int64_t fitting_runs(const PlanRequest& request) {
  const std::int64_t budget = *request.budget;
  const std::int64_t points = held_out(request);
  const std::int64_t hold_out = request.hold_out.value_or(auto_hold_out_of(request, budget));
  const std::int64_t rest = std::max<std::int64_t>(0, budget - points * hold_out);
  std::int64_t search = rest;
  if (request.compares_runs) {
    search =
        request.re_evaluation ? rest - *request.re_evaluation : share_of(rest, 1.0 - request.share);
  }
  return std::max<std::int64_t>(1, search / *request.iterations);
}

/// Gives what a plan leaves of its budget to re-evaluation or hold-out, where they are open and
/// more of them tells more.
void use_up(const PlanRequest& request, RunPlan& plan) {
  const std::int64_t points = held_out(request);
  const std::int64_t left =
      *request.budget - plan.search() - plan.re_evaluation - points * plan.hold_out;
  const bool compares = compares_points(request, plan.runs);
  if (compares && request.noisy && !request.re_evaluation) {
    plan.re_evaluation += left;
  } else if (!request.hold_out && request.auto_hold_out == PlanRequest::AutoHoldOut::kTenth) {
    const std::int64_t more = plan.hold_out + left / points;
    const bool whole = in_whole_visits(request, plan.hold_out, more) == plan.hold_out;
    if (request.held_out_instances < 2 || !whole) plan.hold_out = more;
  }
}

/// Iterations are given: re-evaluation and hold-out come on top, within the budget if there is one.
RunPlan plan_from_iterations(const PlanRequest& request, const YamlNode& node) {
  // The searches are given; a comparison and a hold-out follow from their size.
  RunPlan plan{.runs = request.runs, .iterations = *request.iterations};
  if (plan.iterations > kMostEvaluations / plan.runs) {
    node.fail(fmt::format("{} x {} are more than the {} evaluations allowed",
                          counted(plan.runs, "run"), counted(plan.iterations, "iteration"),
                          count_text(kMostEvaluations)));
  }
  const std::int64_t points = held_out(request);
  const bool compares = compares_points(request, plan.runs);
  if (compares) {
    plan.re_evaluation = request.re_evaluation.value_or(
        auto_re_evaluation(request, plan.search(), request.share / (1.0 - request.share)));
  }
  const std::int64_t usual = auto_hold_out(request, plan.search() / searches(request));
  plan.hold_out = request.hold_out.value_or(in_whole_visits(request, usual, kMostEvaluations));
  if (!request.budget) return plan;

  // With a budget too, what was asked for must fit, and the rest shares what is left.
  const std::int64_t budget = *request.budget;
  const std::int64_t fixed = plan.search() + (request.re_evaluation ? plan.re_evaluation : 0) +
                             (request.hold_out ? points * plan.hold_out : 0);
  if (fixed > budget) {
    node.fail(
        fmt::format("{} x {} with what is asked for beside them make {}, the budget allows {}",
                    counted(plan.runs, "run"), counted(plan.iterations, "iteration"),
                    counted(fixed, "evaluation"), count_text(budget)));
  }
  std::int64_t left = budget - fixed;
  if (!request.re_evaluation) left -= plan.re_evaluation = std::min(plan.re_evaluation, left);
  if (!request.hold_out) plan.hold_out = in_whole_visits(request, plan.hold_out, left / points);
  return plan;
}

/// Refuses the hold-out of the file where a smaller one would leave something for the runs.
void refuse_hold_out(const PlanRequest& request, const RunPlan& plan) {
  if (request.hold_out_place == nullptr) return;
  const std::int64_t budget = *request.budget;
  const std::int64_t points = held_out(request);
  const auto leaves_runs = [&](std::int64_t hold_out) {
    const std::int64_t rest = budget - points * hold_out;
    const std::int64_t compared =
        !compares_points(request, plan.runs)
            ? 0
            : request.re_evaluation.value_or(auto_re_evaluation(request, rest, request.share));
    return rest - compared >= plan.runs;
  };
  // The larger the hold-out, the less it leaves: the most that is allowed is found by halving.
  const std::int64_t most = std::min(plan.hold_out, (budget - plan.runs) / points);
  if (most < 0) return;
  std::int64_t refused = 0;
  std::int64_t end = most + 1;
  while (refused < end) {
    const std::int64_t middle = std::midpoint(refused, end);
    if (leaves_runs(middle)) {
      refused = middle + 1;
    } else {
      end = middle;
    }
  }
  if (refused == 0) return;
  request.hold_out_place->fail(fmt::format(
      "{}{} leave nothing of a budget of {} for {}; allowed: 0 to {}", count_text(plan.hold_out),
      request.holds_out_incumbent ? " each for the recommendation and the default"
      : points > 1                ? " for each run"
                                  : "",
      count_text(budget), counted(plan.runs, "run"), count_text(refused - 1)));
}

/// The budget is given: the runs get what re-evaluation and hold-out leave.
RunPlan plan_from_budget(const PlanRequest& request, const YamlNode& node) {
  const std::int64_t budget = *request.budget;
  const std::int64_t points = held_out(request);
  RunPlan plan{.runs = request.runs};
  plan.hold_out = request.hold_out.value_or(auto_hold_out_of(request, budget));
  const std::int64_t rest = budget - points * plan.hold_out;
  const bool compares = compares_points(request, plan.runs);
  if (compares) {
    plan.re_evaluation = request.re_evaluation.value_or(
        auto_re_evaluation(request, std::max<std::int64_t>(0, rest), request.share));
  }
  // The runs share what remains.
  plan.iterations = (rest - plan.re_evaluation) / plan.runs;
  if (plan.iterations < 1) {
    refuse_hold_out(request, plan);
    const std::string problem =
        fmt::format("{} leaves nothing for {} after {} and {}", count_text(budget),
                    counted(plan.runs, "run"), counted(plan.re_evaluation, "re-evaluation"),
                    counted(points * plan.hold_out, "hold-out evaluation"));
    if (request.budget_place != nullptr) request.budget_place->fail(problem);
    node.fail("a budget of " + problem);
  }
  if (request.uses_all) use_up(request, plan);
  return plan;
}

}  // namespace

std::int64_t in_whole_visits(const PlanRequest& request, std::int64_t wanted, std::int64_t most) {
  const std::int64_t instances = request.held_out_instances;
  if (instances < 2 || 2 * wanted < instances) return std::min(wanted, most);
  // The multiple that is nearest, or the largest that is allowed.
  const std::int64_t nearest = std::max<std::int64_t>(1, (wanted + instances / 2) / instances);
  const std::int64_t visits = std::min(nearest, most / instances);
  return visits > 0 ? visits * instances : std::min(wanted, most);
}

std::string RunPlan::label() const {
  if (adaptive) return fmt::format("adaptive {}", count_text(iterations));
  const std::string text = fmt::format("{} x {}", count_text(runs), count_text(iterations));
  return re_evaluation > 0 ? fmt::format("{} + {}", text, count_text(re_evaluation)) : text;
}

RunPlan make_plan(const PlanRequest& request, const YamlNode& node) {
  // Both are given: then the number of runs follows.
  if (request.fits_runs && request.iterations && request.budget) {
    PlanRequest fitted = request;
    fitted.fits_runs = false;
    fitted.runs = fitting_runs(request);
    RunPlan plan = plan_from_iterations(fitted, node);
    use_up(fitted, plan);
    return plan;
  }
  if (request.iterations) return plan_from_iterations(request, node);
  if (request.budget) return plan_from_budget(request, node);
  PlanRequest filled = request;
  constexpr std::int64_t kDefaultIterations = 1000;
  filled.iterations = kDefaultIterations;
  return plan_from_iterations(filled, node);
}

}  // namespace ntune
