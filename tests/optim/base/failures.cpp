// What optimisers learn from evaluations that fail.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "catch.h"
#include "ntune/optim/base/point_search.h"
#include "optim/contract.h"

namespace ntune {

namespace {

using test::grid_space;
using test::height;
using test::optimisers;

struct Course {
  std::vector<Point> asked;
  std::vector<bool> failed;
  Recommendation recommendation;

  [[nodiscard]] std::int64_t failures() const { return std::ranges::count(failed, true); }
};

/// A run in which the points that `crashes` names fail, with so many evaluations in flight.
template <class Crashes>
Course run_with_crashes(const std::string& optimiser, const SearchSpace& space, int budget,
                        std::uint64_t seed, bool noisy, const Crashes& crashes, int width = 1) {
  OptimiserContext context = test::make_context(space, budget);
  context.noisy = noisy;
  const auto search = test::make_plan(optimiser, space).make(context);
  Rng rng = Rng(seed).stream("optimiser");
  Rng noise = Rng(seed).stream("noise");
  Course course;
  bool told = false;
  std::size_t answered = 0;
  while (answered < static_cast<std::size_t>(budget)) {
    while (course.asked.size() < std::min<std::size_t>(answered + static_cast<std::size_t>(width),
                                                       static_cast<std::size_t>(budget))) {
      if (told && search->done()) break;
      course.asked.push_back(search->ask(rng).point);
      if (width > 1) search->pending(course.asked.back(), true);
    }
    if (answered == course.asked.size()) break;
    const Point point = course.asked[answered++];
    if (width > 1) search->pending(point, false);
    course.failed.push_back(crashes(point));
    if (course.failed.back()) {
      search->tell({.point = point}, {.failed = true});
    } else {
      search->tell(point, height(space, point) + (noisy ? 0.1 * noise.normal() : 0.0));
      told = true;
    }
  }
  if (told) course.recommendation = search->recommend();
  return course;
}

/// A search that counts payoffs and has no wish of its own.
class Counting final : public PointSearch {
 public:
  explicit Counting(const OptimiserContext& context) : PointSearch(context) {}

  Proposal ask(Rng& rng) override { return {.point = failures_.draw(rng)}; }
  [[nodiscard]] Recommendation recommend() const override { return {}; }
  using PointSearch::count;
};

bool crashes_at_four(const Point& point) { return point[0] == 4; }

}  // namespace

TEST_CASE("every optimiser goes on where evaluations fail, and recommends what works") {
  const SearchSpace space = grid_space({9, 9});
  for (const std::string& optimiser : optimisers()) {
    for (const bool noisy : {true, false}) {
      for (const int width : {1, 4}) {
        CAPTURE(optimiser, noisy, width);
        const Course course =
            run_with_crashes(optimiser, space, 120, 3, noisy, crashes_at_four, width);
        REQUIRE(course.recommendation.point.size() == 2);
        CHECK_FALSE(crashes_at_four(course.recommendation.point));
        const Course again =
            run_with_crashes(optimiser, space, 120, 3, noisy, crashes_at_four, width);
        CHECK(course.asked == again.asked);
        CHECK(course.recommendation.point == again.recommendation.point);
      }
    }
  }
}

TEST_CASE("a value that always crashes is soon avoided") {
  // The share of the space is 1 / 9. Runs of 100 evaluations; the mean of 20.
  const SearchSpace space = grid_space({9, 9});
  for (const char* optimiser :
       {"ntbea", "gaussian_process", "pooled_starts", "multi_start", "auto"}) {
    for (const bool noisy : {true, false}) {
      double failures = 0.0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Course course = run_with_crashes(optimiser, space, 100, seed, noisy, crashes_at_four);
        failures += static_cast<double>(course.failures()) / 20.0;
      }
      CAPTURE(optimiser, noisy, failures);
      CHECK(failures < (noisy ? 100.0 / 9.0 : 9.5));
    }
  }
}

TEST_CASE("without noise no point that has failed is asked for again") {
  const SearchSpace space = grid_space({9, 9});
  for (const std::string& optimiser : optimisers()) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Course course = run_with_crashes(optimiser, space, 100, seed, false, crashes_at_four);
      std::map<Point, int> failures;
      for (std::size_t i = 0; i < course.failed.size(); ++i) {
        if (course.failed[i]) ++failures[course.asked[i]];
      }
      CAPTURE(optimiser, seed);
      CHECK(std::ranges::all_of(failures, [](const auto& each) { return each.second == 1; }));
    }
  }
}

TEST_CASE("a run ends without abort where a tenth of the space works") {
  const SearchSpace space = grid_space({10, 6, 6});
  const auto crashes = [](const Point& point) { return point[0] != 7; };
  for (const char* optimiser : {"ntbea", "gaussian_process", "pooled_starts", "auto"}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      CAPTURE(optimiser, seed);
      const Course course = run_with_crashes(optimiser, space, 200, seed, true, crashes);
      REQUIRE(course.recommendation.point.size() == 3);
      CHECK(course.recommendation.point[0] == 7);
      CHECK(course.failures() < 120);
    }
  }
}

TEST_CASE("what is likely to fail is recommended only where nothing else is known") {
  const SearchSpace space = grid_space({5, 5});
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    const auto search = test::make_plan(optimiser, space).make(test::make_context(space, 100));
    Rng rng(1);
    // Every second evaluation of the higher half fails.
    std::map<Point, int> asked;
    for (int i = 0; i < 100; ++i) {
      const Point point = search->ask(rng).point;
      const bool fails = point[0] >= 3 && ++asked[point] % 2 == 1;
      if (fails) {
        search->tell({.point = point}, {.failed = true});
      } else {
        search->tell(point, height(space, point));
      }
    }
    CHECK(search->recommend().point[0] < 3);
  }
}

TEST_CASE("without noise restarts end when every point is known") {
  const SearchSpace space = grid_space({5, 5});
  for (const char* optimiser : {"pooled_starts", "multi_start", "auto",
                                "{algorithm: multi_start, optimiser: gaussian_process}"}) {
    for (const bool crashing : {false, true}) {
      // NTBEA does not ask for every point that crashes.
      if (crashing && std::string(optimiser) == "multi_start") continue;
      CAPTURE(optimiser, crashing);
      const Course course =
          run_with_crashes(optimiser, space, 2000, 1, false,
                           [&](const Point& point) { return crashing && crashes_at_four(point); });
      CHECK(course.asked.size() < 2000);
      CHECK(height(space, course.recommendation.point) == (crashing ? 0.875 : 1.0));
    }
  }
}

TEST_CASE("spsa without noise recommends the best payoff it has seen") {
  const SearchSpace space = grid_space({9, 9, 9});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    OptimiserContext context = test::make_context(space, 40);
    context.noisy = false;
    const auto search = test::make_plan("spsa", space).make(context);
    const test::Trace trace = test::run(
        *search, 40, seed, [&](const Point& point, Rng&) { return height(space, point); });
    CHECK(trace.recommendation.estimate ==
          *std::max_element(trace.payoffs.begin(), trace.payoffs.end()));
  }
}

TEST_CASE("wild payoffs lead neither NTBEA nor a Gaussian process astray") {
  // One payoff in a hundred is 1,000 times too large. The hill's mean height, of 20 runs of 300.
  const SearchSpace space = grid_space({5, 5, 5, 5});
  for (const char* optimiser : {"ntbea", "gaussian_process"}) {
    double clean = 0.0;
    double wild = 0.0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto found = [&](double share) {
        const test::Trace trace =
            test::run(optimiser, space, 300, seed, [&](const Point& point, Rng& rng) {
              const bool is_wild = rng.bernoulli(share);
              const double payoff = height(space, point) + 0.2 * rng.normal();
              return is_wild ? 1000.0 * payoff : payoff;
            });
        CHECK(std::abs(trace.recommendation.estimate) < 3.0);
        return height(space, trace.recommendation.point) / 20.0;
      };
      clean += found(0.0);
      wild += found(0.01);
    }
    CAPTURE(optimiser, clean, wild);
    CHECK(wild > clean - 0.03);
  }
}

TEST_CASE("searches that compare means take wild payoffs for less extreme ones") {
  const SearchSpace space = grid_space({5, 5, 5, 5});
  for (const char* optimiser :
       {"random", "rmhc", "grid", "racing", "spsa", "tpe", "compact_ga", "multi_start"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(optimiser, seed);
      const test::Trace trace =
          test::run(optimiser, space, 300, seed, [&](const Point& point, Rng& rng) {
            const bool is_wild = rng.bernoulli(0.01);
            const double payoff = height(space, point) + 0.2 * rng.normal();
            return is_wild ? 1000.0 * payoff : payoff;
          });
      // What lies within five times the range of the others counts as itself.
      CHECK(std::abs(trace.recommendation.estimate) < 13.0);
    }
  }
}

TEST_CASE("without noise a payoff counts as itself, however large") {
  const SearchSpace space = grid_space({9, 9});
  for (const bool noisy : {true, false}) {
    CAPTURE(noisy);
    Counting search({.space = &space, .budget = 100, .noisy = noisy});
    Rng rng(1);
    for (int i = 0; i < 100; ++i) {
      const double payoff = i == 3 || i == 50 ? 1e6 : rng.normal();
      const double counts_as = search.count(test::make_point({i / 9 % 9, i % 9}), payoff);
      if (i == 50) CHECK((counts_as == payoff) == !noisy);
    }
    CHECK(search.told().set_aside == (noisy ? 2 : 0));
    CHECK((search.told().points->at(test::make_point({0, 3})).mean() < 1e5) == noisy);
  }
}

}  // namespace ntune
