#include "ntune/report/data/rivals.h"

#include <algorithm>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/report/data/json_fields.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// Count, mean and interval; false where there are none.
bool read_fresh(Rival& rival, const Json& fresh) {
  if (!fresh.is_object()) return false;
  rival.n = fresh.value("n", std::int64_t{0});
  rival.mean = fresh.value("mean", 0.0);
  rival.interval = interval_at(fresh, "interval");
  return rival.n > 0;
}

/// The recommendation's own measurement, where the comparison is not known: of merged studies.
void read_hold_out(Rival& rival, const Json& recommendation) {
  if (!read_fresh(rival, recommendation.value("hold_out", Json()))) return;
  rival.interval = interval_at(recommendation, "interval");
}

}  // namespace

std::vector<Rival> rivals_of(const StudyFolder& study) {
  std::vector<Rival> rivals;
  const Json& result = study.result;
  if (!result.is_object() || study.study.is_comparison()) return rivals;
  const Objective& objective = study.objective(0);
  const Json recommendation = result.value("recommendation", Json());
  Json rows = result.value("recommended_by_runs", Json());
  if (!rows.is_array() || rows.empty()) {
    if (!recommendation.is_object()) return rivals;
    rows = Json::array({recommendation});
  }
  for (const Json& row : rows) {
    Rival rival{.point = read_point(parse_yaml(to_yaml(row["parameters"]), "result.json"),
                                    objective.space()),
                .runs = row.value("runs", std::int64_t{0}),
                .best_probability = number_at(row, "best_probability"),
                .regret = number_at(row, "regret")};
    rival.recommended = recommendation.is_object() &&
                        recommendation.value("parameters", Json()) == row["parameters"];
    rival.stopped = row.value("stopped", false);
    const bool compared = read_fresh(rival, row.value("fresh", Json()));
    if (rival.recommended && !compared) read_hold_out(rival, recommendation);
    rival.true_value = true_value_of(objective, rival.point);
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
