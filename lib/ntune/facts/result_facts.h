#pragma once

#include <cstdint>

#include "ntune/facts/fact.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

/// What a study has found: the recommended values, how good they are, and what the study has spent.
/// A comparison has facts on what it has spent alone. `made`: its evaluations, where those of
/// stages that did not end are known too.
Facts result_facts(const Study& study, const SavedResult& result, std::int64_t made = 0);

/// What else than the study's fresh evaluations says how the recommendation stands beside the
/// default: failures, wrong answers, or a test by `ntune verify`; empty: nothing.
std::string standing_reason(const SavedDefault& incumbent);

/// How many games a fresh evaluation of the recommendation has; 0: it has none, or none are fresh.
double games_per_evaluation(const SavedResult& result);

/// Fresh evaluations that brought a payoff, one by definition too, and failures that brought none.
std::int64_t tried_evaluations(const Study& study, const SavedMeasurement& fresh);

/// What an objective's values are: "win rate", "score" of games, "cost" or "value".
std::string unit_text(const Objective& objective);
/// Whether they are shares of what can be won.
bool is_told_in_percent(const Objective& objective);

/// "12 of 480 games (2.5 %) lost by a fault: …", by player and cause; empty without any.
std::string forfeits_text(const EarlyEndings& endings);
/// Whether more than 5 % of the games were lost so: then nothing else tells much.
bool are_many_forfeits(const EarlyEndings& endings);

}  // namespace ntune
