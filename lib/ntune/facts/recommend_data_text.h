#pragma once

#include <string>

#include "ntune/core/json.h"
#include "ntune/facts/fact.h"
#include "ntune/study/followup/recommend_data.h"

namespace ntune {

/// What the point is worth that is recommended from another program's observations.
Facts data_facts(const DataRecommendation& result);

/// The recommendation for a person, and as JSON.
std::string data_recommendation_text(const ForeignObservations& data, const SearchSpace& space,
                                     const DataRecommendation& result);
Json data_recommendation_json(const ForeignObservations& data, const SearchSpace& space,
                              const DataRecommendation& result);

}  // namespace ntune
