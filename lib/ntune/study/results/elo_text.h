#pragma once

#include <optional>
#include <string>

#include "ntune/core/game_counts.h"
#include "ntune/core/json_fwd.h"

namespace ntune {

struct Pick;

/// "+12.3 [+1.0, +23.6]"; "inf" where every game was won.
std::string rating_text(const Rating& rating);

/// {"value": 12.3, "interval": [1.0, 23.6]}, null in place of what is infinite; null for nothing.
Json rating_json(const std::optional<Rating>& rating);

/// Elo of games against an opponent, with normalised Elo, the games and the pairs by their points;
/// null without games.
Json elo_json(const GameCounts& counts);
/// Of the games of a pick; `from` says whether they are of the hold-out or of the comparison.
Json elo_json(const Pick& pick);

/// The same in lines of a result for a person; empty without games.
std::string elo_text(const Pick& pick);

}  // namespace ntune
