#include "ntune/report/data/rivals.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/objective/capabilities.h"

namespace ntune {

std::string rival_name(const StudyFolder& study, const std::vector<Rival>& rivals,
                       std::size_t place) {
  const Rival& rival = rivals[place];
  if (rival.recommended) return "recommended";
  if (rival.point == study.study.beginning.incumbent) return "default";
  return fmt::format("{}#{}", rival.runs == 0 ? "start " : "", place + 1);
}

std::vector<Rival> rivals_of(const StudyFolder& study) {
  std::vector<Rival> rivals;
  if (!study.result || study.study.is_comparison()) return rivals;
  const Objective& objective = study.objective(0);
  const auto& chosen = study.result->recommendation;
  std::vector<SavedCandidate> rows = study.result->candidates;
  if (rows.empty() && chosen) {
    rows.push_back({.point = chosen->point,
                    .best_probability = chosen->best_probability,
                    .regret = chosen->regret});
  }
  for (const SavedCandidate& row : rows) {
    Rival rival{.point = row.point,
                .runs = row.runs,
                .recommended = chosen && row.point == chosen->point,
                .stopped = row.stopped.value_or(false),
                .true_value = true_value_of(objective, row.point),
                .best_probability = row.best_probability,
                .regret = row.regret};
    const auto take = [&](const SavedPayoffs& fresh, const std::optional<Interval>& interval) {
      rival.n = fresh.n;
      rival.mean = fresh.mean;
      rival.interval = interval;
    };
    if (row.fresh) {
      take(*row.fresh, row.fresh->interval);
    } else if (rival.recommended && chosen->fresh.hold_out) {
      // The comparison is not known: of merged studies.
      take(*chosen->fresh.hold_out, chosen->fresh.interval);
    }
    rivals.push_back(std::move(rival));
  }
  const double sign = objective.unit().direction();
  std::ranges::stable_sort(rivals, [&](const Rival& a, const Rival& b) {
    if (a.recommended != b.recommended) return a.recommended;
    if ((a.n > 0) != (b.n > 0)) return a.n > 0;
    return sign * a.mean > sign * b.mean;
  });
  return rivals;
}

}  // namespace ntune
