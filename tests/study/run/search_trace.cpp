#include "ntune/study/run/search_trace.h"

#include <algorithm>

#include "catch.h"
#include "ntune/core/packed_bytes.h"
#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

const SearchSpace kTracedSpace({make_integers("a", 0, 999), make_boolean("b")});

SearchTrace::Evaluation random_evaluation(Rng& rng) {
  SearchTrace::Evaluation evaluation{.point = Point(2)};
  evaluation.point[0] = static_cast<std::uint16_t>(rng() % 1000);
  evaluation.point[1] = static_cast<std::uint16_t>(rng() % 2);
  evaluation.end = static_cast<SearchTrace::End>(rng() % 3);
  std::size_t payoffs = 1;
  if (evaluation.end == SearchTrace::End::kFailed) payoffs = 0;
  if (evaluation.end == SearchTrace::End::kPayoffs) payoffs = 1 + rng() % 3;
  for (std::size_t i = 0; i < payoffs; ++i) {
    evaluation.payoffs.push_back(static_cast<double>(rng() % 100'000) / 7.0 - 5000.0);
  }
  return evaluation;
}

Study traced_study(const std::string& yaml) { return read_study(parse_yaml(yaml)); }

/// How many runs of a cell keep their trace.
std::int64_t kept_runs(const Study& study, std::size_t cell) {
  std::int64_t kept = 0;
  for (std::int64_t repeat = 0; repeat < study.repeats; ++repeat) {
    for (std::int64_t run = 0; run < study.plans[study.plan_of(cell)].runs; ++run) {
      kept += keeps_trace(study, cell, repeat, run) ? 1 : 0;
    }
  }
  return kept;
}

}  // namespace

TEST_CASE("A trace is the same when it is unpacked") {
  Rng rng(1);
  SearchTrace trace(2);
  std::vector<SearchTrace::Evaluation> evaluations;
  for (int i = 0; i < 500; ++i) {
    evaluations.push_back(random_evaluation(rng));
    const SearchTrace::Evaluation& last = evaluations.back();
    trace.add(last.point, last.end, last.payoffs);
    if (i % 100 == 99) trace.add(SearchTrace::Checkpoint{i + 1, i / 3.0, last.point});
  }
  const std::string text = trace.packed();
  const auto again = SearchTrace::unpacked(text, kTracedSpace);
  REQUIRE(again);
  REQUIRE(again->size() == 500);
  std::size_t place = 0;
  again->visit([&](const SearchTrace::Evaluation& evaluation) {
    CHECK(evaluation.point == evaluations[place].point);
    CHECK(evaluation.end == evaluations[place].end);
    CHECK(evaluation.payoffs == evaluations[place].payoffs);
    ++place;
  });
  REQUIRE(again->checkpoints().size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(again->checkpoints()[i].evaluations == trace.checkpoints()[i].evaluations);
    CHECK(again->checkpoints()[i].estimate == trace.checkpoints()[i].estimate);
    CHECK(again->checkpoints()[i].point == trace.checkpoints()[i].point);
  }

  SECTION("of another space it is not read") {
    CHECK_FALSE(SearchTrace::unpacked(text, SearchSpace({make_integers("a", 0, 999)})));
    CHECK_FALSE(
        SearchTrace::unpacked(text, SearchSpace({make_integers("a", 0, 99), make_boolean("b")})));
  }
  SECTION("damaged it is not read, or it is a trace of the space") {
    const std::string bytes = *unpack_bytes(text, 1'000'000);
    for (int i = 0; i < 2000; ++i) {
      std::string damaged = bytes;
      if (i % 2 == 0) damaged[rng() % damaged.size()] = static_cast<char>(rng());
      if (i % 2 == 1) damaged.resize(rng() % damaged.size());
      const auto read = SearchTrace::unpacked(pack_bytes(damaged), kTracedSpace);
      if (read) read->visit([](const SearchTrace::Evaluation& one) { CHECK(one.point[0] < 1000); });
    }
  }
}

TEST_CASE("Wins and losses take little room in a trace") {
  Rng rng(1);
  SearchTrace trace(2);
  for (int i = 0; i < 3000; ++i) {
    const double payoff = rng() % 2 == 0 ? 1.0 : -1.0;
    trace.add(Point(2), SearchTrace::End::kPayoffs, {&payoff, 1});
  }
  CHECK(trace.packed().size() < 3000);
}

TEST_CASE("Checkpoints of a trace rise to its end") {
  for (const std::int64_t iterations : {1, 2, 7, 60, 300, 3000, 100'000}) {
    const std::vector<std::int64_t> list = trace_checkpoints(iterations);
    CHECK(list.front() >= 1);
    CHECK(list.back() == iterations);
    CHECK(std::ranges::adjacent_find(list, std::ranges::greater_equal()) == list.end());
  }
}

TEST_CASE(
    "Every run keeps its trace up to a million evaluations, then the same share of each cell") {
  const std::string function = "objective: {function: hartmann6, noise: win_loss}, seed: 1, ";
  const Study small = traced_study("{" + function + "runs: 10, iterations: 3000}");
  CHECK(kept_runs(small, 0) == 10);

  const Study large = traced_study(
      "{" + function + "optimisers: [ntbea, random], iterations: [1000, 5000], runs: 400}");
  REQUIRE(large.cells() == 4);  // 2 x 400 x 6000 evaluations
  for (std::size_t cell = 0; cell < 4; ++cell) CHECK(kept_runs(large, cell) == 84);

  const Study splits =
      traced_study("{" + function +
                   "budget: 3000, re_evaluation: 0, splits: [{runs: 1}, {runs: 10}], "
                   "repeats: 1000}");
  const double share = 1e6 / (1000.0 * 2 * 3000);
  CHECK(std::abs(static_cast<double>(kept_runs(splits, 0)) - share * 1000) <= 1);
  CHECK(std::abs(static_cast<double>(kept_runs(splits, 1)) - share * 10'000) <= 1);

  const Study long_run = traced_study("{" + function + "runs: 2, iterations: 5000000}");
  CHECK(kept_runs(long_run, 0) == 0);
  const Study recorded =
      traced_study("{" + function + "runs: 2, iterations: 50, record: evaluations}");
  CHECK(kept_runs(recorded, 0) == 0);
}

}  // namespace ntune
