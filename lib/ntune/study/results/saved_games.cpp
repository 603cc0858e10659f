#include <cmath>

#include "ntune/objective/capabilities.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

namespace {

/// Normalised Elo of a score and its interval, by the variance of the games at either.
Rating normalised_at(const GameCounts& counts, double score, const Interval& interval) {
  const double mean = counts.games.score();
  const double variance =
      counts.are_paired() ? 2.0 * counts.pairs.variance() : counts.games.variance();
  const double most = mean * (1.0 - mean);
  const double factor = variance > 0.0 ? variance / most : 1.0;
  const auto at = [&](double x) {
    return x == 0.5 ? 0.0 : kNormalisedElo * (x - 0.5) / std::sqrt(factor * x * (1.0 - x));
  };
  return {at(score), {at(interval.low), at(interval.high)}};
}

/// Elo of the pick above the default, by the model of its run; nothing where that has no interval.
std::optional<Rating> model_elo(const Objective& objective, const Pick& pick) {
  if (!pick.certainty || pick.incumbent->recommended) return std::nullopt;
  const Interval interval = estimate_interval(objective, pick);
  return Rating{.value = elo_of_score(pick.estimate),
                .interval = {elo_of_score(interval.low), elo_of_score(interval.high)}};
}

/// True if a parameter that `after` uses has another value in `before`, or is not used there.
bool has_moved(const SearchSpace& space, const Point& before, const Point& after, int parameter) {
  if (!space.is_active(after, parameter)) return false;
  return !space.is_active(before, parameter) ||
         space.value(before, parameter) != space.value(after, parameter);
}

}  // namespace

SavedElo saved_elo(const GameCounts& counts) {
  return {.elo = match_elo(counts), .normalised = normalised_elo(counts), .games = counts};
}

SavedElo saved_elo(const Unit& unit, const HoldOut& held_out) {
  const GameCounts& games = held_out.games;
  std::optional<bool> unequal;
  if (are_of_unequal_games(held_out.by_games)) unequal = true;
  if (!held_out.interval || held_out.aggregate) return saved_elo(games);
  const double score = held_out.value(unit);
  const bool single = held_out.payoffs.count() == games.games.games() && !held_out.stratified;
  return {.elo = rating_of_score(score, *held_out.interval),
          .normalised = held_out.observed || single
                            ? normalised_elo(games)
                            : normalised_at(games, score, *held_out.interval),
          .games = games,
          .unequal_games = unequal};
}

SavedElo saved_elo(const Unit& unit, const Pick& pick) {
  const bool held_out = pick.hold_out.measured();
  SavedElo elo = held_out ? saved_elo(unit, pick.hold_out) : saved_elo(pick.games());
  elo.from = held_out ? "hold_out" : "comparison";
  return elo;
}

SavedDuels saved_duels(const Objective& objective, const CellResult& cell) {
  const Pick& pick = cell.picks[0];
  SavedDuels duels;
  duels.compared = are_duels(objective) && pick.incumbent.has_value();
  if (!duels.compared) return duels;
  duels.model_elo = model_elo(objective, pick);
  // The default is not superior to itself, nor is it inferior.
  if (pick.hold_out.measured() && !pick.incumbent->recommended) {
    duels.los = pick.incumbent->probability_better;
  }
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

}  // namespace ntune
