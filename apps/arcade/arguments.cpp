#include "apps/arcade/arguments.h"

#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/games/arcade/objective.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/recorded_study.h"

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

namespace {

[[noreturn]] void fail(const std::string& folder, const std::string& reason) {
  throw InputError(fmt::format("--from: {}: {}", printable(folder, 1000), reason));
}

Json read_result(const std::string& folder) {
  constexpr std::uintmax_t kLargest = 1'000'000'000;
  const std::filesystem::path path = std::filesystem::path(folder) / "result.json";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    fail(folder, "holds no result.json; name the folder of 'ntune run … --out'");
  }
  Json result = parse_json(read_file(path, kLargest));
  if (!result.is_object() || !result.contains("study")) {
    fail(folder, "result.json is not that of a study");
  }
  return result;
}

}  // namespace

StudyGame read_study_game(const std::string& folder, Game game) {
  const Json result = read_result(folder);
  const Study study = study_of_config(result["study"], folder, nullptr, folder);
  const StudyObjective& entry = study.objectives.front();
  const auto* objective = dynamic_cast<const ArcadeObjective*>(entry.objective.get());
  const std::string played = entry.options.is_object() ? entry.options.value("game", "") : "";
  if (objective == nullptr || played != game_name(game)) {
    fail(folder, fmt::format("is no study of {}", game_name(game)));
  }
  const Json recommendation = result.value("recommendation", Json());
  if (!recommendation.is_object()) fail(folder, "the study recommends nothing");
  const Point point =
      read_point(parse_yaml(to_yaml(recommendation["parameters"]), folder), objective->space());
  StudyGame found{.agent = {.text = "the recommendation of " + folder,
                            .name = "rhea",
                            .options = objective->agent_at(point)}};
  found.rules = entry.options.value("rules", Json());
  const Json opponent = entry.options.value("opponent", Json());
  if (game == Game::kPlanetWars && opponent.is_object()) {
    found.opponent = Player{
        .text = "its opponent",
        .name = "rhea",
        .options = read_options(parse_yaml(to_yaml(opponent), folder), RollingHorizonOptions())};
  }
  return found;
}

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

Json game_json(const GameArguments& arguments, const std::vector<Player>& players) {
  Json json = {{"game", game_name(arguments.game)}, {"agent", player_json(players[0])}};
  if (players.size() > 1) json["opponent"] = player_json(players[1]);
  if (!arguments.rules.empty()) json["rules"] = arguments.rules;
  json["seed"] = arguments.seed;
  return json;
}

}  // namespace ntune::arcade
