#include "ntune/study/results/duel_result.h"

#include "ntune/core/circular_triples.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

/// By the model of the run that recommends the point, which must have an interval.
std::optional<Rating> model_elo(const Objective& objective, const Pick& pick) {
  if (!pick.certainty || pick.incumbent->recommended) return std::nullopt;
  const Interval interval = estimate_interval(objective, pick);
  return Rating{.value = elo_of_score(pick.estimate),
                .interval = {elo_of_score(interval.low), elo_of_score(interval.high)}};
}

void add_triples(SavedDuels& duels, const std::vector<RunRecord>& runs) {
  MatchTable table;
  for (const RunRecord& run : runs) table.merge(run.matches);
  const CircularTriples triples = find_circular_triples(table.meetings());
  duels.triples = triples.looked_at;
  for (const CircularTriple& triple : triples.found) {
    SavedTriple& saved = duels.circular.emplace_back(SavedTriple{.p_value = triple.p_value});
    for (const Meeting& meeting : triple.meetings) {
      saved.players.push_back(table.points()[meeting.first]);
      saved.matches.push_back({meeting.won, meeting.drawn, meeting.lost});
    }
  }
}

}  // namespace

SavedDuels saved_duels(const Objective& objective, const CellResult& cell) {
  const Pick& pick = cell.picks[0];
  SavedDuels duels;
  add_triples(duels, cell.runs);
  duels.compared = are_duels(objective) && pick.incumbent.has_value();
  if (!duels.compared) return duels;
  duels.model_elo = model_elo(objective, pick);
  if (pick.hold_out.measured()) duels.los = pick.incumbent->probability_better;
  const SearchSpace& space = objective.space();
  const Point& before = pick.incumbent->point;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!has_moved(space, before, pick.point, i)) continue;
    duels.moved[space[i].name] = {
        space.is_active(before, i) ? value_json(space.value(before, i)) : Json(),
        value_json(space.value(pick.point, i))};
  }
  return duels;
}

bool has_moved(const SearchSpace& space, const Point& before, const Point& after, int parameter) {
  if (!space.is_active(after, parameter)) return false;
  return !space.is_active(before, parameter) ||
         space.value(before, parameter) != space.value(after, parameter);
}

}  // namespace ntune
