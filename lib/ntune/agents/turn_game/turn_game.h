#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ntune {

/// How a game of the players 0 and 1 ended.
enum class GameOutcome : std::uint8_t { kPlayer0Wins, kPlayer1Wins, kDraw };

constexpr GameOutcome win_of(int player) {
  return player == 0 ? GameOutcome::kPlayer0Wins : GameOutcome::kPlayer1Wins;
}
/// What the end is worth to a player: a win 1, a draw 0, a loss -1.
constexpr double payoff_to(int player, GameOutcome outcome) {
  if (outcome == GameOutcome::kDraw) return 0.0;
  return outcome == win_of(player) ? 1.0 : -1.0;
}

/// A position of a game of two players, 0 and 1, who move in turn without chance. The rules are
/// part of the position or of its type.
///   Move              a small comparable value
///   Successors        a list without heap of {Move move; Position next;}, with clear, begin, end,
///                     size, [i]: SuccessorList, or one like it
///   successors(list)  makes the list the legal moves and where they lead, in an order of the
///                     position alone; none where is_over
///   to_move           0 or 1
///   is_over           whether the last move ended the game
///   outcome           who won, or that it is a draw; asked only where is_over
///   key               64 bits that differ for different positions but by chance (player on turn
///                     included)
/// A player on turn without a legal move loses where the game is not over. If the rules call that a
/// draw, as with a full board, is_over must be true there and outcome the draw.
///
/// A game may also have each_successor(visit), which makes the same positions in the same order one
/// by one, while visit(next) returns true. A search then makes no more of the last ply than it
/// looks at.
template <class Position>
concept TurnGame = std::is_trivially_copyable_v<Position> && std::regular<Position> &&
    requires(const Position at, typename Position::Successors& list, std::size_t i) {
  requires std::regular<typename Position::Move>;
  at.successors(list);
  list.clear();
  { list.size() } -> std::convertible_to<std::size_t>;
  { list[i].move } -> std::convertible_to<typename Position::Move>;
  { list[i].next } -> std::convertible_to<Position>;
  { at.to_move() } -> std::convertible_to<int>;
  { at.is_over() } -> std::convertible_to<bool>;
  { at.outcome() } -> std::same_as<GameOutcome>;
  { at.key() } -> std::convertible_to<std::uint64_t>;
};

template <class Position>
concept MakesSuccessorsOneByOne = requires(const Position at, bool (*visit)(const Position&)) {
  at.each_successor(visit);
};

/// Number of lines of `depth` moves, 1 for depth 0: the count that tells whether a game's moves are
/// right.
template <TurnGame Position>
std::uint64_t perft(const Position& position, int depth) {
  if (depth == 0) return 1;
  typename Position::Successors list;
  position.successors(list);
  if (depth == 1) return list.size();
  std::uint64_t lines = 0;
  for (const auto& successor : list) lines += perft(successor.next, depth - 1);
  return lines;
}

}  // namespace ntune
