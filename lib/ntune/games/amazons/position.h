#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ntune/agents/combinatorial_game/combinatorial_game.h"
#include "ntune/core/hash.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/board.h"

namespace ntune {

/// A queen slides from a square to another, then shoots an arrow from there. Squares count rank by
/// rank from A1 = 0 on: rank * side + file.
struct AmazonsMove {
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::uint8_t arrow = 0;
  friend constexpr auto operator<=>(const AmazonsMove&, const AmazonsMove&) = default;
};

/// A position of Amazons as a combinatorial game, with any number of queens; Left is Black, Right
/// is White. Squares that are neither empty nor a queen's are burnt; a smaller board is one with
/// the rest burnt. Instantiated in the library for the sides 4, 5, 6, 8 and 10.
template <int kSide>
class AmazonsPosition {
 public:
  using Board = AmazonsBoard<kSide>;
  using Bits = typename Board::Bits;
  using Move = AmazonsMove;

  /// All squares burnt.
  constexpr AmazonsPosition() = default;
  /// The three sets have no square in common.
  constexpr AmazonsPosition(Bits empty, Bits black, Bits white)
      : empty_(empty), queens_{black, white} {
    assert((empty & black) == 0 && ((empty | black) & white) == 0);
  }

  [[nodiscard]] constexpr Bits empty() const { return empty_; }
  [[nodiscard]] constexpr Bits queens(Player player) const {
    return queens_[static_cast<std::size_t>(player)];
  }
  [[nodiscard]] constexpr Bits queens() const { return queens_[0] | queens_[1]; }
  [[nodiscard]] constexpr int empties() const { return Board::count(empty_); }

  /// Plays a legal move; `undo` takes back the last one.
  constexpr void apply(Player player, const Move& move) {
    const Bits from = Board::bit(move.from);
    const Bits to = Board::bit(move.to);
    queens_[static_cast<std::size_t>(player)] ^= from | to;
    empty_ = (empty_ ^ (from | to)) & ~Board::bit(move.arrow);
  }
  constexpr void undo(Player player, const Move& move) {
    const Bits from = Board::bit(move.from);
    const Bits to = Board::bit(move.to);
    queens_[static_cast<std::size_t>(player)] ^= from | to;
    empty_ = (empty_ | Board::bit(move.arrow) | to) & ~from;
  }
  [[nodiscard]] constexpr AmazonsPosition after(Player player, const Move& move) const {
    AmazonsPosition next = *this;
    next.apply(player, move);
    return next;
  }

  /// Calls visit(move) for every legal move, in ascending order, until it returns false. Whether it
  /// never did.
  template <class Visit>
  constexpr bool for_each_move(Player player, Visit&& visit) const {
    return for_each_square(queens(player), [&](int from) {
      const Bits vacated = empty_ | Board::bit(from);
      return for_each_square(Board::reach(from, empty_), [&](int to) {
        return for_each_square(Board::reach(to, vacated & ~Board::bit(to)), [&](int arrow) {
          return visit(Move{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                            static_cast<std::uint8_t>(arrow)});
        });
      });
    });
  }
  template <class Visit>
  constexpr bool for_each_option(Player player, Visit&& visit) const {
    return for_each_move(player,
                         [&](const Move& move) { return visit(move, after(player, move)); });
  }
  [[nodiscard]] constexpr bool can_move(Player player) const {
    return (Board::grown(queens(player)) & empty_) != 0;
  }
  [[nodiscard]] constexpr bool is_legal(Player player, const Move& move) const {
    if (move.from >= Board::kSquares || move.to >= Board::kSquares ||
        move.arrow >= Board::kSquares) {
      return false;
    }
    const Bits from = Board::bit(move.from);
    const Bits to = Board::bit(move.to);
    const Bits arrow = Board::bit(move.arrow);
    return (queens(player) & from) != 0 && (Board::reach(move.from, empty_) & to) != 0 &&
           (Board::reach(move.to, (empty_ | from) & ~to) & arrow) != 0;
  }

  /// The empty squares, as every move burns one.
  [[nodiscard]] constexpr int birthday_bound() const { return empties(); }
  /// The value where nobody can move in an area that has queens of both colours: the longest
  /// sequences of moves in the areas of one colour. None also where these take too long to find,
  /// which cannot happen on a board of 4x4 with one queen each.
  [[nodiscard]] std::optional<int> integer_value() const;
  /// Calls visit(position) for every area, the queens and empty squares that king's steps connect,
  /// in which someone can move; the rest of the board is burnt. Their sum is this game.
  template <class Visit>
  constexpr void for_each_area(Visit&& visit) const {
    Bits rest = queens();
    while (rest != 0) {
      const Bits area = Board::connected(Board::bit(Board::lowest(rest)), empty_ | rest);
      rest &= ~area;
      if ((area & empty_) == 0) continue;
      visit(AmazonsPosition(empty_ & area, queens_[0] & area, queens_[1] & area));
    }
  }

  [[nodiscard]] constexpr std::uint64_t key() const {
    if constexpr (Board::kSquares <= 16) {
      return mix64(std::uint64_t{empty_} << 32 | queens_[0] << 16 | queens_[1]);
    } else {
      std::uint64_t key = 0;
      for (const Bits set : {empty_, queens_[0], queens_[1]}) {
        key = mix64(key ^ static_cast<std::uint64_t>(set));
        if constexpr (Board::kWidth > 64) {
          key = mix64(key ^ static_cast<std::uint64_t>(set >> 64));
        }
      }
      return key;
    }
  }
  /// This position with the colours exchanged: its negative.
  [[nodiscard]] constexpr AmazonsPosition negative() const {
    return AmazonsPosition(empty_, queens_[1], queens_[0]);
  }
  friend constexpr bool operator==(const AmazonsPosition&, const AmazonsPosition&) = default;

 private:
  template <class Visit>
  static constexpr bool for_each_square(Bits set, Visit&& visit) {
    for (; set != 0; set &= set - 1) {
      if (!visit(Board::lowest(set))) return false;
    }
    return true;
  }

  Bits empty_ = 0;
  std::array<Bits, 2> queens_{};
};

/// The most moves of one queen's player in a row: the number of squares that queens of one colour
/// can still burn within their areas. None after `limit` tries; every region of 4x4 needs less than
/// the default.
template <int kSide>
std::optional<int> amazons_longest_sequence(typename AmazonsBoard<kSide>::Bits queens,
                                            typename AmazonsBoard<kSide>::Bits empty,
                                            std::uint64_t limit = 100'000);

}  // namespace ntune
