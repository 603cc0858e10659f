#include "ntune/games/slide/search.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "catch.h"
#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/depth_agent.h"

namespace ntune {

namespace {

using Position = SlidePosition<3>;

/// Depth-t search as it is told in the thesis, with a table that never overwrites another position.
class Reference {
 public:
  Reference(const SlideEvaluator& evaluator, int depth, const DepthSearchOptions& options, Rng& rng)
      : evaluator_(evaluator), depth_(depth), options_(options), rng_(rng) {}

  float value(const Position& position, int ply) {
    if (position == Position::win()) return static_cast<float>(options_.win_value);
    const bool leaf = ply == depth_;
    const bool tabled =
        options_.table == TableMode::kAll || (options_.table == TableMode::kExpanded && !leaf);
    if (tabled) {
      const auto found = table_.find(position.bits());
      if (found != table_.end() && found->second.first == ply) return found->second.second;
    }
    float best = 0.0F;
    if (leaf) {
      best = evaluator_(position.bits(), rng_);
    } else {
      std::optional<float> least;
      for_each_line(position.moves(), [&](int line) {
        const float next = value(position.after(line), ply + 1);
        least = std::min(least.value_or(next), next);
      });
      best = *least;
    }
    if (tabled) {
      const auto [place, fresh] = table_.try_emplace(position.bits(), ply, best);
      if (!fresh && ply <= place->second.first) place->second = {ply, best};
    }
    return best;
  }

 private:
  const SlideEvaluator& evaluator_;
  int depth_;
  DepthSearchOptions options_;
  Rng& rng_;
  std::map<std::uint64_t, std::pair<int, float>> table_;
};

Position random_position(Rng& rng) {
  const auto count = static_cast<std::uint32_t>(slide_position_count<3>());
  Position position = slide_position_at<3>(rng.below(count));
  // Every other one near Win, so that searches see it.
  if (rng.bernoulli(0.5)) {
    position = Position::win();
    for (int i = 0; i < 5; ++i) {
      const std::uint32_t moves = position.moves();
      int line = 0;
      do line = static_cast<int>(rng.below(Position::kLines));
      while ((moves >> line & 1U) == 0);
      position.slide(line);
    }
  }
  return position == Position::win() ? Position::start() : position;
}

std::int64_t count_leaves(const Position& position, int plies, const SlideEvaluator& evaluator,
                          float win_value, float& value) {
  if (position == Position::win()) {
    value = win_value;
    return 1;
  }
  if (plies == 0) {
    value = evaluator.sum(position.bits());
    return 1;
  }
  std::int64_t leaves = 0;
  for_each_line(position.moves(), [&](int line) {
    float next = 0.0F;
    const std::int64_t below =
        count_leaves(position.after(line), plies - 1, evaluator, win_value, next);
    if (leaves == 0 || next < value) {
      value = next;
      leaves = below;
    } else if (next == value) {
      leaves += below;
    }
  });
  return leaves;
}

}  // namespace

TEST_CASE("slide search: equals the plain recursion, draw for draw, in every table mode") {
  const std::array<SlideEvaluation, 4> evaluations = {
      SlideEvaluation::of(SlideFeature::kEu),
      SlideEvaluation::of(SlideFeature::kMan, Randomisation::kAdd, 2.5),
      SlideEvaluation::of(SlideFeature::kNb, Randomisation::kNormMinus, 1.0),
      SlideEvaluation{.weights = {1, 0.5, 0, 0, 0.25, 0},
                      .randomisation = Randomisation::kMult,
                      .intensity = 0.1}};
  Rng choose(6);
  SlideSearch search;
  int compared = 0;
  for (int round = 0; round < 240; ++round) {
    const Position root = random_position(choose);
    const SlideEvaluator evaluator(evaluations[static_cast<std::size_t>(round % 4)],
                                   slide_tables());
    const DepthSearchOptions options = {
        .table = table_mode_names()[static_cast<std::size_t>(round / 4 % 3)].second,
        .win_value = round % 2 == 0 ? kRepairedWinValue : 0.0};
    const int depth = 1 + round / 12 % 5;
    const Rng rng = choose.stream("round", round);
    Rng ours = rng;
    Rng theirs = rng;
    const std::int64_t collisions = search.collisions();
    const auto result = search.search(root, depth, evaluator, options, ours);
    // Where two positions compete for a place of our table, draws may differ.
    if (search.collisions() != collisions) continue;
    ++compared;
    Reference reference(evaluator, depth, options, theirs);
    REQUIRE(static_cast<int>(result.successors.size()) == std::popcount(root.moves()));
    for (const SlideSuccessor& successor : result.successors) {
      REQUIRE(successor.value == reference.value(root.after(successor.line), 1));
    }
    REQUIRE(ours() == theirs());
  }
  CHECK(compared > 200);
}

TEST_CASE("slide search: minimal leaves are counted over paths") {
  Rng choose(7);
  SlideSearch search;
  for (int round = 0; round < 60; ++round) {
    const Position root = random_position(choose);
    const SlideEvaluator evaluator(
        SlideEvaluation::of(static_cast<SlideFeature>(round % kSlideFeatures)), slide_tables());
    const int depth = 1 + round % 5;
    const auto result = search.search_and_count(root, depth, evaluator, {});
    for (const SlideSuccessor& successor : result.successors) {
      float value = 0.0F;
      const std::int64_t leaves = count_leaves(root.after(successor.line), depth - 1, evaluator,
                                               static_cast<float>(kRepairedWinValue), value);
      REQUIRE(successor.value == value);
      REQUIRE(successor.minimal_leaves == leaves);
    }
  }
}

TEST_CASE("slide search: Win is seen exactly where it is within reach") {
  SlideSearch search;
  Rng rng(8);
  const SlideEvaluator evaluator(SlideEvaluation::of(SlideFeature::kEu), slide_tables());
  Position position = Position::win();
  position.slide(0);
  position.slide(1);
  CHECK_FALSE(search.search(position, 1, evaluator, {}, rng).win_seen);
  CHECK(search.search(position, 2, evaluator, {}, rng).win_seen);
  CHECK_FALSE(search.search(Position::start(), 6, evaluator, {}, rng).win_seen);
}

TEST_CASE("slide depth agent: once it has seen Win it plays a shortest way, whatever the chance") {
  Rng choose(9);
  for (int round = 0; round < 40; ++round) {
    // A random walk of five moves from Win: not more than five from it.
    Position position = Position::win();
    for (int i = 0; i < 5; ++i) {
      int line = 0;
      do line = static_cast<int>(choose.below(Position::kLines));
      while (!position.can_slide(line));
      position.slide(line);
    }
    DepthAgent agent({.evaluation = SlideEvaluation::of(SlideFeature::kEu, Randomisation::kAdd, 50),
                      .depth = 5});
    Rng rng = choose.stream("game", round);
    const SlideGame game = play_slide_game(agent, position, 100, rng);
    CHECK(game.won);
    CHECK(game.moves <= 5);
  }
}

TEST_CASE("slide depth agent: with the value 0 of Win the endgame is lost at times (Chapter 7)") {
  Position position = Position::win();
  position.slide(0);
  position.slide(1);
  position.slide(2);
  const DepthPlayer player = {
      .evaluation = SlideEvaluation::of(SlideFeature::kEu, Randomisation::kAdd, 50),
      .depth = 3,
      .search = {.win_value = 0.0}};
  DepthAgent agent(player);
  int longer = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Rng rng = Rng(10).stream("game", i);
    longer += play_slide_game(agent, position, 100, rng).moves > 3 ? 1 : 0;
  }
  CHECK(longer > 0);
}

TEST_CASE("slide depth agent: counting ties and fat moves does not change the game") {
  for (const Randomisation kind : {Randomisation::kNone, Randomisation::kAdd}) {
    const DepthPlayer player = {.evaluation = SlideEvaluation::of(SlideFeature::kMan, kind, 0.5),
                                .depth = 3};
    DepthAgent plain(player, false);
    DepthAgent counting(player, true);
    const Rng rng(11);
    Rng a = rng;
    Rng b = rng;
    const SlideGame first = play_slide_game(plain, Position::start(), 60, a);
    const SlideGame second = play_slide_game(counting, Position::start(), 60, b);
    CHECK(first.moves == second.moves);
    CHECK(first.won == second.won);
    CHECK(first.ties == 0);
    CHECK(second.ties > 0);
    CHECK(second.fat_moves <= second.ties);
  }
}

}  // namespace ntune
