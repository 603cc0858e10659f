#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ntune/core/rng.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

/// A move on one board of a sum.
struct AmazonsSumMove {
  std::uint8_t board = 0;
  AmazonsMove move = {};
  friend constexpr auto operator<=>(const AmazonsSumMove&, const AmazonsSumMove&) = default;
};

/// How a sum ended. `score` counts the moves that Black still had, less White's. The player with
/// moves left has won; at 0 it is the player who is not on turn.
struct AmazonsSumOutcome {
  Player winner = Player::kLeft;
  int score = 0;
  friend constexpr bool operator==(const AmazonsSumOutcome&, const AmazonsSumOutcome&) = default;
};

/// Several boards of Amazons and a player on turn, who moves on one of them; who cannot move on any
/// loses. Instantiated in the library for the sides 4, 5 and 6.
template <int kSide>
class AmazonsSum {
 public:
  using Position = AmazonsPosition<kSide>;
  static constexpr std::size_t kMostBoards = 8;

  AmazonsSum() = default;
  /// A sum of at most kMostBoards boards.
  explicit AmazonsSum(std::span<const Position> boards, Player on_turn = Player::kLeft)
      : size_(static_cast<std::uint8_t>(boards.size())), on_turn_(on_turn) {
    assert(boards.size() <= kMostBoards);
    for (std::size_t i = 0; i < boards.size(); ++i) boards_[i] = boards[i];
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Position& operator[](std::size_t i) const { return boards_[i]; }
  [[nodiscard]] std::span<const Position> boards() const { return {boards_.data(), size_}; }
  [[nodiscard]] Player on_turn() const { return on_turn_; }

  /// Plays a legal move; `undo` takes back the last one.
  void apply(const AmazonsSumMove& move) {
    boards_[move.board].apply(on_turn_, move.move);
    on_turn_ = opponent(on_turn_);
  }
  void undo(const AmazonsSumMove& move) {
    on_turn_ = opponent(on_turn_);
    boards_[move.board].undo(on_turn_, move.move);
  }

  [[nodiscard]] bool can_move(Player player) const {
    for (const Position& board : boards()) {
      if (board.can_move(player)) return true;
    }
    return false;
  }
  /// Calls visit(move) for every move of the player on turn, until it returns false. Whether it
  /// never did.
  template <class Visit>
  bool for_each_move(Visit&& visit) const {
    for (std::size_t i = 0; i < size_; ++i) {
      const bool all = boards_[i].for_each_move(on_turn_, [&](const AmazonsMove& move) {
        return visit(AmazonsSumMove{static_cast<std::uint8_t>(i), move});
      });
      if (!all) return false;
    }
    return true;
  }

  /// None while there is something to play for: the player on turn can move, and not every board is
  /// easily seen to be an integer.
  [[nodiscard]] std::optional<AmazonsSumOutcome> outcome() const;

  friend bool operator==(const AmazonsSum&, const AmazonsSum&) = default;

 private:
  std::array<Position, kMostBoards> boards_{};
  std::uint8_t size_ = 0;
  Player on_turn_ = Player::kLeft;
};

/// Black's moves left on a board where White cannot move at all, or White's, negative, where Black
/// cannot. They are as many as its queens can make in a row while the other's stand. Where there
/// are too many ways to try, the squares in reach.
template <int kSide>
int amazons_moves_left(const AmazonsPosition<kSide>& board, Player winner);

/// A move on a board of that integer value that gives up only one move of the player's. Where no
/// such move is seen, it is his first move. The player can move there.
template <int kSide>
AmazonsMove amazons_filler(const AmazonsPosition<kSide>& board, Player player, int value);

/// Boards with one queen each and `burnt` squares burnt, all at random places, Black on turn: the
/// sums of Zhang and Mueller 2015 with three.
template <int kSide>
AmazonsSum<kSide> random_amazons_sum(std::size_t boards, int burnt, Rng& rng);

}  // namespace ntune
