#include "ntune/study/budget/workload.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/text.h"
#include "ntune/core/time_text.h"

namespace ntune {

namespace {

/// Evaluations of one repeat of a cell after the runs.
std::int64_t after_search(const Study& study, const RunPlan& plan) {
  return plan.re_evaluation + study.points_held_out(plan) * plan.hold_out;
}

}  // namespace

Workload workload_of(const Study& study, std::span<const double> seconds, int threads) {
  const auto optimisers = static_cast<std::int64_t>(study.optimisers.size());
  // Searches and what follows them, in seconds of evaluations.
  std::int64_t runs = 0;
  double search = 0.0;
  double rest = 0.0;
  for (const RunPlan& plan : study.plans) {
    const std::int64_t repeats = study.repeats * optimisers;
    runs += repeats * plan.runs * static_cast<std::int64_t>(study.objectives.size());
    for (const double one : seconds) {
      search += one * static_cast<double>(repeats * plan.search());
      rest += one * static_cast<double>(repeats * after_search(study, plan));
    }
  }
  const std::int64_t in_flight = study.execution.parallel_evaluations;
  Workload workload{.evaluations = total_evaluations(study)};
  workload.at_once = std::min<std::int64_t>(threads, runs * in_flight);
  // After the search the evaluations of a point do not wait for one another.
  const std::int64_t after = in_flight > 1 ? std::min<std::int64_t>(threads, in_flight) : threads;
  workload.seconds =
      search / static_cast<double>(workload.at_once) + rest / static_cast<double>(after);
  return workload;
}

namespace {

/// What fits into the limit of time when an evaluation takes so long.
std::string fitting_text(const Study& study, double seconds, int threads) {
  const double limit = *study.limits.seconds;
  const auto needed = [&](const RunPlan& plan) {
    Study fitted = study;
    fitted.plans = {plan};
    const double one[] = {seconds};
    return workload_of(fitted, one, threads).seconds;
  };
  // The largest number of evaluations that the limit allows, by bisection.
  std::int64_t low = 0;
  std::int64_t high = kOpenIterations;
  if (!study.limited->open) high = evaluations_of(study, study.limited->whole) + 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (needed(plan_within(study, middle)) <= limit ? low : high) = middle;
  }
  const RunPlan plan = plan_within(study, low);
  std::string text = fmt::format("in {} at {}: about {}", exact_duration_text(limit),
                                 duration_text(seconds), counted(low, "evaluation"));
  if (low == 0) return text + ", one alone takes longer";
  return text + fmt::format(" ({} and {} hold-out), optimisers not counted", plan.label(),
                            count_text(study.points_held_out(plan) * plan.hold_out));
}

}  // namespace

std::string workload_text(const Study& study, std::span<const double> seconds, int threads,
                          std::optional<double> cost) {
  constexpr double kInstant = 1e-4;
  if (study.limits.seconds) return fitting_text(study, std::max(seconds[0], 1e-6), threads);
  if (study.limited && study.limited->open) {
    return fmt::format(
        "as many evaluations as {} allows; one {}takes {}", limits_text(study.limits),
        cost ? fmt::format("costs {:.3g} and ", *cost) : "", duration_text(seconds[0]));
  }
  // What takes no time to speak of is not estimated.
  const Workload workload = workload_of(study, seconds, threads);
  std::string text = counted(workload.evaluations, "evaluation");
  if (std::ranges::max(seconds) < kInstant) return text;
  std::vector<std::string> durations;
  for (const double one : seconds) durations.push_back(duration_text(one));
  text += fmt::format(", about {} at {}, {} at a time", duration_text(workload.seconds),
                      fmt::join(durations, " and "), workload.at_once);
  if (study.advise_budget > 0) return text + ", less where several runs are chosen";
  if (workload.at_once >= threads) return text;
  return text +
         fmt::format(" (of {} threads; parallel_evaluations keeps several of a run in flight)",
                     threads);
}

}  // namespace ntune
