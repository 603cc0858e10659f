#pragma once

#include <optional>
#include <string>

#include "ntune/core/game_counts.h"
#include "ntune/core/json_fwd.h"

namespace ntune {

struct EarlyEndings;
struct HoldOut;
struct Pick;
struct Unit;

/// "+12.3 [+1.0, +23.6]"; "inf" where every game was won.
std::string rating_text(const Rating& rating);

/// {"value": 12.3, "interval": [1.0, 23.6]}, null in place of what is infinite; null for nothing.
Json rating_json(const std::optional<Rating>& rating);

/// Elo of games against an opponent, with normalised Elo, the games and the pairs by their points;
/// null without games.
Json elo_json(const GameCounts& counts);
/// Of games that were held out: Elo of the value, with its interval, where the value is their mean.
Json elo_json(const Unit& unit, const HoldOut& held_out);
/// Of the games of a pick; `from` says whether they are of the hold-out or of the comparison.
Json elo_json(const Unit& unit, const Pick& pick);

/// "12 of 480 games (2.5 %) were lost by a fault: …", by player and cause; empty without any.
std::string forfeits_text(const EarlyEndings& endings);
/// True if so many games were lost by a fault that this is said first: more than 5 %.
bool are_many_forfeits(const EarlyEndings& endings);
/// {"games": 480, "count": 12, "player": {"time": 8, …}, "opponent": {…}}; null without any.
Json forfeits_json(const EarlyEndings& endings);

/// The same in lines of a result for a person; empty without games.
std::string elo_text(const Unit& unit, const Pick& pick);

}  // namespace ntune
