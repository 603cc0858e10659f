#include "ntune/study/results/elo_result.h"

#include <cmath>

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

}  // namespace

SavedElo saved_elo(const GameCounts& counts) {
  return {.elo = match_elo(counts), .normalised = normalised_elo(counts), .games = counts};
}

SavedElo saved_elo(const Unit& unit, const HoldOut& held_out) {
  const GameCounts& games = held_out.games;
  if (!held_out.interval || held_out.aggregate) return saved_elo(games);
  const double score = held_out.value(unit);
  const bool by_games = held_out.observed || held_out.payoffs.count() == games.games.games();
  return {.elo = rating_of_score(score, *held_out.interval),
          .normalised = by_games && !held_out.stratified
                            ? normalised_elo(games)
                            : normalised_at(games, score, *held_out.interval),
          .games = games};
}

SavedElo saved_elo(const Unit& unit, const Pick& pick) {
  const bool held_out = pick.hold_out.measured();
  SavedElo elo = held_out ? saved_elo(unit, pick.hold_out) : saved_elo(pick.games());
  elo.from = held_out ? "hold_out" : "comparison";
  return elo;
}

}  // namespace ntune
