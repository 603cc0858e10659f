#pragma once

#include <cstdint>
#include <vector>

#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/core/rng.h"

namespace ntune {

/// A win at ply p of a search is worth kWinScore - p to the winner (Donkers et al. 2005, Section
/// 3), a draw is worth 0 to both. Evaluations must stay below kWinScore - kMostPlies in size, and
/// in a game with draws 0 should mean that both stand equally well.
constexpr double kWinScore = 1e9;
constexpr double kDrawScore = 0.0;
constexpr double kInfiniteScore = 2e9;
constexpr int kMostPlies = 1000;

constexpr bool is_win_or_loss(double score) {
  return score > kWinScore - kMostPlies || score < kMostPlies - kWinScore;
}

/// The player for whom the leaves are evaluated: player 0, player 1 or, at every leaf, the player
/// on turn there. An evaluation is asymmetric if these values differ by more than the sign.
enum class Judge { kPlayer0, kPlayer1, kOnTurn };

constexpr Judge judge_of(int player) { return player == 0 ? Judge::kPlayer0 : Judge::kPlayer1; }

/// Value of a position to the player on turn, and all his moves that have this value. They are
/// indices in the order of `successors`, rising; none where he has no move.
struct BestMoves {
  double value = -kInfiniteScore;
  std::vector<int> indices;
};

/// One of the best moves, all equally likely; draws a number only if there are several.
inline int choose_best(const BestMoves& best, Rng& rng) {
  const auto count = static_cast<std::uint32_t>(best.indices.size());
  return best.indices[count == 1 ? 0 : rng.below(count)];
}

/// Game-tree search of a fixed depth with one evaluation: the seam between the searches and those
/// who use them. One per thread. Values do not depend on what was searched before.
template <TurnGame Position>
class TurnSearch {
 public:
  virtual ~TurnSearch() = default;

  /// The exact minimax value of a position that is not over, and its best moves; depth >= 1. `ply`
  /// is where the position stands in a larger tree, for the value of wins. `expected`: a value that
  /// the true one is believed to reach, which saves work; a wrong belief costs a second search.
  virtual BestMoves best_moves(const Position& at, int depth, Judge judge, int ply = 0,
                               double expected = -kInfiniteScore) = 0;
  /// The minimax value to the player on turn, exact if between alpha and beta, else a bound on that
  /// side; depth >= 0.
  virtual double value(const Position& at, int depth, Judge judge, int ply = 0,
                       double alpha = -kInfiniteScore, double beta = kInfiniteScore) = 0;
  /// Forgets all earlier positions: the count of nodes then is a function of the calls alone.
  virtual void forget() = 0;
  /// Positions made so far. A game with `each_successor` makes those of the last ply that are
  /// looked at; others make all successors, also those that a cut-off leaves unseen.
  [[nodiscard]] virtual std::int64_t nodes() const = 0;
};

/// The leaf whose evaluation is the minimax value of `root`: both sides follow the first of their
/// best moves. Where the game ends on the way it is the last position, whose outcome is the value.
template <TurnGame Position>
Position principal_leaf(TurnSearch<Position>& search, Position root, int depth, Judge judge) {
  typename Position::Successors successors;
  for (; depth > 0 && !root.is_over(); --depth) {
    successors.clear();
    root.successors(successors);
    if (successors.size() == 0) break;
    const BestMoves best = search.best_moves(root, depth, judge);
    root = successors[static_cast<std::size_t>(best.indices.front())].next;
  }
  return root;
}

}  // namespace ntune
