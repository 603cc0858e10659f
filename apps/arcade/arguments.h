#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/flags.h"
#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/agents/forward_model/rolling_horizon.h"
#include "ntune/agents/forward_model/simple_agents.h"
#include "ntune/agents/forward_model/tree_search.h"
#include "ntune/core/json.h"
#include "ntune/core/rng.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"

namespace ntune::arcade {

enum class Game { kPlanetWars, kAsteroids };

/// Names of the games.
const std::vector<std::pair<std::string, Game>>& game_names();
/// "planet_wars".
std::string game_name(Game game);
/// "Planet Wars".
std::string game_title(Game game);

struct OneStepOptions {
  OpponentModel opponent_model = OpponentModel::kFirst;

  void visit(Options& options) { visit_opponent_model(options, opponent_model); }
};
/// The options of agents that have none.
struct RandomOptions {
  void visit(Options& /*options*/) {}
};
struct IdleOptions {
  void visit(Options& /*options*/) {}
};

using AgentOptions = std::variant<RollingHorizonOptions, TreeSearchOptions, OneStepOptions,
                                  RandomOptions, IdleOptions>;

/// Somebody who plays.
struct Player {
  std::string text;  ///< as the command line has it: "rhea:sequence_length=15"
  std::string name;  ///< "rhea"
  AgentOptions options;
};

/// An agent that can be asked for by name.
struct AgentKind {
  std::string name;
  std::string summary;
  AgentOptions planet_wars;  ///< its defaults there
  AgentOptions asteroids;
};
const std::vector<AgentKind>& agent_kinds();

/// The player of "NAME" or "NAME:option=value,option=value". Throws InputError that names the
/// option of the command line: an unknown agent, an option that it does not have or cannot take.
Player read_player(const std::string& option, const std::string& text, Game game);

/// {"agent": …, "options": {…}}.
Json player_json(const Player& player);

template <class State>
std::unique_ptr<GameAgent<State>> make_agent(const Player& player) {
  return std::visit(
      [](const auto& options) -> std::unique_ptr<GameAgent<State>> {
        using Kind = std::decay_t<decltype(options)>;
        if constexpr (std::is_same_v<Kind, RollingHorizonOptions>) {
          return std::make_unique<RollingHorizon<State>>(options);
        } else if constexpr (std::is_same_v<Kind, TreeSearchOptions>) {
          return std::make_unique<TreeSearch<State>>(options);
        } else if constexpr (std::is_same_v<Kind, OneStepOptions>) {
          return std::make_unique<OneStepAgent<State>>(options.opponent_model);
        } else if constexpr (std::is_same_v<Kind, RandomOptions>) {
          return std::make_unique<RandomAgent<State>>();
        } else {
          return std::make_unique<IdleAgent<State>>();
        }
      },
      player.options);
}

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
