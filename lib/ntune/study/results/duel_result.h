#pragma once

#include <string>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// True if a study's evaluations are matches and it declares the default that its recommendation is
/// compared with.
bool compares_duels(const Objective& objective, const Pick& pick);

/// "  (default 100)" behind a parameter of a recommendation of duels that has moved; else empty.
std::string moved_text(const Objective& objective, const Pick& pick, int parameter);

/// The model's Elo of the recommendation above the default, and the likelihood of superiority by
/// the fresh games; empty where neither is known. Only where compares_duels.
std::string duel_text(const Objective& objective, const Pick& pick);

/// Which triples of players beat each other in a circle, in the matches of all searches; empty
/// where no three have met often enough.
std::string triples_text(const SearchSpace& space, const std::vector<RunRecord>& runs);

/// `duels` of result.json: {model_elo, los, moved, triples: {looked_at, circular: [{players,
/// matches, p_value}]}}, where each player beats the next and the last one the first, and matches
/// are won, drawn and lost. Only where compares_duels.
Json duel_json(const Objective& objective, const CellResult& cell);

}  // namespace ntune
