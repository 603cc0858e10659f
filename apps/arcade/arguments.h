#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/arcade/agents.h"
#include "apps/common/arguments.h"
#include "apps/common/progress.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"

namespace ntune::arcade {

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
};

/// The rules of --rules. Throws InputError.
template <class Rules>
Rules rules_of(const GameArguments& arguments);
extern template PlanetWarsRules rules_of(const GameArguments&);
extern template AsteroidsRules rules_of(const GameArguments&);

/// The players of a game: the agent, and the opponent where there is one. Throws InputError.
std::vector<Player> players_of(const GameArguments& arguments);

/// The stream of game `index` of a seed: the same as that of `ntune eval --seed`.
inline Rng game_stream(std::int64_t seed, std::uint64_t index) {
  return rng_of(seed).stream("eval", index);
}

/// Thrown in the middle of a game that is not to be finished.
struct Stopped {};

/// Calls act(progress, parallel) with a display of `total` steps. True if it was interrupted.
template <class Act>
bool interrupted_while(std::int64_t total, const char* unit, const OutputArguments& output,
                       const cli::Terminal& terminal, Act act) {
  Progress progress;
  progress.total = total;
  Parallel parallel(output.threads);
  const cli::ProgressDisplay display(progress, unit, terminal, output.quiet);
  try {
    act(progress, parallel);
  } catch (const Stopped&) {
    return true;
  }
  return progress.stop;
}

}  // namespace ntune::arcade
