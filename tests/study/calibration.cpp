#include <cmath>

#include "catch.h"
#include "ntune/core/statistics.h"
#include "study/make.h"

namespace ntune {

// Hits of 200 that a coverage of 92 % falls below once in 1,000 times, and the deviate of a mean
// that is exceeded as rarely.
TEST_CASE("the intervals of estimates hold the true value", "[statistical]") {
  constexpr int kStudies = 200;
  constexpr int kFewestHits = 171;
  constexpr double kDeviate = 3.29;
  constexpr double kMostBias = 0.02;
  for (const char* cell :
       {"objective: {function: hartmann6, noise: win_loss}, iterations: 100, optimiser: auto",
        "objective: {function: nk, dimensions: 10, k: 2, noise: {gaussian: 0.2}}, "
        "iterations: 100, optimiser: auto",
        "objective: {function: one_max, dimensions: 10, values: 5, noise: win_loss}, "
        "iterations: 300, optimiser: ntbea"}) {
    CAPTURE(cell);
    int hits = 0;
    RunningStats leads;
    for (int seed = 1; seed <= kStudies; ++seed) {
      const Study study = test::study_of(
          fmt::format("{{{}, runs: 1, re_evaluation: 0, hold_out: 0, seed: {}}}", cell, seed));
      const StudyResult result = test::run(study);
      const Pick& pick = result.cells[0].picks[0];
      const double truth = pick.true_value.value();
      const Interval interval = estimate_interval(*study.objectives[0].objective, pick);
      hits += interval.low <= truth && truth <= interval.high ? 1 : 0;
      leads.add(pick.estimate - truth);
    }
    CHECK(hits >= kFewestHits);
    CHECK(std::abs(leads.mean()) <= kMostBias + kDeviate * leads.standard_error());
  }
}

}  // namespace ntune
