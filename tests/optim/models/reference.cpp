// The reference model itself, against values worked by hand from the paper.

#include <cmath>

#include "catch.h"
#include "optim/pending_reference.h"
#include "support/reference_model.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_point;
using test::ReferenceModel;

TEST_CASE("reference model: mean and exploration of three parameters by hand") {
  const SearchSpace space = grid_space({2, 2, 2});
  ReferenceModel model(space, {});
  REQUIRE(model.tuples() == 7);
  model.add(make_point({0, 0, 0}), 1.0);
  model.add(make_point({0, 0, 1}), -1.0);
  model.add(make_point({0, 0, 0}), 0.5);

  // (0, 1, 0) matches p0 = 0 (3 visits, sum 0.5), p2 = 0 (2, 1.5) and (p0, p2) = (0, 0) (2, 1.5).
  const Score score = model.score(make_point({0, 1, 0}));
  CHECK(score.mean == Approx((0.5 / 3 + 0.75 + 0.75) / 3));
  const double log4 = std::log(4.0);
  CHECK(
      score.exploration ==
      Approx((std::sqrt(log4 / 3.5) + 2 * std::sqrt(log4 / 2.5) + 4 * std::sqrt(log4 / 0.5)) / 7));
  CHECK(model.score(make_point({1, 1, 1})).mean == Approx(-1.0));  // p2 = 1 alone has data

  ReferenceModel pairs(space, {.tuples = {.sizes = {2}, .all = false, .named = {}}});
  REQUIRE(pairs.tuples() == 3);
  pairs.add(make_point({0, 0, 0}), 4.0);
  CHECK(pairs.score(make_point({1, 1, 0})).mean == 4.0);  // the mean of all payoffs
  CHECK(pairs.score(make_point({0, 0, 1})).mean == 4.0);
}

TEST_CASE("reference model: eq. 6 by hand") {
  const SearchSpace space = grid_space({2, 2, 2});
  ReferenceModel model(space, {.tuples = {},
                               .weighting = entry_named(kWeightings, "inverse"),
                               .horizon = 1.0});  // n / (n + 1)
  model.add(make_point({0, 0, 0}), 8.0);
  model.add(make_point({0, 1, 0}), 2.0);

  // 1-tuples of (0, 0, 0): 5, 8, 5. (p0, p1): n = 1, w = 1/2: 4 + 6.5 / 2. (p1, p2): the same.
  // (p0, p2): n = 2, w = 2/3: 10/3 + 5/3. d-tuple: n = 1, w = 1/2.
  const double pair_mean = (7.25 + 7.25 + 5.0) / 3;
  CHECK(model.score(make_point({0, 0, 0})).mean == Approx(8.0 / 2 + pair_mean / 2));
  // An unseen point: the mean of its 2-tuples alone. p0 = 1 has no data: the mean of all, 5.
  // (p0, p1): n = 0: (5 + 8) / 2. (p0, p2): (5 + 5) / 2. (p1, p2): 7.25.
  CHECK(model.score(make_point({1, 0, 0})).mean == Approx((6.5 + 5.0 + 7.25) / 3));
  // In the preset of the paper it is worth 0.
  ReferenceModel paper(space, {.tuples = {},
                               .weighting = entry_named(kWeightings, "inverse"),
                               .horizon = 1.0,
                               .unseen_is_zero = true});
  paper.add(make_point({0, 0, 0}), 8.0);
  paper.add(make_point({0, 1, 0}), 2.0);
  CHECK(paper.score(make_point({1, 0, 0})).mean == Approx((4.0 + 2.5 + 7.25) / 3));
}

TEST_CASE("reference model: with two parameters the level below the d-tuple are the 1-tuples") {
  const SearchSpace space = grid_space({3, 3});
  ReferenceModel model(
      space, {.tuples = {}, .weighting = entry_named(kWeightings, "inverse"), .horizon = 1.0});
  REQUIRE(model.tuples() == 4);  // the pair twice
  model.add(make_point({0, 0}), 3.0);
  model.add(make_point({0, 1}), 1.0);
  CHECK(model.score(make_point({0, 0})).mean == Approx(3.0 / 2 + (2.0 + 3.0) / 4));
  const double log3 = std::log(3.0);
  CHECK(model.score(make_point({0, 0})).exploration ==
        Approx((std::sqrt(log3 / 2.5) + 3 * std::sqrt(log3 / 1.5)) / 4));
}

TEST_CASE("reference model: named tuples have their largest held subsets below") {
  const SearchSpace space = grid_space({2, 2, 2, 2});
  // {0, 1, 2} stands over {0, 1} and over {2}; {3} stands over nothing and below nothing.
  const TupleSet tuples = {.sizes = {1}, .all = false, .named = {{0, 1}, {0, 1, 2}}};
  ReferenceModel model(space, {.tuples = tuples,
                               .weighting = entry_named(kWeightings, "inverse"),
                               .horizon = 1.0,
                               .unseen_is_zero = true});
  REQUIRE(model.tuples() == 6);
  model.add(make_point({0, 0, 0, 0}), 4.0);
  // (0, 0, 1, 1): V{0,1} = 4/2 + 4/2 = 4, V{2} = 0, V{0,1,2} = (4 + 0) / 2; V{3} = 0.
  CHECK(model.score(make_point({0, 0, 1, 1})).mean == Approx((2.0 + 0.0) / 2));
  CHECK(model.score(make_point({0, 1, 1, 0})).mean == Approx(((4.0 + 0.0) / 2 / 2 + 4.0) / 2));
}

TEST_CASE("reference model: evaluations in flight by hand") {
  const SearchSpace space = grid_space({2, 2});
  test::PendingReference model(space, {.tuples = {.sizes = {1}, .all = false, .named = {}}});
  model.add(make_point({0, 0}), 1.0);
  model.add_pending(make_point({0, 1}));
  model.add_pending(make_point({0, 1}));
  // p0 = 0: one payoff and two in flight; p1 = 1: none and two. ln(1 + 3).
  const double log4 = std::log(4.0);
  const Score score = model.score(make_point({0, 1}));
  CHECK(score.mean == 1.0);  // p0 = 0 alone has data
  CHECK(score.exploration == Approx((std::sqrt(log4 / 3.5) + std::sqrt(log4 / 2.5)) / 2));
  model.remove_pending(make_point({0, 1}));
  model.add(make_point({0, 1}), -1.0);
  CHECK(model.score(make_point({0, 1})).mean == Approx((0.0 - 1.0) / 2));
  CHECK(model.score(make_point({0, 1})).exploration == Approx(score.exploration));
}

}  // namespace ntune
