#pragma once

#include <string>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Lines below the recommendation that compare it with the declared default, which the pick must
/// have.
std::string incumbent_text(const Study& study, const StudyResult& result, const Pick& pick);

/// How many fresh evaluations failed, to be set behind the number of payoffs; empty: none.
std::string failed_text(const HoldOut& hold_out);

/// "all 4 fresh evaluations failed (exit status 1)", with the most frequent cause.
std::string all_failed_text(const HoldOut& hold_out);

/// True if every evaluation was a match against the default, whose own value is 1/2 by definition.
bool is_level(const IncumbentComparison& comparison);
/// The same of a recommendation that is the default itself.
bool is_level(const Objective& objective, const Pick& pick);

/// `default` of result.json: parameters, value, interval, hold_out, failures, true_value,
/// difference, probability_better, finding, finding_reason; of games also elo, elo_difference. The
/// hold-out of a level default is null, and of one that always failed.
Json incumbent_json(const Study& study, const StudyResult& result, const Pick& pick);

/// What a study begins with, in lines for its plan; empty where it begins with nothing.
std::string beginning_text(const Study& study);

/// `prior` of result.json: source, observations, weight, told.
Json prior_json(const PriorObservations& prior);

}  // namespace ntune
