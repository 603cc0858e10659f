#include "apps/arcade/arguments.h"

#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/games/arcade/objective.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/recorded_study.h"

namespace ntune::arcade {

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
