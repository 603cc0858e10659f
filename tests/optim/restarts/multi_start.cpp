// Restarts and comparison within one budget, on searches whose recommendations are scripted.

#include "ntune/optim/restarts/multi_start.h"

#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/optim/claims/point_claims.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;

namespace {

/// What the searches of a test did, in the order of their starts.
struct Diary {
  std::vector<int> told;
};

/// Evaluates value 0 for ever, and recommends the value that its script names for so many payoffs.
class Scripted final : public Optimiser {
 public:
  using Script = std::function<int(int search, int told)>;
  Scripted(Diary& diary, Script script) : diary_(diary), script_(std::move(script)) {
    search_ = static_cast<int>(diary_.told.size());
    diary_.told.push_back(0);
  }

  Proposal ask(Rng&) override { return {.point = make_point({tells() % 2 == 0 ? value() : 0})}; }
  void tell(const Proposal&, const Report&) override {
    ++diary_.told[static_cast<std::size_t>(search_)];
  }
  [[nodiscard]] Recommendation recommend() const override {
    return {.point = make_point({value()}), .estimate = 0.5, .evaluations = 1};
  }

 private:
  [[nodiscard]] int tells() const { return diary_.told[static_cast<std::size_t>(search_)]; }
  [[nodiscard]] int value() const { return script_(search_, tells()); }

  Diary& diary_;
  Script script_;
  int search_;
};

OptimiserMaker scripted(Diary& diary, const Scripted::Script& script) {
  return [&diary, script](const OptimiserContext&) -> std::unique_ptr<Optimiser> {
    return std::make_unique<Scripted>(diary, script);
  };
}

}  // namespace

TEST_CASE("a search that never settles gets the whole budget, or as much as it may have at most") {
  const SearchSpace space = grid_space({1000});
  Diary diary;
  MultiStart search({.longest = {.automatic = false, .value = 400}},
                    scripted(diary, [](int, int told) { return told; }), make_context(space, 400));
  test::run(search, 400, 1, [](const Point&, Rng&) { return 0.0; });
  CHECK(diary.told == std::vector<int>{400});
  Diary short_diary;
  MultiStart restarts({.longest = {.automatic = false, .value = 70}},
                      scripted(short_diary, [](int, int told) { return told; }),
                      make_context(space, 400));
  test::run(restarts, 400, 1, [](const Point&, Rng& rng) { return rng.normal(); });
  REQUIRE(short_diary.told.size() >= 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(short_diary.told[i] == 70);
}

TEST_CASE("settled searches are followed by others, and fresh evaluations find the best of them") {
  // Search i recommends value i from its start; value 3 is worth most by far.
  const SearchSpace space = grid_space({100});
  Diary diary;
  MultiStart search({}, scripted(diary, [](int i, int) { return i; }), make_context(space, 1000));
  const auto payoff = [](const Point& point, Rng& rng) {
    return (point[0] == 3 ? 1.0 : 0.0) + 0.1 * rng.normal();
  };
  const test::Trace trace = test::run(search, 1000, 1, payoff);
  // A tenth of the budget each, up to the four fifths that are for searching; the comparison is
  // decided soon, and most of what is left goes into one more search.
  REQUIRE(diary.told.size() == 9);
  for (std::size_t i = 0; i < 8; ++i) CHECK(diary.told[i] == 100);
  CHECK(diary.told[8] > 80);
  CHECK(trace.recommendation.point == make_point({3}));
  CHECK(std::abs(trace.recommendation.estimate - 1.0) < 0.1);
}

TEST_CASE("a comparison that stays undecided lasts to the end") {
  const SearchSpace space = grid_space({100});
  Diary diary;
  MultiStart search({.errors = 50.0}, scripted(diary, [](int i, int) { return i; }),
                    make_context(space, 1000));
  std::vector<int> compared(100, 0);
  int evaluations = 0;
  test::run(search, 1000, 1, [&](const Point& point, Rng& rng) {
    if (++evaluations > 800) ++compared[point[0]];
    return rng.normal();
  });
  for (std::size_t i = 0; i < 8; ++i) CHECK(compared[i] == 25);
}

TEST_CASE("searches that agree need no comparison") {
  const SearchSpace space = grid_space({100});
  Diary diary;
  MultiStart search({}, scripted(diary, [](int, int) { return 7; }), make_context(space, 1000));
  const test::Trace trace =
      test::run(search, 1000, 1, [](const Point&, Rng& rng) { return rng.normal(); });
  int told = 0;
  for (const int count : diary.told) told += count;
  CHECK(told == 1000);
  CHECK(trace.recommendation.point == make_point({7}));
}

TEST_CASE("two payoffs of a candidate that fails from then on tell of the noise of all") {
  // Three searches of 20 recommend 0, 1 and 2; 40 evaluations compare them. The two payoffs of 2
  // alone have a variance of 2: with those of seven degrees of freedom all have about 2 / 7, an
  // error of 0.38 after four payoffs each. So 1 is not out, which is 0.1 behind 0.
  const SearchSpace space = grid_space({3});
  Diary diary;
  MultiStart search({.share = 0.4, .shortest = 0.2, .errors = 2.0},
                    scripted(diary, [](int i, int) { return i; }), make_context(space, 100));
  Rng rng(1);
  int compared[3] = {};
  for (int i = 0; i < 100; ++i) {
    const Proposal asked = search.ask(rng);
    const double side = i % 2 == 0 ? 1.0 : -1.0;
    if (i < 60) {
      search.tell(asked.point, side);
      continue;
    }
    const int value = asked.point[0];
    const int before = compared[value]++;
    if (value == 2 && before >= 2) {
      search.tell(asked, {.failed = true});
    } else if (value == 2) {
      search.tell(asked.point, before == 0 ? 1.0 : -1.0);
    } else {
      search.tell(asked.point, 0.01 * (before % 2 == 0 ? 1.0 : -1.0) - 0.1 * value);
    }
  }
  CHECK(compared[1] > 10);
  CHECK(compared[1] >= compared[0] - 1);
}

TEST_CASE("a few equal payoffs do not make a comparison certain") {
  // Two candidates; a candidate's own payoffs in the comparison are nearly all wins.
  const SearchSpace space = grid_space({2});
  Diary diary;
  MultiStart search({.shortest = 0.2, .errors = 50.0},
                    scripted(diary, [](int i, int) { return i % 2; }), make_context(space, 40));
  int evaluations = 0;
  test::run(search, 40, 1, [&](const Point&, Rng& rng) {
    return ++evaluations > 32 || rng.bernoulli(0.5) ? 1.0 : -1.0;
  });
  const std::optional<Certainty> certainty = certainty_of(search, space, {.range = {-1.0, 1.0}});
  REQUIRE(certainty);
  CHECK(certainty->sd > 0.05);
  // In all the one has won 22 of 28, the other 6 of 12. With uniform priors 0.961 is the
  // probability that the first is better; claims expect points to be more alike.
  CHECK(certainty->best_probability > 0.9);
  CHECK(certainty->best_probability < 0.961);
}

}  // namespace ntune
