#include "apps/arcade/arguments.h"

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

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
      .add_option("--opponent", arguments.opponent,
                  "player 2 of Planet Wars, likewise (default 2020)")
      ->type_name("AGENT");
  command
      .add_option("--rules", arguments.rules,
                  "rules other than the published ones, option=value,option=value")
      ->type_name("RULES");
  cli::add_seed_option(command, arguments.seed);
}

template <class Rules>
Rules rules_of(const GameArguments& arguments) {
  if (arguments.rules.empty()) return {};
  return cli::read_settings("--rules", arguments.rules,
                            [](const YamlNode& map) { return read_rules(map, Rules()); });
}

template PlanetWarsRules rules_of(const GameArguments&);
template AsteroidsRules rules_of(const GameArguments&);

std::vector<Player> players_of(const GameArguments& arguments) {
  std::vector<Player> players = {read_player("--agent", arguments.agent, arguments.game)};
  if (arguments.game == Game::kPlanetWars) {
    const std::string opponent = arguments.opponent.empty() ? "2020" : arguments.opponent;
    players.push_back(read_player("--opponent", opponent, arguments.game));
  } else if (!arguments.opponent.empty()) {
    throw InputError("--opponent: goes with planet_wars, asteroids has one player");
  }
  return players;
}

}  // namespace ntune::arcade
