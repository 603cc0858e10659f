// Separate searches, then one with the payoffs of all, on searches that write down what happens.

#include "ntune/optim/restarts/pooled_starts.h"

#include <memory>
#include <vector>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;

namespace {

/// What a search was started with and told.
struct StartsEntry {
  std::int64_t budget = 0;
  std::int64_t asks = 0;
  std::vector<double> told = {};
};
using StartsDiary = std::vector<StartsEntry>;

/// Search i asks for value i and recommends it at the mean of its payoffs.
class Recorder final : public Optimiser {
 public:
  Recorder(StartsDiary& diary, std::int64_t budget) : diary_(diary), index_(diary.size()) {
    diary_.push_back({.budget = budget});
  }

  Proposal ask(Rng&) override {
    ++diary_[index_].asks;
    return {.point = make_point({static_cast<int>(index_)})};
  }
  void tell(const Proposal&, const Report& report) override {
    for (const double payoff : report.payoffs) diary_[index_].told.push_back(payoff);
  }
  [[nodiscard]] Recommendation recommend() const override {
    double sum = 0.0;
    for (const double payoff : diary_[index_].told) sum += payoff;
    const auto count = static_cast<double>(diary_[index_].told.size());
    return {.point = make_point({static_cast<int>(index_)}), .estimate = sum / count};
  }

 private:
  StartsDiary& diary_;
  std::size_t index_;
};

OptimiserMaker recorder(StartsDiary& diary) {
  return [&diary](const OptimiserContext& context) -> std::unique_ptr<Optimiser> {
    return std::make_unique<Recorder>(diary, context.budget);
  };
}

}  // namespace

TEST_CASE("the last of pooled searches has the payoffs of all, in order") {
  const SearchSpace space = grid_space({100});
  StartsDiary diary;
  PooledStarts search({.starts = 3, .share = 0.45}, recorder(diary), make_context(space, 200));
  double next = 0.0;
  const test::Trace trace = test::run(search, 200, 1, [&](const Point&, Rng&) { return ++next; });
  REQUIRE(diary.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(diary[i].budget == 30);
    CHECK(diary[i].asks == 30);
    CHECK(diary[i].told.size() == 30);
  }
  CHECK(diary[3].budget == 200);
  CHECK(diary[3].asks == 110);
  REQUIRE(diary[3].told.size() == 200);
  for (std::size_t i = 0; i < 200; ++i) CHECK(diary[3].told[i] == static_cast<double>(i + 1));
  CHECK(trace.recommendation.point == make_point({3}));
}

TEST_CASE("before payoffs are pooled the search with the highest estimate recommends") {
  const SearchSpace space = grid_space({100});
  StartsDiary diary;
  PooledStarts search({}, recorder(diary), make_context(space, 200));
  const test::Trace trace =
      test::run(search, 80, 1, [](const Point& point, Rng&) { return point[0] == 1 ? 1.0 : 0.0; });
  CHECK(diary.size() == 3);
  CHECK(trace.recommendation.point == make_point({1}));
}

TEST_CASE("evaluations that fail count in the share of a start") {
  const SearchSpace space = grid_space({100});
  StartsDiary diary;
  PooledStarts search({.starts = 2, .share = 0.5}, recorder(diary), make_context(space, 8));
  Rng rng(1);
  for (int i = 0; i < 8; ++i) {
    const Point point = search.ask(rng).point;
    search.pending(point, true);
    search.pending(point, false);
    if (i >= 2) search.tell(point, i);  // all of the first start fail
  }
  REQUIRE(diary.size() == 3);
  CHECK(diary[0].asks == 2);
  CHECK(diary[0].told.empty());
  CHECK(diary[1].told == std::vector<double>{2, 3});
  CHECK(diary[2].told == std::vector<double>{2, 3, 4, 5, 6, 7});
}

TEST_CASE("payoffs in flight when searches are pooled go to the one that asked and to the last") {
  const SearchSpace space = grid_space({100});
  StartsDiary diary;
  PooledStarts search({.starts = 1, .share = 0.5}, recorder(diary), make_context(space, 8));
  Rng rng(1);
  std::vector<Point> asked;
  for (int i = 0; i < 6; ++i) {
    asked.push_back(search.ask(rng).point);
    search.pending(asked.back(), true);
  }
  CHECK(asked[3] == make_point({0}));
  CHECK(asked[4] == make_point({1}));
  for (int i = 0; i < 6; ++i) {
    search.pending(asked[static_cast<std::size_t>(i)], false);
    search.tell(asked[static_cast<std::size_t>(i)], i);
  }
  CHECK(diary[0].told == std::vector<double>{0, 1, 2, 3});
  CHECK(diary[1].told == std::vector<double>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("whatever learns from payoffs that it did not ask for can be pooled") {
  const SearchSpace space = grid_space({8, 7, 6, 5});
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (!entry.learns_from_others) continue;
    CAPTURE(entry.name);
    const auto trace = test::run("{algorithm: pooled_starts, optimiser: " + entry.name + "}", space,
                                 100, 2, [&](const Point& point, Rng& rng) {
                                   return test::height(space, point) + 0.1 * rng.normal();
                                 });
    CHECK(test::height(space, trace.recommendation.point) > 0.7);
  }
}

TEST_CASE("a Gaussian process with payoffs that it did not ask for begins with no random points") {
  const SearchSpace space = grid_space({30, 30, 30});
  const auto search = test::make_plan("gaussian_process", space).make(make_context(space, 100));
  for (int i = 0; i < 30; ++i) {
    search->tell(make_point({i, i, i}), 0.1 * i);
  }
  Rng rng(1);
  Rng same(1);
  CHECK_FALSE(search->ask(rng).point == space.sample(same));
}

}  // namespace ntune
