#pragma once

#include <optional>
#include <string>

#include "apps/arcade/agents.h"
#include "ntune/core/json.h"

namespace ntune::arcade {

/// What a study of a game recommends, and whom it was tuned against.
struct StudyGame {
  Player agent;
  std::optional<Player> opponent = {};  ///< of Planet Wars
  Json rules = {};                      ///< of the objective
};

/// The recommendation of `folder`, the one of `ntune run … --out`. Throws InputError where it is no
/// study of this game or recommends nothing.
StudyGame read_study_game(const std::string& folder, Game game);

}  // namespace ntune::arcade
