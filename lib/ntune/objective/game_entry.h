#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ntune/objective/named_entry.h"
#include "ntune/objective/tuned_options.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

/// The line of the table for a game whose player has options. `player_of(options)` gives those that
/// the parameters of a study's space can stand in for; `make(options, space, node)` gives the
/// objective. The objective's node may be the bare name. `files`: as in
/// ObjectiveEntry.
template <class GameOptions, class PlayerOf, class Make>
ObjectiveEntry game_entry(const std::string& name, const std::string& summary, PlayerOf player_of,
                          Make make, std::vector<std::string> files = {}) {
  const NamedOptions<GameOptions> defaults{.kind = "game", .help = "the game", .name = name};
  ObjectiveEntry entry = named_entry(
      defaults, summary,
      [player_of, make](const GameOptions& options, const YamlNode* space, const YamlNode& node) {
        std::optional<SearchSpace> given;
        if (space != nullptr && !space->is_null()) {
          given = read_space(*space);
          // Every value of the space must be one that the player's option can take.
          if (const auto wrong = wrong_parameter(*given, player_of(options))) {
            const YamlNode* place = space->find(wrong->parameter);
            if (place != nullptr) place->fail(wrong->reason);
            space->fail_at(wrong->parameter, wrong->reason);
          }
        }
        return make(options, std::move(given), node);
      });
  entry.needs_budget = true;
  entry.files = std::move(files);
  return entry;
}

}  // namespace ntune
