#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ntune/agents/turn_game/successor_list.h"
#include "ntune/agents/turn_game/turn_game.h"
#include "ntune/core/hash.h"
#include "ntune/core/rng.h"

namespace ntune {

/// A random game whose positions of one ply are few, so that many ways lead to the same one. Every
/// tenth or so is over, a third of these drawn, or leaves no move.
struct RandomTree {
  using Move = int;
  using Successors = SuccessorList<int, RandomTree, 8>;

  std::uint64_t seed = 0;
  std::uint32_t node = 0;
  std::int32_t ply = 0;

  [[nodiscard]] std::uint64_t hash(std::uint64_t purpose) const {
    const std::uint64_t place = mix64(seed * 1000 + static_cast<std::uint64_t>(ply)) + node;
    return mix64(mix64(place) + purpose);
  }
  void successors(Successors& list) const {
    list.clear();
    if (is_over()) return;
    const std::uint64_t count = ply == 0 ? 4 : hash(1) % 12 == 0 ? 0 : 1 + hash(2) % 5;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto next = static_cast<std::uint32_t>(hash(10 + i) % 60);
      list.add(static_cast<int>(next % 7), {seed, next, ply + 1});
    }
  }
  [[nodiscard]] int to_move() const { return ply % 2; }
  [[nodiscard]] bool is_over() const { return ply > 0 && hash(3) % 12 == 0; }
  [[nodiscard]] GameOutcome outcome() const { return static_cast<GameOutcome>(hash(4) % 3); }
  [[nodiscard]] std::uint64_t key() const { return hash(5); }
  /// A number from 0 to 1, another one for each purpose.
  [[nodiscard]] double uniform(std::uint64_t purpose) const {
    return static_cast<double>(hash(purpose) >> 11) * 0x1p-53;
  }
  friend bool operator==(const RandomTree&, const RandomTree&) = default;
};

/// Nim with three heaps: who takes the last one wins.
struct Nim {
  using Move = std::array<std::int8_t, 2>;
  using Successors = SuccessorList<Move, Nim, 32>;

  std::array<std::int8_t, 3> heaps{};
  std::int8_t player = 0;

  void successors(Successors& list) const {
    list.clear();
    for (std::int8_t heap = 0; heap < 3; ++heap) {
      for (std::int8_t taken = 1; taken <= heaps[static_cast<std::size_t>(heap)]; ++taken) {
        Nim next = *this;
        auto& left = next.heaps[static_cast<std::size_t>(heap)];
        left = static_cast<std::int8_t>(left - taken);
        next.player = static_cast<std::int8_t>(1 - player);
        list.add({heap, taken}, next);
      }
    }
  }
  [[nodiscard]] int to_move() const { return player; }
  [[nodiscard]] static bool is_over() { return false; }
  [[nodiscard]] static GameOutcome outcome() { return GameOutcome::kPlayer0Wins; }  // never asked
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t key = static_cast<std::uint64_t>(player);
    for (const auto heap : heaps) key = key << 8 | static_cast<std::uint64_t>(heap);
    return mix64(key);
  }
  [[nodiscard]] bool is_won() const { return (heaps[0] ^ heaps[1] ^ heaps[2]) != 0; }
  friend bool operator==(const Nim&, const Nim&) = default;
};

/// Three in a row on three by three squares; a full board without one is a draw.
struct TicTacToe {
  using Move = int;  ///< a square, by rows
  using Successors = SuccessorList<int, TicTacToe, 9>;

  std::array<std::uint16_t, 2> squares{};  ///< bits, by player
  std::int8_t player = 0;

  void successors(Successors& list) const {
    list.clear();
    if (is_over()) return;
    for (int square = 0; square < 9; ++square) {
      if (((squares[0] | squares[1]) >> square & 1) != 0) continue;
      TicTacToe& next = list.add(square, *this).next;
      auto& mine = next.squares[static_cast<std::size_t>(player)];
      mine = static_cast<std::uint16_t>(mine | 1 << square);
      next.player = static_cast<std::int8_t>(1 - player);
    }
  }
  [[nodiscard]] bool has_three(int p) const {
    constexpr std::array<int, 8> kLines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    const int bits = squares[static_cast<std::size_t>(p)];
    return std::any_of(kLines.begin(), kLines.end(),
                       [&](int line) { return (bits & line) == line; });
  }
  [[nodiscard]] int to_move() const { return player; }
  [[nodiscard]] bool is_over() const {
    return (squares[0] | squares[1]) == 0777 || has_three(0) || has_three(1);
  }
  [[nodiscard]] GameOutcome outcome() const {
    return has_three(0) ? win_of(0) : has_three(1) ? win_of(1) : GameOutcome::kDraw;
  }
  [[nodiscard]] std::uint64_t key() const {
    return mix64(std::uint64_t{squares[0]} << 10 | std::uint64_t{squares[1]} << 1 |
                 static_cast<std::uint64_t>(player));
  }
  friend bool operator==(const TicTacToe&, const TicTacToe&) = default;
};

/// Judges a random tree: whole numbers in a small range, so that ties abound.
struct CoarseJudge {
  std::uint64_t purpose = 100;
  bool symmetric = true;
  int operator()(const RandomTree& at, int player) const {
    const auto view = [&](int p) {
      return static_cast<int>(at.hash(purpose + static_cast<std::uint64_t>(p)) % 7);
    };
    if (symmetric) return player == 0 ? view(0) - 3 : 3 - view(0);
    return view(player) - 3;
  }
};

/// The same with real numbers, all different.
struct FineJudge {
  std::uint64_t purpose = 200;
  double operator()(const RandomTree& at, int player) const {
    return at.uniform(purpose + static_cast<std::uint64_t>(player)) - 0.5;
  }
};

/// Plain minimax to the player on turn, without pruning or table: the twin of alpha-beta.
template <TurnGame Position, class Evaluator>
double minimax(const Position& at, int depth, int ply, int judge, const Evaluator& evaluator) {
  if (at.is_over()) {
    if (at.outcome() == GameOutcome::kDraw) return 0.0;
    return at.outcome() == win_of(at.to_move()) ? 1e9 - ply : ply - 1e9;
  }
  if (depth == 0) {
    const int eyes = judge < 0 ? at.to_move() : judge;
    const double value = static_cast<double>(evaluator(at, eyes));
    return eyes == at.to_move() ? value : -value;
  }
  typename Position::Successors successors;
  at.successors(successors);
  double best = ply - 1e9;
  for (std::size_t i = 0; i < successors.size(); ++i) {
    best = std::max(best, -minimax(successors[i].next, depth - 1, ply + 1, judge, evaluator));
  }
  return best;
}

}  // namespace ntune
