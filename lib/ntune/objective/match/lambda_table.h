#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/seated_games.h"
#include "ntune/objective/settings.h"

namespace ntune {

/// A game of 2 to 8 players from a callable: (settings of all seats, rng) plays one game and
/// returns the points of every seat, of which more is better: scores, ranks with a minus sign, or 1
/// for the winner and 0 for the others. A MatchObjective whose rules have `players` makes matches
/// of it. The callable must draw all its random numbers from `rng`, and be safe to call from
/// several threads at once unless the study is run by one. Throws InputError if it is empty.
class LambdaTable final : public Objective, public SeatedGames {
 public:
  using Function = std::function<std::vector<double>(std::span<const Settings>, Rng&)>;

  LambdaTable(SearchSpace space, Function function, std::string name = "lambda")
      : space_(std::move(space)), function_(std::move(function)), name_(std::move(name)) {
    if (!function_) throw InputError("game '" + name_ + "': the function is empty");
  }

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// Throws EvaluationError: a game takes the players of all seats.
  [[nodiscard]] double evaluate(const Point& /*point*/, Rng& /*rng*/) const override {
    throw EvaluationError("is a game with seats: give it to a MatchObjective with players");
  }
  /// Throws EvaluationError where the points are not a finite number for each seat.
  [[nodiscard]] Outcome play_seated(const Seating& seating, Rng& rng,
                                    const EvaluationId& /*id*/) const override {
    std::vector<Settings> seats;
    for (std::size_t seat = 0; seat < seating.seats.size(); ++seat) {
      seats.emplace_back(space_, seating.at(seat));
    }
    const std::vector<double> points = function_(seats, rng);
    const auto is_finite = [](double number) { return std::isfinite(number); };
    if (points.size() != seats.size() || !std::ranges::all_of(points, is_finite)) {
      throw EvaluationError(
          fmt::format("a game has {} points: {} finite numbers are allowed, one for each seat",
                      points.size(), seats.size()));
    }
    return outcome_of(single_game(seating.points(points)));
  }
  [[nodiscard]] bool needs_seats() const override { return true; }
  [[nodiscard]] const SeatedGames* seated_games() const override { return this; }
  [[nodiscard]] std::string description() const override { return name_; }
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = 0.0, .high = 1.0, .games = true};
  }

 private:
  SearchSpace space_;
  Function function_;
  std::string name_;
};

}  // namespace ntune
