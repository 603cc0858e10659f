#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

/// A distinct recommendation of the runs and how it fared in fresh evaluations. Reported unit.
struct Rival {
  Point point = {};
  std::int64_t runs = 0;
  bool recommended = false;  ///< the study's choice
  std::int64_t n = 0;        ///< fresh evaluations: comparison and hold-out
  double mean = 0.0;
  double sd = 0.0;
  std::optional<double> true_value = {};
  double best_probability = 0.0;  ///< of being the best of those with n > 0
  double regret = 0.0;            ///< expected shortfall from the best of them
};

/// The recommendations of a study of one cell, the study's choice first, then by mean. Empty where
/// the result does not hold them.
std::vector<Rival> rivals_of(const StudyFolder& study);

/// Probabilities and regrets by draws from the posterior of every rival's value, independent of
/// each other: Beta(1 + wins, 1 + losses) where every payoff is a win or a loss, else normal with
/// the rival's mean and the pooled standard deviation over the root of n. Fixed stream: the same
/// numbers each time.
void judge(std::vector<Rival>& rivals, const Objective& objective);

/// The rule in a sentence.
std::string judging_rule(const Objective& objective);

}  // namespace ntune
