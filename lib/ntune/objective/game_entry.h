#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/tuned_options.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

/// What follows `objective:` for a game: {game: <name>, …}.
template <class GameOptions>
struct GameYaml {
  std::string game;
  GameOptions options = {};

  void visit(Options& visitor) {
    const std::vector<std::string> names = {game};
    visitor.choice("game", game, names, "the game");
    options.visit(visitor);
  }
};

/// The line of the table for a game whose player has options. `player_of(options)` gives those that
/// the parameters of a study's space can stand in for; `make(options, space, node)` gives the
/// objective. The objective's node may be the bare name. `files`: as in
/// ObjectiveEntry.
template <class GameOptions, class PlayerOf, class Make>
ObjectiveEntry game_entry(const std::string& name, const std::string& summary, PlayerOf player_of,
                          Make make, std::vector<std::string> files = {}) {
  // The node is a map of options, or the name alone for all defaults.
  const auto read = [name](const YamlNode& node) {
    const GameYaml<GameOptions> defaults{.game = name};
    return node.is_scalar() ? defaults : read_options(node, defaults);
  };
  return {.kind = "game",
          .name = name,
          .summary = summary,
          .make =
              [read, player_of, make](const YamlNode& node, const YamlNode* space) {
                const GameOptions options = read(node).options;
                std::optional<SearchSpace> given;
                if (space != nullptr && !space->is_null()) {
                  given = read_space(*space);
                  // Every value of the space must be one that the player's option can take.
                  if (const auto wrong = wrong_parameter(*given, player_of(options))) {
                    if (const YamlNode* place = space->find(wrong->parameter)) {
                      place->fail(wrong->reason);
                    }
                    space->fail_at(wrong->parameter, wrong->reason);
                  }
                }
                return make(options, std::move(given), node);
              },
          .schema =
              [name] {
                Json schema = options_schema(GameYaml<GameOptions>{.game = name});
                schema["required"] = Json::array({"game"});
                return schema;
              },
          .resolved = [read](const YamlNode& node) { return options_json(read(node)); },
          .needs_budget = true,
          .files = std::move(files)};
}

}  // namespace ntune
