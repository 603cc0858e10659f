// The lines of the table of objectives for Planet Wars and Asteroids.

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/yaml.h"
#include "ntune/games/arcade/objective.h"
#include "ntune/objective/game_entry.h"

namespace ntune {

namespace {

/// Names of opponents in the papers of 2020 and 2019.
const std::vector<std::string> kOpponents = {"2020", "2020_faithful", "2019"};

Json with_default(Json schema, Json value) {
  schema["default"] = std::move(value);
  return schema;
}

/// A map of options within the options, and how to read it.
template <class Struct, class Read>
void visit_map(Options& visitor, const char* key, Struct& options, Read read, const char* help) {
  visitor.custom(
      key,
      {.read = [&options, read](const YamlNode& node) { options = read(node, options); },
       .write = [&] { return options_json(options); },
       .schema = [&] { return with_default(options_schema(options), options_json(options)); }},
      help);
}

/// The option `rules`, a map of the rules of the game.
template <class Rules>
void visit_rules(Options& visitor, Rules& rules) {
  visit_map(
      visitor, "rules", rules,
      [](const YamlNode& node, const Rules& defaults) { return read_rules(node, defaults); },
      "the rules of the game");
}

/// Reads the opponent: a name of a paper, or a map of options.
void read_opponent(const YamlNode& node, RollingHorizonOptions& opponent) {
  if (node.is_map()) {
    opponent = read_options(node, opponent);
    return;
  }
  const auto named = node.is_scalar() ? arcade_opponent(node.text()) : std::nullopt;
  if (!named) {
    node.fail(fmt::format("is {}, {} or a map of options is allowed", node.describe(),
                          fmt::join(kOpponents, ", ")));
  }
  opponent = *named;
}

/// Schema of a name or of the options.
Json opponent_schema(const RollingHorizonOptions& opponent) {
  std::string name;
  OptionSchema names;
  names.choice("name", name, kOpponents, "");
  const Json words = {{"enum", names.properties()["name"]["enum"]}};
  const Json either = {{"anyOf", Json::array({words, options_schema(opponent)})}};
  return with_default(either, options_json(opponent));
}

/// The line of the table for a game of the arcade.
template <class ArcadeGame, class GameOptions>
ObjectiveEntry arcade_entry(const std::string& name, const std::string& summary) {
  return game_entry<GameOptions>(
      name, summary, [](const GameOptions& options) { return options.agent.options; },
      [](const GameOptions& options, std::optional<SearchSpace> space, const YamlNode&) {
        return std::make_unique<ArcadeGame>(options, std::move(space));
      });
}

}  // namespace

void ArcadeAgent::visit(Options& visitor) {
  visit_map(visitor, "agent", options, read_options<RollingHorizonOptions>,
            "Rolling Horizon Evolution, where the space has no parameter of the same name");
  visitor.flag("legacy_inert", legacy_inert,
               "mutation_transducer and repeat_probability change nothing, as in the published "
               "program");
}

void PlanetWarsOptions::visit(Options& visitor) {
  agent.visit(visitor);
  visitor.custom("opponent",
                 {.read = [this](const YamlNode& node) { read_opponent(node, opponent); },
                  .write = [this] { return options_json(opponent); },
                  .schema = [this] { return opponent_schema(opponent); }},
                 "player 2: that of the paper of 2020 (as it reproduces the results, or as the "
                 "text has it) or of 2019, or a map of options");
  visit_rules(visitor, rules);
  visitor.integer("map", map, between(0, 1e9),
                  "seed of the map of all games; auto: each game has a map of its own");
}

void AsteroidsOptions::visit(Options& visitor) {
  agent.visit(visitor);
  visit_rules(visitor, rules);
}

ObjectiveEntry planet_wars_entry() {
  return arcade_entry<PlanetWarsObjective, PlanetWarsOptions>(
      "planet_wars", "a duel for ten planets, won or lost; Rolling Horizon Evolution is tuned");
}

ObjectiveEntry asteroids_entry() {
  return arcade_entry<AsteroidsObjective, AsteroidsOptions>(
      "asteroids", "the score of a game of Asteroids; Rolling Horizon Evolution is tuned");
}

}  // namespace ntune
