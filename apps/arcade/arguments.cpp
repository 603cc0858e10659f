#include "apps/arcade/arguments.h"

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

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
