#pragma once

#include <optional>
#include <string>

#include "ntune/agents/forward_model/rolling_horizon_options.h"
#include "ntune/core/options.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/tuned_options.h"

namespace ntune {

/// The agent that is tuned.
struct ArcadeAgent {
  RollingHorizonOptions options = {};
  /// mutation_transducer and repeat_probability change nothing, as in the program of Goodman and
  /// Lucas 2020, which looked the first up under another name.
  bool legacy_inert = false;

  /// The options `agent` and `legacy_inert`.
  void visit(Options& visitor);
};

/// The opponents of the papers, by name:
///   2020           variant 2020, a gene changes with probability 0.01: what reproduces Table 2 of
///                  Goodman and Lucas 2020, whose configuration is not published
///   2020_faithful  the same with probability 0.2, as their text has it
///   2019           that of Lucas, Liu, Bravi, Gaina, Woodward, Volz and Perez-Liebana 2019
/// all with plans of 5 ticks, flip_one, shift_buffer and 2000 ticks per decision. Nothing for
/// another name.
std::optional<RollingHorizonOptions> arcade_opponent(const std::string& name);

/// The options of `objective: {game: planet_wars, …}`.
struct PlanetWarsOptions {
  ArcadeAgent agent = {};
  RollingHorizonOptions opponent = *arcade_opponent("2020");
  PlanetWarsRules rules = {};
  AutoInteger map = {};  ///< seed of the map of all games; automatic: each game has its own

  void visit(Options& visitor);
};

/// The options of `objective: {game: asteroids, …}`.
struct AsteroidsOptions {
  ArcadeAgent agent = {.options = {.sequence_length = 100}};
  AsteroidsRules rules = {};

  void visit(Options& visitor);
};

/// The beginning of the game of this stream: its map is drawn from the stream "map", its rocks from
/// "level". The rules of Asteroids must outlive the game.
PlanetWars start_game(const PlanetWarsRules& rules, const Rng& rng);
Asteroids start_game(const AsteroidsRules& rules, const Rng& rng);

/// What the objectives pay at the end: +1 where player 1, the agent, has a score above 0, else -1;
/// the score.
double payoff_of(const PlanetWars& end);
double payoff_of(const Asteroids& end);

/// Games by Rolling Horizon Evolution, whose options the parameters of the space stand in for.
class ArcadeObjective : public Objective {
 public:
  /// Throws InputError "parameter: …" for a parameter that is no option of the agent, or a value
  /// that it cannot take.
  ArcadeObjective(const ArcadeAgent& agent, SearchSpace space);

  [[nodiscard]] const SearchSpace& space() const override { return agent_.space(); }
  [[nodiscard]] Json defaults() const override;
  [[nodiscard]] RollingHorizonOptions agent_at(const Point& point) const;

 private:
  TunedOptions<RollingHorizonOptions> agent_;
  bool legacy_inert_;
};

/// Games of Planet Wars on random maps, or on one, won or lost (payoff_of).
class PlanetWarsObjective final : public ArcadeObjective, public Matches {
 public:
  /// On the space of 288 points of Table 1 where none is given.
  explicit PlanetWarsObjective(PlanetWarsOptions options, std::optional<SearchSpace> space = {});

  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = -1.0, .high = 1.0, .two_valued = true, .games = true};
  }
  [[nodiscard]] Unit unit() const override { return Unit::win_probability(); }

 private:
  [[nodiscard]] PlanetWars start(const Rng& rng) const;

  PlanetWarsOptions options_;
};

/// The final score of a game of Asteroids.
class AsteroidsObjective final : public ArcadeObjective {
 public:
  /// On the space of 336 points of Table 1 where none is given.
  explicit AsteroidsObjective(AsteroidsOptions options, std::optional<SearchSpace> space = {});

  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override;

 private:
  AsteroidsOptions options_;
};

/// The lines of the table of objectives.
ObjectiveEntry planet_wars_entry();
ObjectiveEntry asteroids_entry();

}  // namespace ntune
