#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "ntune/optim/models/landscape_model.h"

namespace ntune {

/// Which of the sampled points is recommended: the one of the highest rank.
struct RecommendationRule {
  std::string_view name;  ///< in a study file
  std::string_view help;  ///< one line
  /// Rank of a point with this score and number of evaluations, for the exploration constant k; the
  /// second number breaks ties of the first.
  std::pair<double, double> (*rank)(const Score& score, double evaluations, double k);
};

/// All rules, the default first. A line here makes one known everywhere, as for weightings.
inline constexpr std::array kRecommendationRules = {
    RecommendationRule{"mean", "the sampled point with the highest model mean",
                       [](const Score& score, double /*evaluations*/, double /*k*/) {
                         return std::pair(score.mean, 0.0);
                       }},
    RecommendationRule{"most_sampled", "the most evaluated point; ties by model mean",
                       [](const Score& score, double evaluations, double /*k*/) {
                         return std::pair(evaluations, score.mean);
                       }},
    RecommendationRule{"best_lower_bound",
                       "the highest model mean minus k times the exploration term",
                       [](const Score& score, double /*evaluations*/, double k) {
                         return std::pair(score.mean - k * score.exploration, 0.0);
                       }}};

}  // namespace ntune
