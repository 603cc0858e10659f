#pragma once

#include <CLI/CLI.hpp>

#include "apps/arcade/arguments.h"

namespace ntune::arcade {

// Options that several commands have.

/// The positional GAME.
void add_game_argument(CLI::App& command, Game& game);

/// --agent, --opponent, --rules and --seed.
void add_player_options(CLI::App& command, GameArguments& arguments);

}  // namespace ntune::arcade
