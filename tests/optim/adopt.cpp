// Points that an optimiser has not chosen: what an earlier search asked for.

#include <algorithm>
#include <cmath>
#include <string>

#include "catch.h"
#include "optim/contract.h"

namespace ntune {

namespace {

using test::height;

/// A run that goes on from random points that it has adopted; all points are in the trace.
test::Trace go_on(const std::string& optimiser, const SearchSpace& space, int adopted, int more,
                  std::uint64_t seed) {
  const auto made =
      test::make_plan(optimiser, space).make(test::make_context(space, adopted + more));
  Rng rng = Rng(seed).stream("optimiser");
  Rng draw = Rng(seed).stream("earlier");
  Rng noise = Rng(seed).stream("noise");
  test::Trace trace;
  for (int i = 0; i < adopted + more; ++i) {
    const Point point = i < adopted ? space.sample(draw) : made->ask(rng).point;
    if (i < adopted) made->adopt(point, rng);
    const double payoff = height(space, point) + 0.1 * noise.normal();
    made->tell(point, payoff);
    trace.points.push_back(point);
    trace.payoffs.push_back(payoff);
    if (i + 1 >= adopted) trace.recommendation = made->recommend();
  }
  return trace;
}

}  // namespace

TEST_CASE("every optimiser goes on from points that it has adopted") {
  constexpr int kMore = 5;
  for (const std::string& optimiser : test::optimisers()) {
    for (const SearchSpace& space : test::spaces()) {
      for (const int adopted : {1, 3, 50}) {
        CAPTURE(optimiser, space.dimensions(), space.grid_size(), adopted);
        const test::Trace trace = go_on(optimiser, space, adopted, kMore, 3);
        test::check_trace(space, trace);
        if (adopted == 3) CHECK(trace.points == go_on(optimiser, space, adopted, kMore, 3).points);
      }
    }
  }
}

TEST_CASE("every optimiser recommends what it has adopted where nothing else is known") {
  for (const std::string& optimiser : test::optimisers()) {
    CAPTURE(optimiser);
    const SearchSpace space = test::grid_space({5, 4, 6});
    test::check_trace(space, go_on(optimiser, space, 20, 0, 4));
  }
}

TEST_CASE("what was adopted counts in what is recommended") {
  // 20 evaluations alone find little in 10,000 points; 1,000 adopted ones hold good points.
  const SearchSpace space = test::grid_space({10, 10, 10, 10});
  for (const std::string optimiser : {"ntbea", "gaussian_process", "tpe", "random", "rmhc", "spsa",
                                      "racing", "multi_start", "pooled_starts", "auto"}) {
    CAPTURE(optimiser);
    double sum = 0.0;
    constexpr int kRuns = 10;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
      sum += height(space, go_on(optimiser, space, 400, 20, seed).recommendation.point);
    }
    CHECK(sum / kRuns > 0.7);
  }
}

TEST_CASE("what is set aside leaves no rounding error behind, however large it is") {
  const SearchSpace space = test::grid_space({5, 4, 6});
  constexpr int kPayoffs = 60;
  // Of all payoffs, every third or every tenth is a penalty.
  const auto recommended = [&](const std::string& optimiser, int every, double penalty) {
    const auto made =
        test::make_plan(optimiser, space).make(test::make_context(space, kPayoffs + 20));
    Rng rng(1);
    Rng draw(2);
    for (int i = 0; i < kPayoffs; ++i) {
      const Point point = space.sample(draw);
      const double payoff = height(space, point) + 0.1 * draw.normal();
      made->adopt(point, rng);
      made->tell(point, i % every == 0 ? penalty : payoff);
    }
    return made->recommend();
  };
  for (const std::string& optimiser : test::optimisers()) {
    for (const int every : {3, 10}) {
      const Recommendation usual = recommended(optimiser, every, -1e4);
      for (const double penalty : {-1e9, -1e15, -1e30, -1e90}) {
        CAPTURE(optimiser, every, penalty);
        const Recommendation found = recommended(optimiser, every, penalty);
        CHECK(found.point == usual.point);
        // Hyperparameters that set out from other values end a little elsewhere.
        CHECK(std::abs(found.estimate - usual.estimate) < 0.01);
      }
    }
  }
}

TEST_CASE("a grid asks first for what was not adopted") {
  const SearchSpace space = test::grid_space({4, 3});
  const auto grid = test::make_plan("grid", space).make(test::make_context(space, 24));
  Rng rng(1);
  std::vector<Point> asked;
  for (int i = 0; i < 5; ++i) {
    const Point point = grid->ask(rng).point;
    grid->tell(point, 0.0);
    asked.push_back(point);
  }
  const auto extended = test::make_plan("grid", space).make(test::make_context(space, 24));
  for (const Point& point : asked) {
    extended->adopt(point, rng);
    extended->tell(point, 0.0);
  }
  for (int i = 0; i < 19; ++i) asked.push_back(extended->ask(rng).point);
  std::ranges::sort(asked);
  for (std::size_t i = 0; i < asked.size(); i += 2) CHECK(asked[i] == asked[i + 1]);
  CHECK(std::unique(asked.begin(), asked.end()) - asked.begin() == 12);
}

}  // namespace ntune
