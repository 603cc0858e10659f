#include "apps/slide3/experiments/autoplay.h"

#include <algorithm>

#include "apps/slide3/experiments/choice_of_moves.h"
#include "catch.h"
#include "games/slide/feature.h"
#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/depth_agent.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// Positions from all over the game, and after every ninth of them one that is a move from Win.
std::vector<Position> scattered_positions(std::size_t count) {
  std::vector<Position> positions;
  for (std::size_t i = 0; i < count; ++i) {
    positions.push_back(i % 10 == 9
                            ? Position::win().after(static_cast<int>(i / 10 % 3))
                            : slide_position_at<3>((i + 1) * 77'777 % slide_position_count<3>()));
  }
  return positions;
}

bool same(const Autoplay& a, const Autoplay& b) {
  return a.games == b.games && a.won == b.won && a.ties == b.ties && a.fat_moves == b.fat_moves &&
         a.evaluations == b.evaluations && a.moves.mean() == b.moves.mean() &&
         a.moves.sd() == b.moves.sd();
}

}  // namespace

TEST_CASE("slide autoplay: the same for any number of threads and any company of tasks") {
  const auto sample = scattered_positions(150);
  const auto task = [](Randomisation kind, std::uint64_t seed) {
    const DepthPlayer player = {.evaluation = SlideEvaluation::of(SlideFeature::kEu, kind, 0.1),
                                .depth = 2};
    return AutoplayTask{[player] { return std::make_unique<DepthAgent>(player, true); }, Rng(seed)};
  };
  const std::vector<AutoplayTask> tasks = {task(Randomisation::kNone, 1),
                                           task(Randomisation::kAdd, 2)};
  std::vector<std::vector<Autoplay>> results;
  for (const int threads : {1, 2, 8}) {
    Parallel parallel(threads);
    Progress progress;
    results.push_back(autoplay(tasks, sample, 40, parallel, progress));
    CHECK(progress.done == 300);
  }
  Parallel parallel(2);
  Progress progress;
  const auto alone = autoplay(std::span(tasks).last(1), sample, 40, parallel, progress);
  for (const auto& result : results) {
    CHECK(same(result[0], results[0][0]));
    CHECK(same(result[1], results[0][1]));
  }
  CHECK(same(alone[0], results[0][1]));
  CHECK(results[0][0].games == 150);
  CHECK(results[0][0].won >= 15);
}

TEST_CASE("slide autoplay: a player that breaks ties fat makes fat moves alone") {
  const auto sample = scattered_positions(40);
  std::vector<AutoplayTask> tasks;
  for (const bool fat : {false, true}) {
    const DepthPlayer player{
        .evaluation = SlideEvaluation::of(SlideFeature::kMan), .depth = 3, .fat = fat};
    tasks.push_back({[player] { return std::make_unique<DepthAgent>(player, true); }, Rng(1)});
  }
  Parallel parallel(2);
  Progress progress;
  const auto results = autoplay(tasks, sample, 30, parallel, progress);
  CHECK(results[1].ties > 50);
  CHECK(results[1].fat_moves == results[1].ties);
  CHECK(results[0].fat_moves < results[0].ties);
}

TEST_CASE("slide autoplay: stops soon when it is told to") {
  const auto sample = scattered_positions(100);
  const std::vector<AutoplayTask> tasks = {
      {[] { return std::make_unique<DepthAgent>(DepthPlayer{.depth = 1}); }, Rng(1)}};
  Parallel parallel(2);
  Progress progress;
  progress.stop = true;
  CHECK(autoplay(tasks, sample, 10, parallel, progress)[0].games == 0);
}

TEST_CASE("slide choice of moves: a search as deep as the distance finds the good moves alone") {
  Parallel parallel(2);
  const auto database = SlideDatabase<3>::build(parallel);
  std::vector<Position> sample;
  for (const std::uint32_t index : database.positions_at(4)) {
    sample.push_back(slide_position_at<3>(index));
  }
  Progress progress;
  const DepthPlayer player = {.evaluation =
                                  SlideEvaluation::of(SlideFeature::kEu, Randomisation::kAdd, 1)};
  const auto results = choice_of_moves(player, 3, 5, sample, database, Rng(1), parallel, progress);
  REQUIRE(results.size() == 3);
  CHECK(results[0].hits.mean() < 1.0);
  CHECK(results[1].hits.mean() == 1.0);
  CHECK(results[1].misses.mean() == 0.0);
  CHECK(results[1].hits.count() == static_cast<std::int64_t>(sample.size()));

  // Without knowledge every move is a candidate, and hits are the share of good moves.
  const auto play = choice_of_moves({}, 2, 2, sample, database, Rng(1), parallel, progress);
  RunningStats good;
  for (const Position& position : sample) {
    int moves = 0;
    int nearer = 0;
    for_each_line(position.moves(), [&](int line) {
      ++moves;
      nearer += database.dtw(position.after(line)) == 3 ? 1 : 0;
    });
    good.add(static_cast<double>(nearer) / moves);
  }
  CHECK(play[0].all_best == static_cast<std::int64_t>(sample.size()));
  CHECK(play[0].hits.mean() == Approx(good.mean()));
  CHECK(play[0].misses.count() == 0);
}

TEST_CASE("slide coarseness: distinct values and ties by hand") {
  Parallel parallel(2);
  Progress progress;
  // Start has six successors, alike in pairs of rows and columns by its symmetry.
  const std::vector<Position> sample = {Position::start()};
  const auto results = coarseness(SlideFeature::kMan, 1, sample, parallel, progress);
  REQUIRE(results.size() == 2);
  CHECK(results[0].positions == 6);
  std::vector<double> values;
  for_each_line(Position::start().moves(), [&](int line) {
    values.push_back(test::slide_feature(SlideFeature::kMan, Position::start().after(line)));
  });
  std::ranges::sort(values);
  const auto least = std::ranges::count(values, values.front());
  const auto last = std::unique(values.begin(), values.end());
  CHECK(results[0].values == last - values.begin());
  CHECK(results[1].ties.mean() == (least > 1 ? 1.0 : 0.0));
}

}  // namespace ntune
