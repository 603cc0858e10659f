#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// How the recommendations of several runs are compared.
enum class ReEvaluationMethod { kSequentialHalving, kRepeats, kNone };

struct ReEvaluationOptions {
  ReEvaluationMethod method = ReEvaluationMethod::kSequentialHalving;
  /// The i-th evaluation of every candidate uses the same stream (common random numbers).
  bool common_random_numbers = true;
};

/// A distinct recommendation.
struct Candidate {
  Point point;
  double estimate =
      0.0;               ///< of the model that recommended it; ranks candidates without evaluations
  std::int64_t run = 0;  ///< first run that recommended it
  RunningStats payoffs;  ///< of the re-evaluations
};

/// Called with every re-evaluation.
using EvaluationSink = std::function<void(const Point&, double payoff)>;

/// Spends at most `evaluations` on the candidates and returns the index of the winner by mean
/// payoff. Sequential halving (Karnin, Koren and Somekh 2013): log2(candidates) rounds of equal
/// budget, after each of which the better half stays; means keep all rounds. Repeats: equally many
/// for each. Candidates that the budget cannot cover are left out by their model's estimate. Ties
/// go to the earlier candidate. One candidate needs no evaluation. Returns early when `stop` turns
/// true.
std::size_t re_evaluate(const Objective& objective, std::vector<Candidate>& candidates,
                        std::int64_t evaluations, const ReEvaluationOptions& options,
                        const Rng& rng, Parallel& parallel, const std::atomic<bool>& stop,
                        const EvaluationSink& sink);

}  // namespace ntune
