#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "ntune/agents/forward_model/game_agent.h"

namespace ntune::test {

/// A game of twenty ticks that notes what is played in every simulation from its beginning, and
/// whose score is what the test says. Not for several threads.
template <int players>
struct RecordedGame {
  static constexpr int kPlayers = players;
  static constexpr int kActions = 4;
  static constexpr int kIdle = 3;
  using Actions = std::array<int, static_cast<std::size_t>(players)>;

  struct Record {
    std::vector<std::vector<Actions>> simulations;
    /// Score of a simulation after a number of ticks.
    std::function<double(int simulation, int tick)> score = [](int, int) { return 0.0; };
  };
  static inline Record record;

  void step(const Actions& actions, Rng& /*rng*/) {
    if (tick == 0) {
      simulation = static_cast<int>(record.simulations.size());
      record.simulations.emplace_back();
    }
    ++tick;
    record.simulations[static_cast<std::size_t>(simulation)].push_back(actions);
  }
  [[nodiscard]] double score(int /*player*/) const {
    return tick == 0 ? 0.0 : record.score(simulation, tick);
  }
  [[nodiscard]] bool is_over() const { return tick >= 20; }
  friend bool operator==(const RecordedGame&, const RecordedGame&) = default;

  int simulation = -1;
  int tick = 0;
};

static_assert(ForwardModel<RecordedGame<1>>);
static_assert(ForwardModel<RecordedGame<2>>);

/// What `player` has played in each simulation.
template <int players>
std::vector<std::vector<int>> plans_of(int player) {
  std::vector<std::vector<int>> plans;
  for (const auto& simulation : RecordedGame<players>::record.simulations) {
    plans.emplace_back();
    for (const auto& actions : simulation) {
      plans.back().push_back(actions[static_cast<std::size_t>(player)]);
    }
  }
  return plans;
}

/// Whether counts lie within five standard deviations of equal shares.
inline bool even(const std::vector<int>& counts) {
  double total = 0.0;
  for (const int count : counts) total += count;
  const double share = 1.0 / static_cast<double>(counts.size());
  const double bound = 5.0 * std::sqrt(total * share * (1.0 - share));
  return std::ranges::all_of(counts,
                             [&](int count) { return std::abs(count - total * share) < bound; });
}

}  // namespace ntune::test
