#include "ntune/study/results/elo_text.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

Json finite_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// "+12.3  95 % interval [+1.0, +23.6]".
std::string rating_line(const Rating& rating) {
  return fmt::format("{:+.1f}  95 % interval [{:+.1f}, {:+.1f}]", rating.value, rating.interval.low,
                     rating.interval.high);
}

/// Elo of games that were held out: of their value, with its interval.
struct MatchRatings {
  Rating elo;
  Rating normalised;
};

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

MatchRatings ratings_of(const Unit& unit, const HoldOut& held_out) {
  const GameCounts& games = held_out.games;
  if (!held_out.interval || held_out.aggregate) return {match_elo(games), normalised_elo(games)};
  const double score = held_out.value(unit);
  const bool by_games = held_out.observed || held_out.payoffs.count() == games.games.games();
  return {rating_of_score(score, *held_out.interval),
          by_games && !held_out.stratified ? normalised_elo(games)
                                           : normalised_at(games, score, *held_out.interval)};
}

Json elo_json(const GameCounts& counts, const MatchRatings& ratings) {
  Json json = rating_json(ratings.elo);
  json["normalised_elo"] = rating_json(ratings.normalised);
  json["wins"] = counts.games.wins;
  json["draws"] = counts.games.draws;
  json["losses"] = counts.games.losses;
  json["pentanomial"] = counts.are_paired() ? Json(counts.pairs.counts) : Json();
  return json;
}

}  // namespace

std::string rating_text(const Rating& rating) {
  return fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", rating.value, rating.interval.low,
                     rating.interval.high);
}

Json rating_json(const std::optional<Rating>& rating) {
  if (!rating) return nullptr;
  return {{"value", finite_json(rating->value)},
          {"interval",
           Json::array({finite_json(rating->interval.low), finite_json(rating->interval.high)})}};
}

std::string forfeits_text(const EarlyEndings& endings) {
  const Forfeits& forfeits = endings.forfeits;
  const std::int64_t count = forfeits.games();
  if (count == 0) return {};
  std::vector<std::string> players;
  for (const auto& [player, counts] :
       {std::pair("the player", &forfeits.first), {"the opponent", &forfeits.second}}) {
    std::vector<std::string> causes;
    for (std::size_t i = 0; i < counts->size(); ++i) {
      if ((*counts)[i] == 0) continue;
      causes.push_back(fmt::format("{} {}", count_text((*counts)[i]), Forfeits::kTexts[i]));
    }
    if (!causes.empty()) players.push_back(fmt::format("{} {}", player, list_text(causes, "and")));
  }
  return fmt::format("{} of {} ({:.1f} %) lost by a fault: {}\n", count_text(count),
                     counted(endings.games, "game"),
                     100.0 * static_cast<double>(count) / static_cast<double>(endings.games),
                     fmt::join(players, "; "));
}

bool are_many_forfeits(const EarlyEndings& endings) {
  return 20 * endings.forfeits.games() > endings.games;
}

Json forfeits_json(const EarlyEndings& endings) {
  const Forfeits& forfeits = endings.forfeits;
  if (forfeits.games() == 0) return nullptr;
  Json json = {{"games", endings.games}, {"count", forfeits.games()}};
  for (std::size_t i = 0; i < forfeits.first.size(); ++i) {
    json["player"][Forfeits::kNames[i]] = forfeits.first[i];
    json["opponent"][Forfeits::kNames[i]] = forfeits.second[i];
  }
  return json;
}

Json elo_json(const GameCounts& counts) {
  if (counts.empty()) return nullptr;
  return elo_json(counts, {match_elo(counts), normalised_elo(counts)});
}

Json elo_json(const Unit& unit, const HoldOut& held_out) {
  if (held_out.games.empty()) return nullptr;
  return elo_json(held_out.games, ratings_of(unit, held_out));
}

Json elo_json(const Unit& unit, const Pick& pick) {
  const bool held_out = pick.hold_out.measured();
  Json json = held_out ? elo_json(unit, pick.hold_out) : elo_json(pick.games());
  if (!json.is_null()) json["from"] = held_out ? "hold_out" : "comparison";
  return json;
}

std::string elo_text(const Unit& unit, const Pick& pick) {
  const GameCounts& counts = pick.games();
  if (counts.empty()) return {};
  const MatchRatings ratings = pick.hold_out.measured()
                                   ? ratings_of(unit, pick.hold_out)
                                   : MatchRatings{match_elo(counts), normalised_elo(counts)};
  const auto& [wins, draws, losses] = counts.games;
  std::string text = fmt::format(
      "  Elo          {}  from {}{}: {}, {}, {}\n", rating_line(ratings.elo),
      counted(counts.games.games(), "game"),
      pick.hold_out.measured() ? "" : " of the comparison, which chose it", counted(wins, "win"),
      counted(draws, "draw"), losses == 1 ? "1 loss" : count_text(losses) + " losses");
  text += fmt::format("  nElo         {}  (normalised Elo)\n", rating_line(ratings.normalised));
  if (counts.are_paired()) {
    text += fmt::format("  pairs        {}  (of 0, 1/2, 1, 3/2 and 2 points)\n",
                        fmt::join(counts.pairs.counts, " "));
  }
  return text;
}

}  // namespace ntune
