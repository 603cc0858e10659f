#include "ntune/study/results/duel_result.h"

#include <optional>

#include <fmt/format.h>

#include "ntune/core/circular_triples.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/results/elo_text.h"
#include "ntune/study/results/summary.h"

namespace ntune {

namespace {

/// By the model of the run that recommends the point, which must have an interval.
std::optional<Rating> model_elo(const Objective& objective, const Pick& pick) {
  if (!pick.certainty || pick.incumbent->recommended) return std::nullopt;
  const Interval interval = estimate_interval(objective, pick);
  return Rating{.value = elo_of_score(pick.estimate),
                .interval = {elo_of_score(interval.low), elo_of_score(interval.high)}};
}

MatchTable all_matches(const std::vector<RunRecord>& runs) {
  MatchTable table;
  for (const RunRecord& run : runs) table.merge(run.matches);
  return table;
}

Json triples_json(const SearchSpace& space, const std::vector<RunRecord>& runs) {
  const MatchTable table = all_matches(runs);
  const CircularTriples triples = find_circular_triples(table.meetings());
  Json circular = Json::array();
  for (const CircularTriple& triple : triples.found) {
    Json players = Json::array();
    Json matches = Json::array();
    for (const Meeting& meeting : triple.meetings) {
      players.push_back(point_json(table.points()[meeting.first], space));
      matches.push_back({meeting.won, meeting.drawn, meeting.lost});
    }
    circular.push_back({{"players", players}, {"matches", matches}, {"p_value", triple.p_value}});
  }
  return {{"looked_at", triples.looked_at}, {"circular", circular}};
}

bool has_moved(const Objective& objective, const Pick& pick, int parameter) {
  const SearchSpace& space = objective.space();
  const Point& before = pick.incumbent->point;
  if (!space.is_active(pick.point, parameter)) return false;
  return !space.is_active(before, parameter) ||
         space.value(before, parameter) != space.value(pick.point, parameter);
}

}  // namespace

bool compares_duels(const Objective& objective, const Pick& pick) {
  return are_duels(objective) && pick.incumbent.has_value();
}

std::string moved_text(const Objective& objective, const Pick& pick, int parameter) {
  if (!compares_duels(objective, pick) || !has_moved(objective, pick, parameter)) return {};
  const SearchSpace& space = objective.space();
  const Point& before = pick.incumbent->point;
  if (!space.is_active(before, parameter)) return "  (default inactive)";
  return fmt::format("  (default {})", printable(value_text(space.value(before, parameter)), 60));
}

std::string duel_text(const Objective& objective, const Pick& pick) {
  std::string text;
  const auto& probability = pick.incumbent->probability_better;
  if (pick.hold_out.measured() && !pick.incumbent->recommended && probability) {
    text += fmt::format("  LOS          {:.1f} %  by the fresh games\n", 100.0 * *probability);
  }
  if (const auto rating = model_elo(objective, pick)) {
    text += fmt::format("  model        Elo {}  above the default, by all games of run {}\n",
                        rating_text(*rating), pick.run);
  }
  return text;
}

std::string triples_text(const SearchSpace& space, const std::vector<RunRecord>& runs) {
  const MatchTable table = all_matches(runs);
  const CircularTriples triples = find_circular_triples(table.meetings());
  if (triples.looked_at == 0) return {};
  if (triples.found.empty()) {
    return fmt::format("  triples      none of {} beat each other in a circle\n",
                       count_text(triples.looked_at));
  }
  std::string text = fmt::format(
      "  triples      {} of {} beat each other in a circle, so that no strengths "
      "explain all results; p = {:.2g}:\n",
      count_text(std::ssize(triples.found)), count_text(triples.looked_at),
      triples.found.front().p_value);
  for (const Meeting& meeting : triples.found.front().meetings) {
    text += fmt::format("                 {}  won {}, drew {} and lost {} matches with the next\n",
                        printable(space.text(table.points()[meeting.first]), 120), meeting.won,
                        meeting.drawn, meeting.lost);
  }
  return text;
}

Json duel_json(const Objective& objective, const CellResult& cell) {
  const Pick& pick = cell.picks[0];
  Json moved = Json::object();
  const SearchSpace& space = objective.space();
  const Point& before = pick.incumbent->point;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!has_moved(objective, pick, i)) continue;
    moved[space[i].name] = {
        space.is_active(before, i) ? value_json(space.value(before, i)) : Json(),
        value_json(space.value(pick.point, i))};
  }
  const auto& probability = pick.incumbent->probability_better;
  return {{"model_elo", rating_json(model_elo(objective, pick))},
          {"los", pick.hold_out.measured() && probability ? Json(*probability) : Json()},
          {"moved", moved},
          {"triples", triples_json(space, cell.runs)}};
}

}  // namespace ntune
