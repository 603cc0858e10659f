// Grid search where points fail, and where clauses forbid the points of its grid.

#include "ntune/optim/rivals/grid_search.h"

#include <set>
#include <string>
#include <utility>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

TEST_CASE("grid: others take the place of forbidden points") {
  // w = x alone is allowed: 9 points of 81.
  std::string yaml = "{w: {integers: [0, 8]}, x: {integers: [0, 8]}, forbid: [";
  for (int w = 0; w < 9; ++w) {
    for (int x = 0; x < 9; ++x) {
      if (w == x) continue;
      yaml += "{w: " + std::to_string(w) + ", x: " + std::to_string(x) + "}, ";
    }
  }
  const SearchSpace space = test::yaml_space(yaml + "]}");
  REQUIRE(space.size().points == 9);
  for (const auto& [budget, points] : {std::pair{20, 9}, std::pair{5, 5}}) {
    const auto grid = test::make_plan("grid", space).make(test::make_context(space, budget));
    Rng rng(1);
    std::set<Point> asked;
    for (int i = 0; i < budget; ++i) {
      const Point point = grid->ask(rng).point;
      CHECK(space.is_allowed(point));
      asked.insert(point);
      grid->tell(point, point[0]);
    }
    CHECK(static_cast<int>(asked.size()) == points);
  }
}

TEST_CASE("grid: every point has its first turn, however many before it have failed") {
  const SearchSpace space = test::grid_space({10});
  const auto search = test::make_plan("grid", space).make(test::make_context(space, 40));
  Rng rng(1);
  std::set<Point> asked;
  for (int i = 0; i < 10; ++i) {
    const Proposal proposal = search->ask(rng);
    asked.insert(proposal.point);
    search->tell(proposal, {.failed = true});
  }
  CHECK(asked.size() == 10);
}

}  // namespace ntune
