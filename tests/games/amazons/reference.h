#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ntune/games/amazons/position.h"

namespace ntune::test {

/// Amazons on a board of characters, square by square: '.', '#', 'B', 'W', rank by rank from A1 on.
struct PlainAmazons {
  int side = 0;
  std::string squares;

  template <int kSide>
  static PlainAmazons of(const AmazonsPosition<kSide>& position) {
    PlainAmazons plain = {kSide, std::string(static_cast<std::size_t>(kSide) * kSide, '#')};
    for (int square = 0; square < kSide * kSide; ++square) {
      const auto bit = AmazonsBoard<kSide>::bit(square);
      char& content = plain.squares[static_cast<std::size_t>(square)];
      if ((position.empty() & bit) != 0) content = '.';
      if ((position.queens(Player::kLeft) & bit) != 0) content = 'B';
      if ((position.queens(Player::kRight) & bit) != 0) content = 'W';
    }
    return plain;
  }

  [[nodiscard]] bool is(int file, int rank, char content) const {
    return file >= 0 && file < side && rank >= 0 && rank < side &&
           squares[static_cast<std::size_t>(rank * side + file)] == content;
  }

  /// Empty squares in a straight line from a square.
  [[nodiscard]] std::vector<int> slides(int from) const {
    std::vector<int> targets;
    for (int files = -1; files <= 1; ++files) {
      for (int ranks = -1; ranks <= 1; ++ranks) {
        if (files == 0 && ranks == 0) continue;
        int file = from % side + files;
        int rank = from / side + ranks;
        for (; is(file, rank, '.'); file += files, rank += ranks) {
          targets.push_back(rank * side + file);
        }
      }
    }
    return targets;
  }

  [[nodiscard]] PlainAmazons after(const AmazonsMove& move) const {
    PlainAmazons next = *this;
    std::swap(next.squares[move.from], next.squares[move.to]);
    next.squares[move.arrow] = '#';
    return next;
  }

  /// Ascending.
  [[nodiscard]] std::vector<AmazonsMove> moves(Player player) const {
    std::vector<AmazonsMove> moves;
    for (int from = 0; from < side * side; ++from) {
      if (squares[static_cast<std::size_t>(from)] != (player == Player::kLeft ? 'B' : 'W'))
        continue;
      for (const int to : slides(from)) {
        PlainAmazons moved = *this;
        std::swap(moved.squares[static_cast<std::size_t>(from)],
                  moved.squares[static_cast<std::size_t>(to)]);
        for (const int arrow : moved.slides(to)) {
          moves.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                           static_cast<std::uint8_t>(arrow)});
        }
      }
    }
    std::sort(moves.begin(), moves.end());
    return moves;
  }
};

/// A position with up to so many queens of either colour and so many empty squares.
template <int kSide>
AmazonsPosition<kSide> random_amazons(Rng& rng, int black, int white, int empty) {
  using Board = AmazonsBoard<kSide>;
  std::array<typename Board::Bits, 3> sets{};
  typename Board::Bits taken = 0;
  const auto put = [&](std::size_t set, int count) {
    for (int i = 0; i < count && taken != Board::kAll; ++i) {
      auto bit = Board::bit(static_cast<int>(rng.below(Board::kSquares)));
      while ((taken & bit) != 0) bit = Board::bit(static_cast<int>(rng.below(Board::kSquares)));
      taken |= bit;
      sets[set] |= bit;
    }
  };
  put(0, black);
  put(1, white);
  put(2, empty);
  return {sets[2], sets[0], sets[1]};
}

}  // namespace ntune::test
