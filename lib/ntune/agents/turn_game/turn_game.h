#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ntune {

/// A position of a game of two players, 0 and 1, who move in turn without chance; the rules are
/// part of the position or of its type. A player without a legal move on turn loses.
///   Move              a small comparable value
///   Successors        a list without heap of {Move move; Position next;}, with clear, begin, end,
///                     size, [i]
///   successors(list)  the legal moves and where they lead, in an order of the position alone; none
///                     where is_over
///   to_move           0 or 1
///   is_over           whether the last move ended the game; `winner` then is 0 or 1
///   key               64 bits that differ for different positions but by chance (player on turn
///                     included)
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
  { at.winner() } -> std::convertible_to<int>;
  { at.key() } -> std::convertible_to<std::uint64_t>;
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
