// Ticks per second of Planet Wars and Asteroids: whole random games, and what a planning agent
// does, rollouts of a given length from positions of a game (a copy, its ticks, its score). What
// the measured ticks come to is checked first.

#include <algorithm>
#include <array>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/game/asteroids.h"
#include "ntune/game/planet_wars.h"

namespace ntune {
namespace {

constexpr int kPlans = 64;
constexpr int kLongest = 200;
constexpr std::size_t kPositions = 16;

/// Plans of random actions, drawn beforehand: drawing is the agent's work.
template <class State, class Draw>
std::vector<JointAction<State>> make_plans(Draw draw) {
  Rng rng(7);
  std::vector<JointAction<State>> plans(kPlans * kLongest);
  for (auto& actions : plans) actions = draw(rng);
  return plans;
}

template <class State>
struct Rollouts {
  std::vector<State> positions;
  std::vector<JointAction<State>> plans;

  /// The score after a rollout.
  int score(std::size_t index, int length, Rng& rng) const {
    State state = positions[index % kPositions];
    const auto* actions = &plans[index % kPlans * kLongest];
    for (int t = 0; t < length; ++t) state.step(actions[t], rng);
    return state.score(0);
  }
};

template <class State>
void measure(benchmark::State& state, const Rollouts<State>& rollouts) {
  const int length = static_cast<int>(state.range(0));
  Rng rng(5);
  std::size_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(rollouts.score(index++, length, rng));
  state.SetItemsProcessed(state.iterations() * length);
}

JointAction<PlanetWars> random_pair(Rng& rng) {
  return {static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5))};
}

/// A rollout's score, worked out planet by planet and tick by tick.
int plain_score(const PlanetWars& game, const JointAction<PlanetWars>* actions, int length) {
  std::vector<double> ships;
  for (int i = 0; i < game.planets(); ++i) ships.push_back(game.ships(i));
  std::array<int, 2> focus = {game.focus(0), game.focus(1)};
  std::array<double, 2> buffer = {game.buffer(0), game.buffer(1)};
  for (int t = 0; t < length; ++t) {
    for (std::size_t player = 0; player < 2; ++player) {
      const int action = actions[t][player];
      const double sign = player == 0 ? 1.0 : -1.0;
      double& held = ships[static_cast<std::size_t>(focus[player])];
      const double moved = action == 2   ? -std::max(0.0, sign * held) / 2.0
                           : action == 3 ? buffer[player]
                                         : 0.0;
      held += sign * moved;
      buffer[player] -= moved;
      const int step = action == 0 ? 1 : action == 1 ? game.planets() - 1 : 0;
      focus[player] = (focus[player] + step) % game.planets();
    }
    for (std::size_t i = 0; i < ships.size(); ++i) {
      const double growth = game.growth(static_cast<int>(i));
      ships[i] += ships[i] > 0.0 ? growth : ships[i] < 0.0 ? -growth : 0.0;
    }
  }
  double lead = buffer[0] - buffer[1];
  for (const double held : ships) lead += held;
  return static_cast<int>(10.0 * lead);
}

/// Both players' actions are random; with one player, the other's is kIdle, as the published agents
/// suppose of their opponent.
void planet_wars_rollouts(benchmark::State& state, bool two_players) {
  Rollouts<PlanetWars> rollouts;
  for (std::size_t i = 0; i < kPositions; ++i) {
    Rng rng(i);
    PlanetWars game({}, rng);
    for (std::size_t t = 0; t < 10 * i; ++t) game.step(random_pair(rng), rng);
    rollouts.positions.push_back(game);
  }
  rollouts.plans = make_plans<PlanetWars>([&](Rng& rng) {
    auto actions = random_pair(rng);
    if (!two_players) actions[1] = PlanetWars::kIdle;
    return actions;
  });
  Rng rng(1);
  for (std::size_t i = 0; i < kPositions * kPlans; ++i) {
    const int plain = plain_score(rollouts.positions[i % kPositions],
                                  &rollouts.plans[i % kPlans * kLongest], 100);
    if (rollouts.score(i, 100, rng) == plain) continue;
    state.SkipWithError("the score is not that of the rules");
    return;
  }
  measure(state, rollouts);
}
void planet_wars_two_plans(benchmark::State& state) { planet_wars_rollouts(state, true); }
void planet_wars_one_plan(benchmark::State& state) { planet_wars_rollouts(state, false); }

/// Whole games with actions drawn as they go.
void planet_wars_games(benchmark::State& state) {
  constexpr int kTicks = 200;
  Rng rng(1);
  for (auto _ : state) {
    PlanetWars game({}, rng);
    for (int t = 0; t < kTicks; ++t) game.step(random_pair(rng), rng);
    benchmark::DoNotOptimize(game.score(0));
  }
  state.SetItemsProcessed(state.iterations() * kTicks);
}

/// Points not yet made in the first level are those of the rocks left, ten for each missile and 200
/// for each life.
bool score_adds_up(const Asteroids& game) {
  constexpr std::array<int, 3> kWorth = {50 + 3 * 100 + 9 * 200, 100 + 3 * 200, 200};
  int left = 0;
  for (int i = 0; i < game.rocks(); ++i)
    left += kWorth[static_cast<std::size_t>(game.rock_size(i))];
  const int missed = 5 * kWorth[0] - left - game.score();
  return game.level() > 0 || (missed >= 0 && missed % 10 == 0);
}

/// Positions in play, rollouts that fire half of the time, turn about and seldom thrust.
void asteroids_rollouts(benchmark::State& state) {
  Rollouts<Asteroids> rollouts;
  for (std::uint64_t seed = 0; rollouts.positions.size() < kPositions; ++seed) {
    Rng rng(seed);
    Asteroids game(kDefaultAsteroidsRules, rng);
    const std::size_t ticks = 50 + 20 * rollouts.positions.size();
    for (std::size_t t = 0; t < ticks; ++t) game.step({6 + static_cast<int>(rng.below(3))}, rng);
    if (game.phase() == AsteroidsPhase::kPlaying) rollouts.positions.push_back(game);
  }
  rollouts.plans = make_plans<Asteroids>([](Rng& rng) {
    const int turn = static_cast<int>(rng.below(3));
    const int fire = static_cast<int>(rng.below(2));
    return JointAction<Asteroids>{6 * fire + (rng.below(8) == 0 ? 3 : 0) + turn};
  });
  double playing = 0.0;
  double rocks = 0.0;
  Rng rng(1);
  const int length = static_cast<int>(state.range(0));
  for (std::size_t i = 0; i < kPositions * kPlans; ++i) {
    Asteroids game = rollouts.positions[i % kPositions];
    for (int t = 0; t < length; ++t) {
      game.step(rollouts.plans[i % kPlans * kLongest + static_cast<std::size_t>(t)], rng);
      if (game.phase() != AsteroidsPhase::kPlaying) continue;
      playing += 1.0;
      rocks += game.rocks();
    }
    if (score_adds_up(game)) continue;
    state.SkipWithError("the score is not that of the rocks and missiles");
    return;
  }
  measure(state, rollouts);
  state.counters["playing"] = playing / (kPositions * kPlans) / length;
  state.counters["rocks"] = rocks / playing;
}

void asteroids_games(benchmark::State& state) {
  constexpr int kTicks = 1000;
  Rng rng(1);
  for (auto _ : state) {
    Asteroids game(kDefaultAsteroidsRules, rng);
    for (int t = 0; t < kTicks; ++t) game.step({static_cast<int>(rng.below(12))}, rng);
    benchmark::DoNotOptimize(game.score(0));
  }
  state.SetItemsProcessed(state.iterations() * kTicks);
}

BENCHMARK(planet_wars_games);
BENCHMARK(planet_wars_two_plans)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(planet_wars_one_plan)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(asteroids_games);
BENCHMARK(asteroids_rollouts)->Arg(10)->Arg(50)->Arg(100);

}  // namespace
}  // namespace ntune
