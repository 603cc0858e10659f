#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ntune/agents/combinatorial_game/tds_context.h"
#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/hash.h"
#include "ntune/core/rng.h"

namespace ntune {

/// Mean and temperature by questions "is it at least v" to single points of walls. Where the stack
/// is fine enough, G + C(c) with Left to move is worth L_c(G) + c / 2 up to rounding, and a run of
/// coupons need not be played: with the scaffolds
///   Lscaf_c = max R_c(G^L) - c   and   Rscaf_c = min L_c(G^R) + c,
/// which only fall and only rise,
///   L_c = max(Lscaf_c, mean),  R_c = min(Rscaf_c, mean),
///   mean >= v  if both scaffolds are at some c, and mean < v if neither is.
/// If one of them is at c, the c of an answer is above (if it is Left's) or below (if it is
/// Right's). So it is found by bisection over the multiples of 2^(1-n) for n moves left, on which
/// all walls turn. At c = -1 the simplest integer decides. Means and walls are kept in the table,
/// whatever stack they were asked for.
template <CombinatorialGame Game>
class TdsWalls {
 public:
  using Node = TdsNode<Game>;

  explicit TdsWalls(TdsContext<Game>& context) : context_(context) {}

  /// Mean and temperature of a position that is no easily seen integer, on the grid of
  /// delta = 2^-exponent, exponent >= 1. Exact for at most `exponent` moves left; positions with
  /// more are rounded to the grid. None if the budget ends before.
  std::optional<ThermographValue> solve(const Node& root, int exponent);
  /// Where the budget ended the search, the middle of the interval that the mean lies in.
  [[nodiscard]] Dyadic middle_mean() const {
    return Dyadic::ratio((mean_bounds_.lower + mean_bounds_.upper) / 2, kTdsBits);
  }
  /// The temperature that settled the last question about the mean, or the middle of the interval
  /// that it lies in; none if no question was settled.
  [[nodiscard]] std::optional<Dyadic> likely_temperature() const {
    if (!likely_) return std::nullopt;
    return Dyadic::ratio(*likely_, kTdsBits);
  }

 private:
  using Kind = TdsTable::Kind;
  struct Bounds {
    TdsBounds mean;
    TdsBounds scaffold;  ///< of the player, signed as he sees it
    int hint = -1;       ///< the temperature that settled the mean, in units of kHintUnit; -1: none
  };
  struct Crossing {
    int value;
    int temperature;
  };

  // All values are the player's: Left's as they are, Right's negated. The functions are fail-soft:
  // a value >= at_least is a lower bound, any other an upper one.
  int wall(const Node& node, Player player, int c, int at_least);
  int scaffold(const Node& node, Player player, int c, int at_least);
  int search_options(const Node& node, Player player, int c, int at_least, int& move);
  bool probe_options(std::size_t begin, Player opponent, int c, int bound, int& best, int& move);
  /// The mean to Left. At the temperature `below` Right's scaffold alone is at least `at_least`.
  int mean(const Node& node, int at_least, int below);
  Crossing find_crossing(const Node& node, int at_least, int low, int high, int first);
  int players_mean(const Node& node, Player player, int at_least, int below) {
    return player == Player::kLeft ? mean(node, at_least, below)
                                   : -mean(node, -at_least + 1, below);
  }

  static int hinted_temperature(const Bounds& bounds) { return bounds.hint * kHintUnit - kTdsOne; }
  [[nodiscard]] Bounds known(const Node& node, Player player, int c) const;
  void store_mean(const Node& node, TdsBounds bounds, int hint);
  [[nodiscard]] int hinted_move(const Node& node, Player player, int c) const;

  /// Positions beyond the grid have values of that grid alone.
  [[nodiscard]] std::uint64_t hash(const Node& node, int moves_left) const {
    return moves_left <= exponent_ ? node.hash
                                   : mix64(node.hash + static_cast<std::uint64_t>(exponent_));
  }
  [[nodiscard]] std::uint64_t hash(const Node& node) const {
    return hash(node, node.game.birthday_bound());
  }
  /// The temperatures, and thus the means, of a position are multiples of this.
  [[nodiscard]] int step(int moves_left) const {
    return kTdsOne >> (std::clamp(moves_left, 1, exponent_) - 1);
  }
  static int round_up(int value, int step) { return (value + step - 1) & -step; }
  static int round_down(int value, int step) { return value & -step; }
  static int simplest_between(int low, int high, int step);
  static Kind kind_of(Player player) {
    return player == Player::kLeft ? TdsTable::kLeft : TdsTable::kRight;
  }

  static constexpr int kHintUnit = kTdsOne / 64;

  TdsContext<Game>& context_;
  int exponent_ = 1;
  TdsBounds mean_bounds_;
  std::optional<int> likely_;
};

}  // namespace ntune

#include "ntune/agents/combinatorial_game/tds_walls_impl.h"
