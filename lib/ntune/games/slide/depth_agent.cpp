#include "ntune/games/slide/depth_agent.h"

#include <algorithm>
#include <utility>

namespace ntune {

SlideGame play_slide_game(SlideAgent& agent, SlidePosition<3> start, int most_moves, Rng& rng) {
  agent.begin_game();
  SlideGame game;
  SlidePosition<3> position = start;
  while (position != SlidePosition<3>::win()) {
    if (game.moves == most_moves) return game;
    const SlideDecision decision = agent.choose(position, rng);
    game.ties += decision.tie ? 1 : 0;
    game.fat_moves += decision.fat ? 1 : 0;
    position.slide(decision.line);
    ++game.moves;
  }
  game.won = true;
  return game;
}

namespace {

/// The least value among the successors; less is better.
float least_value(std::span<const SlideSuccessor> successors) {
  return std::ranges::min(successors, {}, &SlideSuccessor::value).value;
}

/// A uniform draw among the lines of the least value, without a random number where there is one.
int draw_among_least(std::span<const SlideSuccessor> successors, Rng& rng) {
  const float least = least_value(successors);
  std::array<int, SlidePosition<3>::kMostMoves> lines{};
  std::uint32_t count = 0;
  for (const SlideSuccessor& successor : successors) {
    if (successor.value == least) lines[count++] = successor.line;
  }
  return lines[count == 1 ? 0 : rng.below(count)];
}

/// Draws among the successors of least value with the most minimal leaves.
int draw_among_fat(std::span<const SlideSuccessor> successors, Rng& rng) {
  const float least = least_value(successors);
  std::int64_t most = -1;
  std::array<int, SlidePosition<3>::kMostMoves> lines{};
  std::uint32_t count = 0;
  for (const SlideSuccessor& successor : successors) {
    if (successor.value != least || successor.minimal_leaves < most) continue;
    if (successor.minimal_leaves > most) count = 0;
    most = successor.minimal_leaves;
    lines[count++] = successor.line;
  }
  return lines[count == 1 ? 0 : rng.below(count)];
}

}  // namespace

DepthAgent::DepthAgent(const DepthPlayer& player, bool count, std::shared_ptr<SlideSearch> search)
    : player_(player),
      count_(count),
      evaluator_(player.evaluation, slide_tables()),
      deterministic_(player.evaluation.deterministic(), slide_tables()),
      search_(std::move(search)),
      depth_(player.depth) {}

SlideDecision DepthAgent::choose(const SlidePosition<3>& position, Rng& rng) {
  // Leaves are counted only if that is asked for; a randomised evaluation needs a second search
  // without chance.
  const bool plain = (count_ || player_.fat) && !evaluator_.random();
  const SlideSearch::Result result =
      plain ? search_->search_and_count(position, depth_, evaluator_, player_.search)
            : search_->search(position, depth_, evaluator_, player_.search, rng);
  const bool win_seen = result.win_seen;
  SlideDecision decision = {.line = draw_among_least(result.successors, rng)};
  if (plain) {
    if (player_.fat) decision.line = draw_among_fat(result.successors, rng);
    decision = count_minimal(result.successors, decision.line);
  } else if (count_) {
    decision = count_minimal(
        search_->search_and_count(position, depth_, deterministic_, player_.search).successors,
        decision.line);
  }
  // A win in sight is approached: the next search looks one move less ahead.
  if (win_seen) depth_ = std::max(1, depth_ - 1);
  return decision;
}

SlideDecision DepthAgent::count_minimal(std::span<const SlideSuccessor> plain, int line) {
  const float least = least_value(plain);
  std::int64_t most = 0;
  std::int64_t chosen = -1;
  int minimal = 0;
  for (const SlideSuccessor& successor : plain) {
    if (successor.value != least) continue;
    ++minimal;
    most = std::max(most, successor.minimal_leaves);
    if (successor.line == line) chosen = successor.minimal_leaves;
  }
  // A tie is fat where the chosen line has the most leaves of the least value.
  return {.line = line, .tie = minimal > 1, .fat = minimal > 1 && chosen == most};
}

}  // namespace ntune
