#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ntune/agents/combinatorial_game/combinatorial_game.h"
#include "ntune/agents/combinatorial_game/dyadic.h"

namespace ntune {

/// Mean and temperature of a game; an integer has temperature -1, another number with denominator
/// 2^b temperature -1/2^b.
struct ThermographValue {
  Dyadic mean;
  Dyadic temperature = -1;
  friend constexpr bool operator==(const ThermographValue&, const ThermographValue&) = default;
};

/// One wall of a thermograph as a function of the temperature t >= -1 that never falls. It is the
/// right wall R_t, or the left wall with its sign changed, -L_t. Its slope is 1 or 0, changes at
/// every turn (ascending, > -1), and is 0 after the last, up the mast.
struct WallView {
  Dyadic start;  ///< at t = -1, an integer
  Dyadic end;    ///< on the mast
  std::span<const Dyadic> turns;

  [[nodiscard]] Dyadic at(Dyadic t) const;
};

/// The maximum of several walls at every temperature.
class WallMaximum {
 public:
  void clear() { empty_ = true; }
  [[nodiscard]] bool empty() const { return empty_; }
  /// Copies `wall`, which must not be a view of this maximum.
  void add(const WallView& wall) {
    if (empty_ || end_ <= wall.start) {
      replace(wall);
    } else if (wall.end > start_) {
      merge(wall);
    }
  }
  /// The maximum of at least one wall; valid until the next change.
  [[nodiscard]] WallView wall() const { return {start_, end_, turns_}; }

 private:
  void replace(const WallView& wall);
  void merge(const WallView& other);

  bool empty_ = true;
  Dyadic start_;
  Dyadic end_;
  std::vector<Dyadic> turns_;
  std::vector<Dyadic> merged_;
};

/// The thermograph of a loop-free game down to t = -1 (Berlekamp 1996; Siegel 2013, II.5), from the
/// walls of the options in any form:
///   left scaffold  max over left options of R_t(G^L) - t
///   right scaffold min over right options of L_t(G^R) + t
/// Where they do not cross at t = -1 the game is the integer between them that is nearest to 0
/// (simplest number); else the mast stands where they first meet.
class Thermograph {
 public:
  explicit Thermograph(int integer = 0);
  /// The maxima of R_t(G^L) over the left options and of -L_t(G^R) over the right ones.
  Thermograph(const WallMaximum& left_options, const WallMaximum& right_options) {
    assign(left_options, right_options);
  }
  /// Recomputes this thermograph from its options and reuses its memory.
  void assign(const WallMaximum& left_options, const WallMaximum& right_options);
  /// The thermograph with these walls, -L_t and R_t.
  Thermograph(const ThermographValue& value, const WallView& left, const WallView& right);

  [[nodiscard]] const ThermographValue& value() const { return value_; }
  [[nodiscard]] Dyadic mean() const { return value_.mean; }
  [[nodiscard]] Dyadic temperature() const { return value_.temperature; }
  /// L_t and R_t for t >= -1.
  [[nodiscard]] Dyadic left(Dyadic t) const { return -left_wall().at(t); }
  [[nodiscard]] Dyadic right(Dyadic t) const { return right_wall().at(t); }

  /// -L_t and R_t.
  [[nodiscard]] WallView left_wall() const { return {left_start_, -value_.mean, left_turns_}; }
  [[nodiscard]] WallView right_wall() const { return {right_start_, value_.mean, right_turns_}; }

  [[nodiscard]] Thermograph negative() const;
  friend bool operator==(const Thermograph&, const Thermograph&) = default;

 private:
  ThermographValue value_;
  Dyadic left_start_;
  Dyadic right_start_;
  std::vector<Dyadic> left_turns_;
  std::vector<Dyadic> right_turns_;
};

/// A point of a wall where its direction changes.
struct ThermographCorner {
  Dyadic temperature;
  Dyadic value;
  friend constexpr bool operator==(const ThermographCorner&, const ThermographCorner&) = default;
};
/// A wall of the player from its foot at t = -1 up to the mast's foot; one corner for an integer.
std::vector<ThermographCorner> thermograph_wall(const Thermograph& thermograph, Player player);

/// Thermographs of all positions that follow from one, kept for the next question.
template <CombinatorialGame Game>
class ThermographSolver {
 public:
  /// Keeps at most `limit` positions.
  explicit ThermographSolver(std::size_t limit = 10'000'000) : limit_(limit) {}

  /// The thermograph, valid as long as the solver; null if it needs more positions than may be
  /// kept.
  const Thermograph* solve(const Game& game);
  [[nodiscard]] std::size_t positions() const { return known_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Game& game) const { return game.key(); }
  };

  /// Adds what the options of a player contribute; false if one has no answer.
  bool add_options(const Game& game, Player player, WallMaximum& maximum);

  std::size_t limit_;
  std::unordered_map<Game, Thermograph, Hash> known_;
};

/// Whether a game born by day n can have this temperature, or this mean: the sets T_n and M_n of
/// Zhang and Mueller 2015, Theorem 1. T_n has -1/2^b, 0, and every k/2^b > 0 in lowest terms up to
/// n - 2 + 1/2^b, each for 0 <= b < n. M_n has 0, those positive numbers, their negatives, n and
/// -n.
bool is_temperature_by_day(Dyadic temperature, int n);
bool is_mean_by_day(Dyadic mean, int n);

template <CombinatorialGame Game>
const Thermograph* ThermographSolver<Game>::solve(const Game& game) {
  const auto found = known_.find(game);
  if (found != known_.end()) return &found->second;
  Thermograph result;
  if (const auto integer = game.integer_value()) {
    result = Thermograph(*integer);
  } else {
    WallMaximum left;
    WallMaximum right;
    if (!add_options(game, Player::kLeft, left) || !add_options(game, Player::kRight, right)) {
      return nullptr;
    }
    result = Thermograph(left, right);
  }
  if (known_.size() >= limit_) return nullptr;
  return &known_.emplace(game, std::move(result)).first->second;
}

template <CombinatorialGame Game>
bool ThermographSolver<Game>::add_options(const Game& game, Player player, WallMaximum& maximum) {
  return game.for_each_option(player, [&](const auto&, const Game& option) {
    const Thermograph* const thermograph = solve(option);
    if (thermograph == nullptr) return false;
    maximum.add(player == Player::kLeft ? thermograph->right_wall() : thermograph->left_wall());
    return true;
  });
}

}  // namespace ntune
