#include "apps/arcade/arguments.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/study_player.h"
#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune::arcade {

template <class Rules>
Rules rules_of(const GameArguments& arguments) {
  if (arguments.rules.empty() && !arguments.from.empty()) {
    const Json rules = read_study_game(arguments.from, arguments.game).rules;
    return rules.is_object() ? read_rules(parse_yaml(to_yaml(rules), arguments.from), Rules())
                             : Rules();
  }
  if (arguments.rules.empty()) return {};
  return cli::read_settings("--rules", arguments.rules,
                            [](const YamlNode& map) { return read_rules(map, Rules()); });
}

template PlanetWarsRules rules_of(const GameArguments&);
template AsteroidsRules rules_of(const GameArguments&);

std::vector<Player> players_of(const GameArguments& arguments) {
  std::vector<Player> players;
  std::optional<Player> tuned_against;
  if (arguments.from.empty()) {
    players.push_back(read_player("--agent", arguments.agent, arguments.game));
  } else {
    StudyGame study = read_study_game(arguments.from, arguments.game);
    players.push_back(std::move(study.agent));
    tuned_against = std::move(study.opponent);
  }
  if (tuned_against && arguments.opponent.empty()) {
    players.push_back(*std::move(tuned_against));
    return players;
  }
  if (arguments.game == Game::kPlanetWars) {
    const std::string opponent = arguments.opponent.empty() ? "2020" : arguments.opponent;
    players.push_back(read_player("--opponent", opponent, arguments.game));
  } else if (!arguments.opponent.empty()) {
    throw InputError("--opponent: goes with planet_wars, asteroids has one player");
  }
  return players;
}

}  // namespace ntune::arcade
