#pragma once

#include "ntune/study/results/saved_result.h"

namespace ntune {

/// Elo of games against an opponent, at least one.
SavedElo saved_elo(const GameCounts& counts);
/// Of games that were held out: Elo of the value, with its interval, where the value is their mean.
SavedElo saved_elo(const Unit& unit, const HoldOut& held_out);
/// Of the games of a pick; `from` says whether they are of the hold-out or of the comparison.
SavedElo saved_elo(const Unit& unit, const Pick& pick);

}  // namespace ntune
