#include "ntune/study/model/limits.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

std::int64_t evaluations_of(const Study& study, const RunPlan& plan) {
  return plan.search() + plan.re_evaluation + study.points_held_out(plan) * plan.hold_out;
}

RunPlan plan_within(const Study& study, std::int64_t evaluations) {
  static const YamlNode kNowhere = parse_yaml("");
  constexpr std::int64_t kFewest = 5;  // of each run, for a plan in parts
  constexpr std::int64_t kShare = 5;   // at most a fifth for what was asked for by number
  // The request of the file, for so many evaluations in all.
  const RunPlan& whole = study.limited->whole;
  PlanRequest request = study.limited->request;
  if (!study.limited->open && evaluations >= evaluations_of(study, whole)) return whole;
  if (!study.limited->open) request.runs = whole.runs;
  request.fits_runs = false;
  request.iterations = {};
  request.budget = evaluations;
  if (evaluations < kFewest * request.runs) {
    return {.runs = request.runs, .iterations = evaluations / request.runs};
  }
  const std::int64_t points = study.points_held_out(whole);
  const std::int64_t most = evaluations / kShare / points;
  // What is open is a part of these evaluations; what was asked for by number is a fifth at most.
  if (!request.hold_out && request.auto_hold_out == PlanRequest::AutoHoldOut::kTenth) {
    constexpr std::int64_t kLeast = 30;
    request.hold_out =
        in_whole_visits(request, std::min(std::max(kLeast, evaluations / 10), most), 2 * most);
  } else if (request.hold_out) {
    request.hold_out = std::min(*request.hold_out, most);
  }
  if (request.re_evaluation) {
    request.re_evaluation = std::min(*request.re_evaluation, evaluations / kShare);
  }
  return make_plan(request, kNowhere);
}

RunPlan plan_after_search(const Study& study, std::int64_t search) {
  const std::int64_t most = 2 * search + 1;
  RunPlan plan = plan_within(study, most);
  // Bisection: the search of a plan grows with its evaluations.
  for (std::int64_t low = search, high = most; high - low > 1;) {
    const std::int64_t middle = low + (high - low) / 2;
    const RunPlan tried = plan_within(study, middle);
    (tried.search() >= search ? high : low) = middle;
    if (tried.search() >= search) plan = tried;
  }
  return plan;
}

std::string limits_text(const Limits& limits) {
  std::vector<std::string> parts;
  if (limits.seconds) parts.push_back(exact_duration_text(*limits.seconds) + " of wall clock");
  if (limits.cost) parts.push_back("a cost of " + number_text(*limits.cost));
  return fmt::format("{}", fmt::join(parts, " and "));
}

}  // namespace ntune
