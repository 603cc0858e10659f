#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/study/model/candidates.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

class Evaluator;

/// Spends at most `evaluations` on the candidates and returns the index of the winner by mean
/// payoff, of instances by their weights. Sequential halving (Karnin, Koren and Somekh 2013):
/// log2(candidates) rounds of equal budget, after each of which the better half stays; means keep
/// all rounds. What cannot be divided is for the candidates of the last round that led before it.
/// Repeats: equally many for each. Without noise one for each is enough. Candidates that the budget
/// cannot cover are left out by their model's estimate. Ties go to the earlier candidate. One
/// candidate needs no evaluation. With capping, evaluations that cannot change who stays are ended
/// or not made; which ones follows from the payoffs alone, whatever the threads. Their sums decide
/// then, whatever the weights. Returns early when stopped. `key` names cell and repeat, `rng` the
/// repeat's streams.
std::size_t re_evaluate(Evaluator& evaluator, const Objective& objective,
                        std::vector<Candidate>& candidates, std::int64_t evaluations,
                        EvaluationKey key, const Rng& rng, Parallel& parallel);

}  // namespace ntune
