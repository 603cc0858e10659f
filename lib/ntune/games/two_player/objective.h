#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/agents/turn_game/turn_agent.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/games/two_player/games.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/game_entry.h"
#include "ntune/objective/tuned_options.h"

namespace ntune {

/// An evaluation of positions that has options, such as its weights: `visit` declares them.
template <class Evaluation, class Position>
concept TunableEvaluation = PositionEvaluator<Evaluation, Position> &&
    std::default_initializable<Evaluation> && std::copyable<Evaluation> &&
    requires(Evaluation& evaluation, Options& options) {
  evaluation.visit(options);
};

/// How a player searches, as options: those of SearchAgentOptions, then of AlphaBetaOptions.
struct TwoPlayerSearch {
  SearchAgentOptions agent = {.depth = 3};
  AlphaBetaOptions alpha_beta = {};

  void visit(Options& options);
};

/// A player as options: those of the evaluation, then how he searches.
template <class Evaluation>
struct TwoPlayerOptions {
  Evaluation evaluation = {};
  TwoPlayerSearch search = {};

  void visit(Options& options) {
    evaluation.visit(options);
    search.visit(options);
  }
};

/// A player with these options, by alpha-beta.
template <TurnGame Position, TunableEvaluation<Position> Evaluation>
std::unique_ptr<TurnAgent<Position>> make_two_player_agent(
    const TwoPlayerOptions<Evaluation>& player) {
  return std::make_unique<SearchAgent<Position>>(
      std::make_unique<AlphaBeta<Position, Evaluation>>(
          player.evaluation, player.search.alpha_beta.for_depth(player.search.agent.depth)),
      player.search.agent);
}

/// What the table of objectives needs to know of a game.
template <TurnGame Position>
struct TwoPlayerGame {
  std::string name;
  std::string summary;
  SearchSpace (*default_space)();  ///< such as one over the evaluation's weights
  Position start = {};
  bool draws = true;  ///< a game may end undecided
};

/// The options of `objective: {game: <name>, …}`. Those of the tuned player stand in the map
/// itself, those of the opponent in a map `opponent`.
template <class Evaluation>
struct TwoPlayerObjectiveOptions {
  TwoPlayerOptions<Evaluation> player = {};
  TwoPlayerOptions<Evaluation> opponent = {};
  int opening = 4;

  void visit(Options& visitor) {
    visitor.integer("opening", opening, between(0, 1000), "random moves at the start of a game");
    visitor.custom("opponent",
                   {.read =
                        [this](const YamlNode& node) {
                          opponent = read_options<TwoPlayerOptions<Evaluation>>(node);
                        },
                    .write = [this] { return options_json(opponent); },
                    .schema =
                        [this] {
                          Json schema = options_schema(opponent);
                          schema["default"] = options_json(opponent);
                          return schema;
                        }},
                   "the other player, with the same options");
    player.visit(visitor);
  }
};

/// Games against a fixed opponent from random openings and either side. A payoff is 1 for a win, 0
/// for a draw and -1 for a loss. A parameter of the space stands in for the player's option of the
/// same name.
template <TurnGame Position, TunableEvaluation<Position> Evaluation>
class TwoPlayerObjective final : public Objective, public Matches {
 public:
  using Player = TwoPlayerOptions<Evaluation>;

  /// On the game's default space where none is given. Throws InputError: a parameter or a value
  /// that the player cannot take.
  TwoPlayerObjective(TwoPlayerGame<Position> game,
                     const TwoPlayerObjectiveOptions<Evaluation>& options,
                     std::optional<SearchSpace> space = {})
      : game_(std::move(game)),
        opening_(options.opening),
        opponent_(options.opponent),
        player_(options.player, space ? *std::move(space) : game_.default_space()) {}

  [[nodiscard]] const SearchSpace& space() const override { return player_.space(); }
  [[nodiscard]] Player player_at(const Point& point) const { return player_.at(point); }

  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    const auto ours = make_two_player_agent<Position>(player_.at(point));
    const auto theirs = make_two_player_agent<Position>(opponent_);
    const int side = static_cast<int>(rng.below(2));
    const Position start = random_opening(game_.start, opening_, rng.stream("start"));
    return payoff_to(side, play_from_side(start, *ours, *theirs, side, rng));
  }

  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& /*id*/) const override {
    const auto ours = make_two_player_agent<Position>(player_.at(first));
    const auto theirs = make_two_player_agent<Position>(player_.at(second));
    const Position start = random_opening(game_.start, opening_, rng.stream("start"));
    return outcome_of(play_pair(start, *ours, *theirs, rng));
  }

  [[nodiscard]] Json defaults() const override { return player_.defaults(); }
  [[nodiscard]] std::string description() const override {
    return fmt::format("{} (opponent of depth {}), {}", game_.name, opponent_.search.agent.depth,
                       game_.draws ? "win, draw or loss" : "win or loss");
  }
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = -1.0, .high = 1.0, .two_valued = !game_.draws, .games = true};
  }
  /// The expected score: a win counts 1, a draw 1/2.
  [[nodiscard]] Unit unit() const override { return Unit::win_probability(); }

 private:
  TwoPlayerGame<Position> game_;
  int opening_;
  Player opponent_;
  TunedOptions<Player> player_;
};

/// The line of the table of objectives: all that a game needs beside its rules and an evaluation.
template <class Evaluation, TurnGame Position>
requires TunableEvaluation<Evaluation, Position> ObjectiveEntry
two_player_entry(const TwoPlayerGame<Position>& game) {
  using ObjectiveOptions = TwoPlayerObjectiveOptions<Evaluation>;
  return game_entry<ObjectiveOptions>(
      game.name, game.summary, [](const ObjectiveOptions& options) { return options.player; },
      [game](const ObjectiveOptions& options, std::optional<SearchSpace> space, const YamlNode&) {
        return std::make_unique<TwoPlayerObjective<Position, Evaluation>>(game, options,
                                                                          std::move(space));
      });
}

}  // namespace ntune
