#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "ntune/agents/turn_game/transposition_table.h"
#include "ntune/agents/turn_game/turn_search.h"
#include "ntune/core/hash.h"

namespace ntune {

class Options;

/// How alpha-beta works; no option changes a value.
struct AlphaBetaOptions {
  bool iterative_deepening = false;  ///< search 1, 2, … plies first, for the order of the moves
  int table_bits = 13;               ///< places of the transposition table, as a power of two
  int table_depth = 2;  ///< least remaining depth that uses the table; kMostPlies: no table
  int order_depth = 2;  ///< least remaining depth that orders moves by the evaluation after them

  void visit(Options& options);
  /// These options with a table that is no larger than suits searches of `depth` plies. A move of
  /// depth 4 visits some hundred positions, one of depth 6 some thousand. An agent clears its table
  /// for every game, so that a larger table costs more than it saves.
  [[nodiscard]] AlphaBetaOptions for_depth(int depth) const;
};

/// A function of (position, player): how good the position is for the player, int or real.
template <class Evaluator, class Position>
concept PositionEvaluator = requires(const Evaluator& evaluator, const Position& at) {
  requires std::is_arithmetic_v<decltype(evaluator(at, 0))>;
};

/// Alpha-beta search (Knuth and Moore 1975), negamax and fail-soft. A position from which the
/// player on turn has no move is lost; at the horizon this is not looked at, only `is_over` is.
/// Ordering by the evaluation cut the time of Bao at depth 8 to a quarter; killer moves and
/// iterative deepening on top of it saved nothing.
template <TurnGame Position, PositionEvaluator<Position> Evaluator>
class AlphaBeta final : public TurnSearch<Position> {
 public:
  using Score = decltype(std::declval<const Evaluator&>()(std::declval<const Position&>(), 0));

  explicit AlphaBeta(Evaluator evaluator = {}, const AlphaBetaOptions& options = {})
      : evaluator_(std::move(evaluator)), options_(options), table_(options.table_bits) {}

  BestMoves best_moves(const Position& at, int depth, Judge judge, int ply = 0,
                       double expected = -kInfiniteScore) override {
    assert(depth >= 1 && ply + depth < kMostPlies && !at.is_over());
    prepare(depth, judge);
    if (options_.iterative_deepening) {
      for (int shallow = 1; shallow < depth; ++shallow) {
        visit(at, shallow, ply, -kInfinite, kInfinite);
      }
    }
    const Score believed = std::max(-kInfinite, rounded_down(expected));
    BestMoves best = resolve_root(at, depth, ply, believed);
    if (best.indices.empty() && believed > -kInfinite) {
      best = resolve_root(at, depth, ply, -kInfinite);
    }
    return best;
  }

  double value(const Position& at, int depth, Judge judge, int ply = 0,
               double alpha = -kInfiniteScore, double beta = kInfiniteScore) override {
    assert(depth >= 0 && ply + depth < kMostPlies);
    prepare(depth, judge);
    return static_cast<double>(visit(at, depth, ply, rounded_down(alpha), rounded_up(beta)));
  }

  void forget() override { table_.clear(); }
  [[nodiscard]] std::int64_t nodes() const override { return nodes_; }

 private:
  using Successors = typename Position::Successors;
  using Table = TranspositionTable<Score>;

  static constexpr Score kWin = static_cast<Score>(kWinScore);
  static constexpr Score kDraw = static_cast<Score>(kDrawScore);
  static constexpr Score kInfinite = static_cast<Score>(kInfiniteScore);
  static constexpr std::size_t kMostMoves = 256;

  /// What a search keeps for each ply above the horizon.
  struct Level {
    Successors successors;
    std::array<std::uint8_t, kMostMoves> order;
  };

  static Score rounded_down(double x) {
    if constexpr (std::is_integral_v<Score>) return static_cast<Score>(std::floor(x));
    return static_cast<Score>(x);
  }
  static Score rounded_up(double x) {
    if constexpr (std::is_integral_v<Score>) return static_cast<Score>(std::ceil(x));
    return static_cast<Score>(x);
  }
  /// The next lower score, so that a window open above it tells equal from worse.
  static Score just_below(Score x) {
    if constexpr (std::is_integral_v<Score>)
      return x - 1;
    else
      return std::nextafter(x, -std::numeric_limits<Score>::infinity());
  }
  /// Wins are stored by their distance from the position, not from the root.
  static Score shifted(Score value, int plies) {
    if (value > kWin - kMostPlies) return value + static_cast<Score>(plies);
    if (value < kMostPlies - kWin) return value - static_cast<Score>(plies);
    return value;
  }

  void prepare(int depth, Judge judge) {
    judge_ = judge;
    salt_ = mix64(static_cast<std::uint64_t>(judge));
    while (levels_.size() <= static_cast<std::size_t>(depth)) {
      levels_.push_back(std::make_unique<Level>());
    }
  }

  BestMoves resolve_root(const Position& at, int depth, int ply, Score expected) {
    Level& level = *levels_[static_cast<std::size_t>(depth)];
    const std::size_t count = generate(at, level);
    BestMoves best;
    if (count == 0) {
      best.value = static_cast<double>(lost(ply));
      return best;
    }
    const bool tabled = depth >= options_.table_depth;
    const std::uint64_t key = tabled ? at.key() ^ salt_ : 0;
    const typename Table::Entry* known = tabled ? table_.find(key) : nullptr;
    arrange(level, depth, known != nullptr ? known->move : -1);
    Score highest = expected;
    for (std::size_t k = 0; k < count; ++k) {
      const int i = level.order[k];
      const Position& next = level.successors[static_cast<std::size_t>(i)].next;
      const Score alpha = highest == -kInfinite ? highest : just_below(highest);
      const Score value = -visit(next, depth - 1, ply + 1, -kInfinite, -alpha);
      if (value < highest) continue;
      if (value > highest) best.indices.clear();
      highest = value;
      best.indices.push_back(i);
    }
    best.value = static_cast<double>(highest);
    if (tabled && !best.indices.empty()) {
      table_.store({key, shifted(highest, ply), static_cast<std::int16_t>(depth),
                    ValueBound::kExact, static_cast<std::uint8_t>(best.indices.front())});
    }
    std::sort(best.indices.begin(), best.indices.end());
    return best;
  }

  /// Fail-soft: exact between alpha and beta, else a bound that the window's end does not limit.
  Score visit(const Position& at, int depth, int ply, Score alpha, Score beta) {
    if (at.is_over()) return ended(at, ply);
    if (depth == 0) return leaf(at);
    // 1. The table may know the value at this depth, or at least the move that was best before.
    int first = -1;
    std::uint64_t key = 0;
    if (depth >= options_.table_depth) {
      key = at.key() ^ salt_;
      if (const typename Table::Entry* known = table_.find(key)) {
        first = known->move;
        const Score value = shifted(known->value, -ply);
        if (known->depth == depth && decides(known->bound, value, alpha, beta)) return value;
      }
    }
    if (depth == 1) return best_leaf(at, ply, beta);
    // 2. The moves, the known one and promising ones first.
    Level& level = *levels_[static_cast<std::size_t>(depth)];
    const std::size_t count = generate(at, level);
    if (count == 0) return lost(ply);
    arrange(level, depth, first);
    const Score floor = alpha;
    Score best = -kInfinite;
    std::size_t best_index = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = level.order[k];
      const Score value = -visit(level.successors[i].next, depth - 1, ply + 1, -beta, -alpha);
      if (value <= best) continue;
      best = value;
      best_index = i;
      alpha = std::max(alpha, value);
      if (alpha >= beta) break;
    }
    if (depth >= options_.table_depth) {
      // 3. What the window allowed to find out goes into the table. Values of wins are stored as
      // seen from this node, and not from the root.
      const ValueBound bound = best >= beta   ? ValueBound::kLower
                               : best > floor ? ValueBound::kExact
                                              : ValueBound::kUpper;
      table_.store({key, shifted(best, ply), static_cast<std::int16_t>(depth), bound,
                    static_cast<std::uint8_t>(best_index)});
    }
    return best;
  }

  /// The value of the best move at remaining depth 1, where most nodes are: no order, no table.
  Score best_leaf(const Position& at, int ply, Score beta) {
    Score best = lost(ply);  // lower than the value of any move
    const auto look_at = [&](const Position& next) {
      best = std::max(best, -(next.is_over() ? ended(next, ply + 1) : leaf(next)));
      return best < beta;
    };
    if constexpr (MakesSuccessorsOneByOne<Position>) {
      at.each_successor([&](const Position& next) {
        ++nodes_;
        return look_at(next);
      });
    } else {
      Level& level = *levels_[1];
      const std::size_t count = generate(at, level);
      for (std::size_t i = 0; i < count && look_at(level.successors[i].next);) ++i;
    }
    return best;
  }

  static Score lost(int ply) { return static_cast<Score>(ply) - kWin; }
  /// The value of a position that is over. In a game whose `outcome` is never a draw the first
  /// line is compiled away.
  static Score ended(const Position& at, int ply) {
    const GameOutcome outcome = at.outcome();
    if (outcome == GameOutcome::kDraw) return kDraw;
    return outcome == win_of(at.to_move()) ? -lost(ply) : lost(ply);
  }

  Score leaf(const Position& at) const {
    const int on_turn = at.to_move();
    if (judge_ == Judge::kOnTurn) return evaluator_(at, on_turn);
    const int judge = judge_ == Judge::kPlayer0 ? 0 : 1;
    const Score value = evaluator_(at, judge);
    return judge == on_turn ? value : -value;
  }

  static bool decides(ValueBound bound, Score value, Score alpha, Score beta) {
    return bound == ValueBound::kExact || (bound == ValueBound::kLower && value >= beta) ||
           (bound == ValueBound::kUpper && value <= alpha);
  }

  std::size_t generate(const Position& at, Level& level) {
    if constexpr (requires { Successors::kCapacity; }) {
      static_assert(Successors::kCapacity <= kMostMoves, "moves are stored in bytes");
    }
    level.successors.clear();
    at.successors(level.successors);
    const std::size_t count = level.successors.size();
    assert(count <= kMostMoves);
    nodes_ += static_cast<std::int64_t>(count);
    return count;
  }

  /// The move of the table first; then the others by the evaluation of where they lead, or as they
  /// came.
  void arrange(Level& level, int depth, int first) const {
    std::array<Score, kMostMoves> promise;
    for (std::size_t i = 0; i < level.successors.size(); ++i) {
      promise[i] = static_cast<int>(i) == first    ? kInfinite
                   : depth >= options_.order_depth ? -glance(level.successors[i].next)
                                                   : Score{};
      std::size_t at = i;
      for (; at > 0 && promise[level.order[at - 1]] < promise[i]; --at) {
        level.order[at] = level.order[at - 1];
      }
      level.order[at] = static_cast<std::uint8_t>(i);
    }
  }

  /// The value of a position without looking ahead.
  Score glance(const Position& at) const { return at.is_over() ? ended(at, 0) : leaf(at); }

  Evaluator evaluator_;
  AlphaBetaOptions options_;
  Table table_;
  std::vector<std::unique_ptr<Level>> levels_;  ///< by remaining depth
  Judge judge_ = Judge::kPlayer0;
  std::uint64_t salt_ = 0;
  std::int64_t nodes_ = 0;
};

}  // namespace ntune
