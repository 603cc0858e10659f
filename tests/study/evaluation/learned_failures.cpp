// Studies whose program crashes for a part of the space: what the optimisers learn of it.

#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/objective/lambda_objective.h"
#include "study/make.h"
#include "support/spaces.h"

namespace ntune {

namespace {

/// A hill over a 9 x 9 grid that crashes at one value of x.
std::shared_ptr<const Objective> crashing_grid(bool noisy) {
  const auto play = [noisy](const Point& point, Rng& rng) {
    if (point[0] == 4) throw std::runtime_error("crash");
    const double value = 0.1 * point[0] + 0.05 * point[1];
    return noisy ? value + 0.2 * rng.normal() : value;
  };
  return std::make_shared<LambdaObjective>(test::grid_space({9, 9}), play, "grid",
                                           Payoffs{.noisy = noisy});
}

}  // namespace

TEST_CASE("a study goes on where one value of a parameter crashes") {
  for (const char* optimiser : {"ntbea", "gaussian_process", "auto", "tpe", "random"}) {
    for (const bool noisy : {true, false}) {
      for (const int in_flight : {1, 4}) {
        CAPTURE(optimiser, noisy, in_flight);
        const Study study = test::study_of(
            fmt::format(
                "{{runs: 3, iterations: 100, seed: 2, threads: 1, optimiser: {}, fail: skip, "
                "parallel_evaluations: {}}}",
                optimiser, in_flight),
            crashing_grid(noisy));
        const StudyResult result = test::run(study, nullptr);
        CHECK(result.failures < result.search_evaluations / 4);
        CHECK(result.set_aside == 0);
        REQUIRE(result.cells[0].picks.size() == 1);
        CHECK(result.cells[0].picks[0].point[0] != 4);
      }
    }
  }
}

TEST_CASE("a study says how many payoffs were set aside") {
  const auto wild = [](const Point& point, Rng& rng) {
    const double value = 0.1 * point[0] + 0.2 * rng.normal();
    return rng.bernoulli(0.01) ? 1e9 : value;
  };
  const auto objective = std::make_shared<LambdaObjective>(test::grid_space({9, 9}), wild, "wild");
  for (const char* optimiser : {"ntbea", "gaussian_process"}) {
    const Study study = test::study_of(
        fmt::format("{{runs: 2, iterations: 300, seed: 2, optimiser: {}}}", optimiser), objective);
    const StudyResult result = test::run(study, nullptr);
    CAPTURE(optimiser);
    CHECK(result.set_aside > 0);
    CHECK(result.set_aside < 20);
    for (const RunRecord& run : result.cells[0].runs) {
      CHECK(run.estimate < 10.0);
      CHECK(run.point[0] > 4);
    }
  }
}

}  // namespace ntune
