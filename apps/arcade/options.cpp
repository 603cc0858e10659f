#include "apps/arcade/options.h"

#include "apps/common/options.h"

namespace ntune::arcade {

void add_game_argument(CLI::App& command, Game& game) {
  const auto& names = game_names();
  cli::add_choice<Game>(command, "game", game, "planet_wars or asteroids",
                        {names.begin(), names.end()})
      ->required();
}

void add_player_options(CLI::App& command, GameArguments& arguments) {
  command
      .add_option("--agent", arguments.agent,
                  "who plays: NAME or NAME:option=value,option=value (default rhea; see arcade "
                  "agents)")
      ->type_name("AGENT");
  command
      .add_option("--from", arguments.from,
                  "folder of a study: its recommendation plays as the agent, against its opponent "
                  "and by its rules")
      ->excludes("--agent")
      ->type_name("DIR");
  command
      .add_option("--opponent", arguments.opponent,
                  "player 2 of Planet Wars, likewise (default 2020)")
      ->type_name("AGENT");
  command
      .add_option("--rules", arguments.rules,
                  "rules other than the published ones, option=value,option=value")
      ->type_name("RULES");
  cli::add_seed_option(command, arguments.seed);
}

}  // namespace ntune::arcade
