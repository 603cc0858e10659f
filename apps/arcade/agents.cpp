#include "apps/arcade/agents.h"

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/games/arcade/objective.h"

namespace ntune::arcade {

const std::vector<std::pair<std::string, Game>>& game_names() {
  static const std::vector<std::pair<std::string, Game>> kNames = {
      {"planet_wars", Game::kPlanetWars}, {"asteroids", Game::kAsteroids}};
  return kNames;
}

std::string game_name(Game game) { return game_names()[static_cast<std::size_t>(game)].first; }

std::string game_title(Game game) {
  return game == Game::kPlanetWars ? "Planet Wars" : "Asteroids";
}

namespace {

AgentKind alike(std::string name, std::string summary, const AgentOptions& options) {
  return {std::move(name), std::move(summary), options, options};
}

}  // namespace

const std::vector<AgentKind>& agent_kinds() {
  static const std::vector<AgentKind> kKinds = {
      {"rhea", "Rolling Horizon Evolution, as the objectives tune it",
       PlanetWarsOptions().agent.options, AsteroidsOptions().agent.options},
      alike("mcts", "Monte Carlo Tree Search, open loop, UCB1", TreeSearchOptions()),
      alike("one_step", "the action with the best score one tick ahead", OneStepOptions()),
      alike("random", "uniform random actions", RandomOptions()),
      alike("idle", "turns the focus on in Planet Wars; never starts a game of Asteroids",
            IdleOptions()),
      alike("2020", "rhea as the opponent that reproduces Goodman and Lucas (2020), Table 2",
            *arcade_opponent("2020")),
      alike("2020_faithful", "rhea as the opponent of their text",
            *arcade_opponent("2020_faithful")),
      alike("2019", "rhea as the opponent of Lucas et al. (2019)", *arcade_opponent("2019"))};
  return kKinds;
}

namespace {

const AgentKind& kind_of(const std::string& option, const std::string& name) {
  std::vector<std::string> names;
  for (const AgentKind& kind : agent_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw InputError(fmt::format("{}: '{}' is not an agent{}; allowed: {}", option,
                               printable(name, 40), suggestion(name, names), list_text(names)));
}

}  // namespace

Player read_player(const std::string& option, const std::string& text, Game game) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const AgentKind& kind = kind_of(option, name);
  Player player = {.text = text,
                   .name = kind.name,
                   .options = game == Game::kPlanetWars ? kind.planet_wars : kind.asteroids};
  if (colon == std::string::npos) return player;
  std::visit(
      [&](auto& options) {
        if (options_json(options).empty()) {
          throw InputError(fmt::format("{}: {} has no options", option, kind.name));
        }
        options =
            cli::read_settings(option + " " + kind.name, text.substr(colon + 1),
                               [&](const YamlNode& map) { return read_options(map, options); });
      },
      player.options);
  return player;
}

Json player_json(const Player& player) {
  const auto write = [](const auto& options) { return options_json(options); };
  return {{"agent", player.name}, {"options", std::visit(write, player.options)}};
}

}  // namespace ntune::arcade
