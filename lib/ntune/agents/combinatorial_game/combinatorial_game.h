#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace ntune {

/// The players of a combinatorial game: Left (Black; what is good for Left is positive) and Right.
enum class Player : std::uint8_t { kLeft, kRight };

constexpr Player opponent(Player player) {
  return player == Player::kLeft ? Player::kRight : Player::kLeft;
}

/// A loop-free game of two players in which either may be on turn in any position, and who cannot
/// move loses (Conway 2001). Positions know no player on turn.
///   Move                            a small comparable value
///   after(player, move)             the option that a legal move leads to
///   for_each_option(player, visit)  calls visit(move, option) for the player's legal moves in an
///                                   order of the position alone, until it returns false; whether
///                                   it never did
///   birthday_bound                  no sequence of moves of either player is longer
///   integer_value                   the game's value where it is easily seen to be an integer,
///                                   always the same answer for the same position
///   key                             64 bits that differ for different positions but by chance
template <class Game>
concept CombinatorialGame = std::is_trivially_copyable_v<Game> && std::regular<Game> &&
    requires(const Game game, Player player, const typename Game::Move move,
             bool (*visit)(const typename Game::Move&, const Game&)) {
  requires std::regular<typename Game::Move>;
  { game.after(player, move) } -> std::same_as<Game>;
  { game.for_each_option(player, visit) } -> std::same_as<bool>;
  { game.birthday_bound() } -> std::convertible_to<int>;
  { game.integer_value() } -> std::same_as<std::optional<int>>;
  { game.key() } -> std::convertible_to<std::uint64_t>;
};

}  // namespace ntune
