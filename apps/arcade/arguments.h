#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/arcade/agents.h"
#include "apps/common/arguments.h"
#include "apps/common/flags.h"
#include "ntune/core/json.h"
#include "ntune/core/rng.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"

namespace ntune::arcade {

using cli::Flags;
using cli::OutputArguments;
using cli::rng_of;

/// Who plays what.
struct GameArguments {
  Game game = Game::kPlanetWars;
  std::string agent = "rhea";
  std::string opponent;  ///< of Planet Wars; empty: 2020
  std::string rules;     ///< "name=value,…"; empty: the published ones
  std::string from;      ///< folder of a study that recommends the agent; empty: none
  std::int64_t seed = 1;

  /// --agent, --from, --opponent, --rules and --seed.
  void visit(Flags& flags);
  /// And before them the positional GAME.
  void visit_with_game(Flags& flags);
};

/// The rules of --rules. Throws InputError.
template <class Rules>
Rules rules_of(const GameArguments& arguments);
extern template PlanetWarsRules rules_of(const GameArguments&);
extern template AsteroidsRules rules_of(const GameArguments&);

/// The players of a game: the agent, and the opponent where there is one. Throws InputError.
std::vector<Player> players_of(const GameArguments& arguments);

/// game, agent, opponent, rules and seed, as far as there are any.
Json game_json(const GameArguments& arguments, const std::vector<Player>& players);

/// The stream of game `index` of a seed: the same as that of `ntune eval --seed`.
inline Rng game_stream(std::int64_t seed, std::uint64_t index) {
  return rng_of(seed).stream("eval", index);
}

/// What a study of a game recommends, and whom it was tuned against.
struct StudyGame {
  Player agent;
  std::optional<Player> opponent = {};  ///< of Planet Wars
  Json rules = {};                      ///< of the objective
};

/// The recommendation of `folder`, the one of `ntune run … --out`. Throws InputError where it is no
/// study of this game or recommends nothing.
StudyGame read_study_game(const std::string& folder, Game game);

}  // namespace ntune::arcade
