#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ntune/agents/turn_game/successor_list.h"
#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/core/hash.h"
#include "ntune/games/two_player/objective.h"

namespace ntune::test {

/// Connect Four on 7 columns of 6 places: who first has four in a line wins, a full board is a
/// draw. Column c has the bits 7 c … 7 c + 5 from below; the bit above them stays empty.
struct ConnectFour {
  using Move = int;  ///< a column
  using Successors = SuccessorList<int, ConnectFour, 7>;

  static constexpr int kColumns = 7;
  static constexpr int kRows = 6;
  static constexpr int kHeight = kRows + 1;

  std::array<std::uint64_t, 2> stones = {};  ///< by player

  static constexpr std::uint64_t column(int c) { return ((1ULL << kRows) - 1) << (kHeight * c); }
  static bool has_four(std::uint64_t set) {
    for (const int step : {1, kHeight - 1, kHeight, kHeight + 1}) {
      const std::uint64_t pairs = set & (set >> step);
      if ((pairs & (pairs >> (2 * step))) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] std::uint64_t taken() const { return stones[0] | stones[1]; }
  [[nodiscard]] int plies() const { return std::popcount(taken()); }
  [[nodiscard]] int to_move() const { return plies() % 2; }
  [[nodiscard]] bool is_won() const {
    return has_four(stones[static_cast<std::size_t>(1 - to_move())]);
  }
  [[nodiscard]] bool is_over() const { return plies() == kColumns * kRows || is_won(); }
  [[nodiscard]] GameOutcome outcome() const {
    return is_won() ? win_of(1 - to_move()) : GameOutcome::kDraw;
  }

  void successors(Successors& list) const {
    list.clear();
    if (is_over()) return;
    for (int c = 0; c < kColumns; ++c) {
      const std::uint64_t place = (taken() + (1ULL << (kHeight * c))) & column(c);
      if (place == 0) continue;
      ConnectFour next = *this;
      next.stones[static_cast<std::size_t>(to_move())] |= place;
      list.add(c, next);
    }
  }
  [[nodiscard]] std::uint64_t key() const { return mix64(mix64(stones[0]) + stones[1]); }

  friend bool operator==(const ConnectFour&, const ConnectFour&) = default;
};

/// Stones in the middle column, and empty places that would make four.
struct ConnectFourEvaluation {
  double centre = 0.0;
  double threat = 0.0;

  void visit(Options& options) {
    options.number("centre", centre, between(-1e3, 1e3), "weight of stones in the middle column");
    options.number("threat", threat, between(-1e3, 1e3), "weight of places that would make four");
  }
  double operator()(const ConnectFour& at, int player) const {
    return worth(at, player) - worth(at, 1 - player);
  }

 private:
  [[nodiscard]] double worth(const ConnectFour& at, int player) const {
    const std::uint64_t stones = at.stones[static_cast<std::size_t>(player)];
    double sum = centre * std::popcount(stones & ConnectFour::column(3));
    if (threat == 0.0) return sum;
    for (int c = 0; c < ConnectFour::kColumns; ++c) {
      for (std::uint64_t left = ConnectFour::column(c) & ~at.taken(); left != 0; left &= left - 1) {
        if (ConnectFour::has_four(stones | (left & (~left + 1)))) sum += threat;
      }
    }
    return sum;
  }
};

inline SearchSpace connect_four_space() {
  return SearchSpace({make_choices("centre", {-5.0, -1.0, 0.0, 1.0, 5.0}),
                      make_choices("threat", {-5.0, 0.0, 1.0, 5.0, 20.0})});
}

/// The line of the table.
inline ObjectiveEntry connect_four_entry() {
  return two_player_entry<ConnectFourEvaluation>(
      TwoPlayerGame<ConnectFour>{.name = "connect_four",
                                 .summary = "four in a line on 7x6; an evaluation is tuned",
                                 .default_space = connect_four_space});
}

}  // namespace ntune::test
