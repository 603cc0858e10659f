#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "ntune/core/rng.h"

namespace ntune {

/// One action per player.
template <class State>
using JointAction = std::array<int, static_cast<std::size_t>(State::kPlayers)>;

/// A game that can be simulated: a value that is copied as bytes and moves on by one tick for the
/// actions of all players. It draws all chance from the stream that it is given. The rules (sizes,
/// constants) are part of the state or of its type.
///   kPlayers, kActions  numbers of players and of actions 0 … kActions - 1, alike for all players
///   kIdle               the action that does nothing, or next to nothing
///   step                one tick; also after the end, where it changes what the rules say
///   score(player)       in the game's unit, higher is better for that player
///   is_over             whether the real game ends here
template <class State>
concept ForwardModel = std::is_trivially_copyable_v<State> && std::regular<State> &&
    requires(State state, const State& at, const JointAction<State>& actions, int player,
             Rng& rng) {
  { State::kPlayers } -> std::convertible_to<int>;
  { State::kActions } -> std::convertible_to<int>;
  { State::kIdle } -> std::convertible_to<int>;
  state.step(actions, rng);
  { at.score(player) } -> std::convertible_to<double>;
  { at.is_over() } -> std::convertible_to<bool>;
};

}  // namespace ntune
