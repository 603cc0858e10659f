#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agents/toy_games.h"
#include "catch.h"
#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/core/hash.h"

namespace ntune::test {

/// An evaluation of any game: a number in a small range that the key and the player decide. So many
/// positions have equal values, and 0, the value of a draw, is among them.
template <TurnGame Position>
struct KeyJudge {
  int operator()(const Position& at, int player) const {
    return static_cast<int>(mix64(at.key() + static_cast<std::uint64_t>(player)) % 7) - 3;
  }
};

/// What every position of a game must keep, at one position.
template <TurnGame Position>
void check_position(const Position& at, const typename Position::Successors& list) {
  REQUIRE((at.to_move() == 0 || at.to_move() == 1));
  typename Position::Successors again;
  const Position copy = at;
  copy.successors(again);
  REQUIRE(again.size() == list.size());
  if (at.is_over()) {
    REQUIRE(list.size() == 0);
    REQUIRE((at.outcome() == win_of(0) || at.outcome() == win_of(1) ||
             at.outcome() == GameOutcome::kDraw));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    REQUIRE(list[i].move == again[i].move);
    REQUIRE(list[i].next == again[i].next);
    REQUIRE(list[i].next.to_move() == 1 - at.to_move());
    REQUIRE(list[i].next != at);
  }
}

/// Alpha-beta equals plain minimax in value and best moves, with a table and without.
template <TurnGame Position>
void check_searches(const Position& at, int depth) {
  using Search = AlphaBeta<Position, KeyJudge<Position>>;
  Search plain({}, {.table_depth = kMostPlies, .order_depth = kMostPlies});
  Search tabled({}, {.table_bits = 8, .table_depth = 1, .order_depth = 1});
  typename Position::Successors list;
  at.successors(list);
  for (const Judge judge : {Judge::kPlayer0, Judge::kPlayer1, Judge::kOnTurn}) {
    const int eyes = judge == Judge::kOnTurn ? -1 : static_cast<int>(judge);
    const BestMoves best = plain.best_moves(at, depth, judge);
    REQUIRE(best.value == minimax(at, depth, 0, eyes, KeyJudge<Position>()));
    std::vector<int> expected;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double value = -minimax(list[i].next, depth - 1, 1, eyes, KeyJudge<Position>());
      if (value == best.value) expected.push_back(static_cast<int>(i));
    }
    REQUIRE(best.indices == expected);
    const BestMoves same = tabled.best_moves(at, depth, judge);
    REQUIRE(same.value == best.value);
    REQUIRE(same.indices == best.indices);
  }
}

/// How random games ended.
struct BatteryCounts {
  int won = 0;
  int drawn = 0;
  int stuck = 0;       ///< lost for want of a move
  int broken_off = 0;  ///< after `most_plies`
};

/// The test battery of a turn game plays random games from `root`. Every position must keep the
/// rules of TurnGame, and different positions must have different keys. Now and then searches of
/// `depth` plies must agree with plain minimax.
template <TurnGame Position>
BatteryCounts check_turn_game(const Position& root, int games, int depth, int most_plies = 500) {
  BatteryCounts counts;
  std::unordered_map<std::uint64_t, Position> keys;
  for (int game = 0; game < games; ++game) {
    Rng rng = Rng(23).stream("battery", game);
    Position at = root;
    typename Position::Successors list;
    for (int ply = 0;; ++ply) {
      list.clear();
      at.successors(list);
      check_position(at, list);
      REQUIRE(keys.emplace(at.key(), at).first->second == at);
      if (at.is_over()) {
        ++(at.outcome() == GameOutcome::kDraw ? counts.drawn : counts.won);
        break;
      }
      if (list.size() == 0) {
        ++counts.stuck;
        break;
      }
      if (ply == most_plies) {
        ++counts.broken_off;
        break;
      }
      if (rng.below(16) == 0) check_searches(at, depth);
      at = Position(list[rng.below(static_cast<std::uint32_t>(list.size()))].next);
    }
  }
  return counts;
}

}  // namespace ntune::test
