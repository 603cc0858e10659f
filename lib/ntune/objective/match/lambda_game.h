#pragma once

#include <functional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/settings.h"

namespace ntune {

/// A game of two players from a callable: (settings, settings, rng) plays one game, of whom the
/// first begins, and returns the points of the first: 1, 1/2 or 0. A MatchObjective makes matches
/// of it, in which a pair of games is played with the same random numbers from either side. The
/// callable must draw all its random numbers from `rng`, and be safe to call from several threads
/// at once unless the study is run by one. Throws InputError if it is empty.
class LambdaGame final : public Objective, public Matches {
 public:
  using Function = std::function<double(const Settings&, const Settings&, Rng&)>;

  LambdaGame(SearchSpace space, Function function, std::string name = "lambda")
      : space_(std::move(space)), function_(std::move(function)), name_(std::move(name)) {
    if (!function_) throw InputError("game '" + name_ + "': the function is empty");
  }

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  /// Throws EvaluationError: it takes two players.
  [[nodiscard]] double evaluate(const Point& /*point*/, Rng& /*rng*/) const override {
    throw EvaluationError("is a game of two players: give it to a MatchObjective");
  }
  /// Throws EvaluationError where a game has other points than 1, 1/2 and 0.
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& /*id*/) const override {
    const Settings one(space_, first);
    const Settings other(space_, second);
    Rng same = rng;
    const double begun = points_of(function_(one, other, rng));
    return outcome_of(pair_of_games(begun, 1.0 - points_of(function_(other, one, same))));
  }
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] std::string description() const override { return name_; }
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = 0.0, .high = 1.0, .games = true};
  }

 private:
  static double points_of(double points) {
    if (points == 0.0 || points == 0.5 || points == 1.0) return points;
    throw EvaluationError(fmt::format("a game has {} points: 1, 1/2 or 0 are allowed", points));
  }

  SearchSpace space_;
  Function function_;
  std::string name_;
};

}  // namespace ntune
