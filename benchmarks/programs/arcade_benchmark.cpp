// Ticks per second of Planet Wars and Asteroids. Measured are whole random games, rollouts of a
// given length from positions of a game (a copy, its ticks, its score), and whole decisions of an
// agent. Beside the rollouts those of a plain twin that works out the rules tick by tick; that both
// come to the same scores is checked first.

#include <array>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/agents/forward_model/rolling_horizon.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"
#include "tests/games/arcade/asteroids_reference.h"

namespace ntune {
namespace {

constexpr std::size_t kPositions = 16;
constexpr std::size_t kPlans = 64;
constexpr std::size_t kLongest = 200;

/// Planet Wars as its rules are told.
class PlainPlanetWars {
 public:
  explicit PlainPlanetWars(const PlanetWars& game) : planets_(game.planets()) {
    for (int i = 0; i < planets_; ++i) {
      ships_[static_cast<std::size_t>(i)] = game.ships(i);
      growth_[static_cast<std::size_t>(i)] = game.growth(i);
    }
    focus_ = {game.focus(0), game.focus(1)};
    buffer_ = {game.buffer(0), game.buffer(1)};
  }

  void step(const JointAction<PlanetWars>& actions, Rng& /*rng*/) {
    act(0, actions[0], 1.0);
    act(1, actions[1], -1.0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(planets_); ++i) {
      if (ships_[i] > 0.0) ships_[i] += growth_[i];
      if (ships_[i] < 0.0) ships_[i] -= growth_[i];
    }
  }
  [[nodiscard]] int score(int /*player*/) const {
    double lead = buffer_[0] - buffer_[1];
    for (int i = 0; i < planets_; ++i) lead += ships_[static_cast<std::size_t>(i)];
    return static_cast<int>(10.0 * lead);
  }

 private:
  void act(std::size_t player, int action, double sign) {
    double& held = ships_[static_cast<std::size_t>(focus_[player])];
    switch (static_cast<PlanetWarsAction>(action)) {
      case PlanetWarsAction::kNext:
        focus_[player] = (focus_[player] + 1) % planets_;
        break;
      case PlanetWarsAction::kPrevious:
        focus_[player] = (focus_[player] + planets_ - 1) % planets_;
        break;
      case PlanetWarsAction::kLoad:
        if (sign * held < 0.0) break;
        buffer_[player] += sign * held / 2.0;
        held /= 2.0;
        break;
      case PlanetWarsAction::kUnload:
        held += sign * buffer_[player];
        buffer_[player] = 0.0;
        break;
      case PlanetWarsAction::kNothing:
        break;
    }
  }

  std::array<double, PlanetWars::kMostPlanets> ships_{}, growth_{};
  std::array<int, 2> focus_;
  std::array<double, 2> buffer_;
  int planets_;
};

/// Asteroids object by object, with the interface of the fast one.
class PlainAsteroids {
 public:
  explicit PlainAsteroids(const AsteroidsReference& game) : game_(game) {}
  void step(const JointAction<Asteroids>& actions, Rng& rng) { game_.step(actions[0], rng); }
  [[nodiscard]] int score(int /*player*/) const { return game_.score; }

 private:
  AsteroidsReference game_;
};

/// Positions, and plans of random actions, drawn beforehand: drawing is the agent's work.
template <class Game, class Plain>
struct Rollouts {
  std::vector<Game> positions;
  std::vector<Plain> plain_positions;
  std::vector<JointAction<Game>> plans;

  template <class Draw>
  void make_plans(Draw draw) {
    Rng rng(7);
    plans.resize(kPlans * kLongest);
    for (auto& actions : plans) actions = draw(rng);
  }

  /// The score after a rollout.
  template <class State>
  int score(const std::vector<State>& from, std::size_t index, std::size_t length, Rng& rng) const {
    State state = from[index % kPositions];
    const auto* actions = &plans[index % kPlans * kLongest];
    for (std::size_t t = 0; t < length; ++t) state.step(actions[t], rng);
    return state.score(0);
  }

  [[nodiscard]] bool scores_agree(std::size_t length) const {
    Rng rng(1);
    Rng same = rng;
    for (std::size_t i = 0; i < kPositions * kPlans; ++i) {
      if (score(positions, i, length, rng) != score(plain_positions, i, length, same)) return false;
    }
    return true;
  }

  void measure(benchmark::State& state, bool plain) const {
    const auto length = static_cast<std::size_t>(state.range(0));
    if (!scores_agree(length)) {
      state.SkipWithError("the score is not that of the plain twin");
      return;
    }
    plain ? measure(state, plain_positions, length) : measure(state, positions, length);
  }

  template <class State>
  void measure(benchmark::State& state, const std::vector<State>& from, std::size_t length) const {
    Rng rng(5);
    std::size_t index = 0;
    for (auto _ : state) benchmark::DoNotOptimize(score(from, index++, length, rng));
    state.SetItemsProcessed(state.iterations() * state.range(0));
  }
};

JointAction<PlanetWars> random_pair(Rng& rng) {
  return {static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5))};
}

/// Both players' actions are random; with one player, the other's is kIdle, as the published agents
/// suppose of their opponent.
auto planet_wars_rollouts(bool two_players) {
  Rollouts<PlanetWars, PlainPlanetWars> rollouts;
  for (std::size_t i = 0; i < kPositions; ++i) {
    Rng rng(i);
    PlanetWars game({}, rng);
    for (std::size_t t = 0; t < 10 * i; ++t) game.step(random_pair(rng), rng);
    rollouts.positions.push_back(game);
    rollouts.plain_positions.emplace_back(game);
  }
  rollouts.make_plans([&](Rng& rng) {
    auto actions = random_pair(rng);
    if (!two_players) actions[1] = PlanetWars::kIdle;
    return actions;
  });
  return rollouts;
}

void planet_wars_two_plans(benchmark::State& state) {
  planet_wars_rollouts(true).measure(state, false);
}
void planet_wars_one_plan(benchmark::State& state) {
  planet_wars_rollouts(false).measure(state, false);
}
void planet_wars_two_plans_plain(benchmark::State& state) {
  planet_wars_rollouts(true).measure(state, true);
}
void planet_wars_one_plan_plain(benchmark::State& state) {
  planet_wars_rollouts(false).measure(state, true);
}

/// Positions in play, rollouts that fire half of the time, turn about and seldom thrust.
auto make_asteroids_rollouts() {
  Rollouts<Asteroids, PlainAsteroids> rollouts;
  for (std::uint64_t seed = 0; rollouts.positions.size() < kPositions; ++seed) {
    Rng rng(seed);
    Rng same = rng;
    Asteroids game(kDefaultAsteroidsRules, rng);
    AsteroidsReference plain(kDefaultAsteroidsRules, same);
    const std::size_t ticks = 50 + 20 * rollouts.positions.size();
    for (std::size_t t = 0; t < ticks; ++t) {
      const int action = 6 + static_cast<int>(rng.below(3));
      same.below(3);
      game.step({action}, rng);
      plain.step(action, same);
    }
    if (game.phase() != AsteroidsPhase::kPlaying) continue;
    rollouts.positions.push_back(game);
    rollouts.plain_positions.emplace_back(plain);
  }
  rollouts.make_plans([](Rng& rng) {
    const int turn = static_cast<int>(rng.below(3));
    const int fire = static_cast<int>(rng.below(2));
    return JointAction<Asteroids>{6 * fire + (rng.below(8) == 0 ? 3 : 0) + turn};
  });
  return rollouts;
}

void asteroids_rollouts(benchmark::State& state) {
  const auto rollouts = make_asteroids_rollouts();
  double playing = 0.0;
  double rocks = 0.0;
  Rng rng(1);
  const auto length = static_cast<std::size_t>(state.range(0));
  for (std::size_t i = 0; i < kPositions * kPlans; ++i) {
    Asteroids game = rollouts.positions[i % kPositions];
    for (std::size_t t = 0; t < length; ++t) {
      game.step(rollouts.plans[i % kPlans * kLongest + t], rng);
      if (game.phase() != AsteroidsPhase::kPlaying) continue;
      playing += 1.0;
      rocks += game.rocks();
    }
  }
  rollouts.measure(state, false);
  state.counters["playing"] = playing / (kPositions * kPlans) / static_cast<double>(length);
  state.counters["rocks"] = rocks / playing;
}
void asteroids_rollouts_plain(benchmark::State& state) {
  make_asteroids_rollouts().measure(state, true);
}

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

/// Decisions of the agent: mutants are drawn and compared besides.
template <class Game>
void measure_decisions(benchmark::State& state, const std::vector<Game>& positions) {
  RollingHorizonOptions options;
  options.sequence_length = static_cast<int>(state.range(0));
  RollingHorizon<Game> agent(options);
  std::int64_t ticks = options.sequence_length;  // the first plan's
  while (ticks < options.tick_budget + options.sequence_length) ticks += options.sequence_length;
  Rng rng(5);
  std::size_t index = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(agent.act(positions[index++ % kPositions], 0, rng));
  }
  state.SetItemsProcessed(state.iterations() * ticks);
}

void planet_wars_decisions(benchmark::State& state) {
  measure_decisions(state, planet_wars_rollouts(true).positions);
}
void asteroids_decisions(benchmark::State& state) {
  measure_decisions(state, make_asteroids_rollouts().positions);
}

BENCHMARK(planet_wars_games);
BENCHMARK(planet_wars_two_plans)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(planet_wars_two_plans_plain)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(planet_wars_one_plan)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(planet_wars_one_plan_plain)->Arg(5)->Arg(15)->Arg(100);
BENCHMARK(planet_wars_decisions)->Arg(5)->Arg(15)->Arg(30);
BENCHMARK(asteroids_games);
BENCHMARK(asteroids_rollouts)->Arg(10)->Arg(50)->Arg(100);
BENCHMARK(asteroids_rollouts_plain)->Arg(10)->Arg(50)->Arg(100);
BENCHMARK(asteroids_decisions)->Arg(10)->Arg(50)->Arg(100);

}  // namespace
}  // namespace ntune
