#include "ntune/agents/turn_game/alpha_beta.h"

#include <utility>
#include <vector>

#include "agents/toy_games.h"
#include "catch.h"

namespace ntune {

namespace {

const std::vector<AlphaBetaOptions>& all_options() {
  static const std::vector<AlphaBetaOptions> options = {
      {},
      {.order_depth = 1000},
      {.iterative_deepening = true},
      {.table_depth = 1000},
      {.table_bits = 3, .table_depth = 1, .order_depth = 1},
      {.iterative_deepening = true, .table_bits = 0, .table_depth = 1, .order_depth = 1000}};
  return options;
}

constexpr std::pair<Judge, int> kJudges[] = {
    {Judge::kPlayer0, 0}, {Judge::kPlayer1, 1}, {Judge::kOnTurn, -1}};

/// One search for all roots and judges, so that what is left in its table would show.
template <class Evaluator>
void equals_minimax(const Evaluator& evaluator) {
  for (const AlphaBetaOptions& options : all_options()) {
    AlphaBeta<RandomTree, Evaluator> search(evaluator, options);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const RandomTree root{seed, 0, static_cast<int>(seed % 2)};
      if (root.is_over()) continue;
      const int depth = 1 + static_cast<int>(seed / 2 % 6);
      const int ply = static_cast<int>(seed % 3);
      for (const auto& [judge, eyes] : kJudges) {
        const BestMoves best = search.best_moves(root, depth, judge, ply);
        REQUIRE(best.value == minimax(root, depth, ply, eyes, evaluator));
        std::vector<int> expected;
        RandomTree::Successors successors;
        root.successors(successors);
        for (std::size_t i = 0; i < successors.size(); ++i) {
          const double value = -minimax(successors[i].next, depth - 1, ply + 1, eyes, evaluator);
          if (value == best.value) expected.push_back(static_cast<int>(i));
        }
        REQUIRE(best.indices == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("alpha-beta: equals plain minimax, all best moves too, with every table and order") {
  equals_minimax(CoarseJudge());
  equals_minimax(CoarseJudge{.purpose = 300, .symmetric = false});
  equals_minimax(FineJudge());
}

TEST_CASE("alpha-beta: a window gives the exact value inside and a true bound outside") {
  AlphaBeta<RandomTree, FineJudge> search;
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomTree root{seed, 0, 0};
    const int depth = static_cast<int>(seed % 6);
    const double exact = minimax(root, depth, 0, 0, FineJudge());
    const double alpha = -0.3 + 0.1 * static_cast<double>(seed % 5);
    const double beta = alpha + 0.2;
    const double value = search.value(root, depth, Judge::kPlayer0, 0, alpha, beta);
    if (value > alpha && value < beta) {
      CHECK(value == exact);
      ++inside;
    } else if (value <= alpha) {
      CHECK(exact <= value);
    } else {
      CHECK(exact >= value);
    }
    CHECK(search.value(root, depth, Judge::kPlayer0) == exact);
  }
  CHECK(inside > 20);
}

TEST_CASE("alpha-beta: whatever value is expected, the answer is the same") {
  AlphaBeta<RandomTree, CoarseJudge> search;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomTree root{seed, 0, 0};
    const int depth = 1 + static_cast<int>(seed % 5);
    search.forget();
    const BestMoves best = search.best_moves(root, depth, Judge::kPlayer1);
    for (const double expected : {-3.0, 0.0, best.value, best.value + 1.0, 1e9}) {
      search.forget();
      const BestMoves again = search.best_moves(root, depth, Judge::kPlayer1, 0, expected);
      REQUIRE(again.value == best.value);
      REQUIRE(again.indices == best.indices);
    }
  }
}

TEST_CASE("alpha-beta: Nim is won where the heaps' exclusive or is not zero, as soon as possible") {
  const auto nothing = [](const Nim&, int) { return 0; };
  AlphaBeta<Nim, decltype(nothing)> search(nothing);
  for (std::int8_t a = 0; a < 5; ++a) {
    for (std::int8_t b = 0; b < 5; ++b) {
      const Nim root{{a, b, 3}, 0};
      const double value = search.value(root, a + b + 4, Judge::kPlayer0);
      CHECK(is_win_or_loss(value));
      CHECK((value > 0) == root.is_won());
    }
  }
  // Two heaps of one: lost in two plies. One heap of one: won in one.
  CHECK(search.value({{1, 1, 0}, 1}, 5, Judge::kPlayer1) == 2 - kWinScore);
  CHECK(search.value({{1, 0, 0}, 1}, 5, Judge::kPlayer1) == kWinScore - 1);
}

TEST_CASE("alpha-beta: without a legal move the player on turn has lost, with no best move") {
  const auto nothing = [](const Nim&, int) { return 7; };
  AlphaBeta<Nim, decltype(nothing)> search(nothing);
  const BestMoves best = search.best_moves(Nim(), 3, Judge::kPlayer0);
  CHECK(best.indices.empty());
  CHECK(best.value == -kWinScore);
  CHECK(search.value(Nim(), 0, Judge::kPlayer0) == 7);  // the horizon does not look for moves
}

TEST_CASE(
    "alpha-beta: the table and the order save nodes; what was searched before is forgotten on "
    "demand") {
  const RandomTree root{7, 0, 0};
  const auto nodes = [&](const AlphaBetaOptions& options) {
    AlphaBeta<RandomTree, FineJudge> search({}, options);
    search.best_moves(root, 9, Judge::kPlayer0);
    return search.nodes();
  };
  CHECK(nodes({}) < nodes({.table_depth = 1000}));
  AlphaBeta<RandomTree, FineJudge> search;
  search.best_moves(root, 6, Judge::kPlayer0);
  const std::int64_t first = search.nodes();
  search.forget();
  search.best_moves(root, 6, Judge::kPlayer0);
  CHECK(search.nodes() == 2 * first);
}

TEST_CASE("alpha-beta: the principal leaf has the value of the root") {
  AlphaBeta<RandomTree, FineJudge> search;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomTree root{seed, 0, 0};
    const double value = search.value(root, 5, Judge::kPlayer0);
    const RandomTree leaf = principal_leaf(search, root, 5, Judge::kPlayer0);
    if (is_win_or_loss(value)) continue;
    if (leaf.is_over()) {
      CHECK((leaf.outcome() == GameOutcome::kDraw && value == kDrawScore));
      continue;
    }
    CHECK(leaf.ply == 5);
    CHECK(FineJudge()(leaf, 0) == value);
    ++compared;
  }
  CHECK(compared > 0);
}

}  // namespace ntune
