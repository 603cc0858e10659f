#include "ntune/study/results/elo_text.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/study/study.h"

namespace ntune {

namespace {

Json finite_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// "+12.3  95 % interval [+1.0, +23.6]".
std::string rating_line(const Rating& rating) {
  return fmt::format("{:+.1f}  95 % interval [{:+.1f}, {:+.1f}]", rating.value, rating.interval.low,
                     rating.interval.high);
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

Json elo_json(const GameCounts& counts) {
  if (counts.empty()) return nullptr;
  Json json = rating_json(match_elo(counts));
  json["normalised_elo"] = rating_json(normalised_elo(counts));
  json["wins"] = counts.games.wins;
  json["draws"] = counts.games.draws;
  json["losses"] = counts.games.losses;
  json["pentanomial"] = counts.are_paired() ? Json(counts.pairs.counts) : Json();
  return json;
}

Json elo_json(const Pick& pick) {
  Json json = elo_json(pick.games());
  if (!json.is_null()) json["from"] = pick.hold_out.measured() ? "hold_out" : "comparison";
  return json;
}

std::string elo_text(const Pick& pick) {
  const GameCounts& counts = pick.games();
  if (counts.empty()) return {};
  const auto& [wins, draws, losses] = counts.games;
  std::string text = fmt::format(
      "  Elo          {}  from {}{}: {}, {}, {}\n", rating_line(match_elo(counts)),
      counted(counts.games.games(), "game"),
      pick.hold_out.measured() ? "" : " of the comparison, which chose it", counted(wins, "win"),
      counted(draws, "draw"), losses == 1 ? "1 loss" : count_text(losses) + " losses");
  text += fmt::format("  nElo         {}  (normalised Elo)\n", rating_line(normalised_elo(counts)));
  if (counts.are_paired()) {
    text += fmt::format("  pairs        {}  (of 0, 1/2, 1, 3/2 and 2 points)\n",
                        fmt::join(counts.pairs.counts, " "));
  }
  return text;
}

}  // namespace ntune
