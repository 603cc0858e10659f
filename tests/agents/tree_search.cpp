// Monte Carlo Tree Search against a plain twin, enumeration and games with a known best action.

#include "ntune/agents/forward_model/tree_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "agents/recorded_game.h"
#include "catch.h"
#include "ntune/agents/forward_model/simple_agents.h"
#include "ntune/core/error.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"

namespace ntune {

namespace {

using Path = std::vector<int>;

/// The search with its nodes by the actions that lead to them, and sums made anew.
template <ForwardModel State>
int plain_search(const State& state, int player, const TreeSearchOptions& options, Rng& rng) {
  std::map<Path, std::vector<double>> gains;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const auto bound = [&](const Path& parent, int action) {
    Path child = parent;
    child.push_back(action);
    if (!gains.contains(child)) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (const double gain : gains[child]) sum += gain;
    const auto visits = static_cast<double>(gains[child].size());
    const double mean = (sum / visits - low) / (high > low ? high - low : 1.0);
    const auto parents = static_cast<double>(gains[parent].size());
    return mean + options.exploration * std::sqrt(std::log(parents) / visits);
  };
  for (int ticks = 0; ticks < options.tick_budget; ticks += options.horizon) {
    State next = state;
    Path path;
    bool in_tree = true;
    for (int tick = 0; tick < options.horizon; ++tick) {
      const int drawn = static_cast<int>(rng.below(static_cast<std::uint32_t>(State::kActions)));
      int action = drawn;
      if (in_tree) {
        for (int i = 1; i < State::kActions; ++i) {
          const int other = (drawn + i) % State::kActions;
          if (bound(path, other) > bound(path, action)) action = other;
        }
        path.push_back(action);
        in_tree = gains.contains(path);
      }
      next.step(rollout_actions<State>(player, action, options.opponent_model, rng), rng);
    }
    const double gain = next.score(player) - state.score(player);
    low = std::min(low, gain);
    high = std::max(high, gain);
    for (; !path.empty(); path.pop_back()) gains[path].push_back(gain);
    gains[{}].push_back(gain);
  }
  int best = 0;
  for (int action = 1; action < State::kActions; ++action) {
    if (gains[{action}].size() > gains[{best}].size()) best = action;
  }
  return best;
}

/// Three actions in each of three ticks; the score is that of the sequence, drawn beforehand.
struct Tree {
  static constexpr int kPlayers = 1;
  static constexpr int kActions = 3;
  static constexpr int kIdle = 0;
  static inline std::array<double, 27> worth{};

  void step(const std::array<int, 1>& actions, Rng& /*rng*/) {
    if (is_over()) return;
    path = 3 * path + actions[0];
    ++tick;
  }
  [[nodiscard]] double score(int /*player*/) const {
    return tick == 3 ? worth[static_cast<std::size_t>(path)] : 0.0;
  }
  [[nodiscard]] bool is_over() const { return tick >= 3; }
  bool operator==(const Tree&) const = default;

  int tick = 0;
  int path = 0;
};

/// Action a wins a point with probability (a + 1) / 10, in every tick.
struct Bandit {
  static constexpr int kPlayers = 1;
  static constexpr int kActions = 6;
  static constexpr int kIdle = 0;

  void step(const std::array<int, 1>& actions, Rng& rng) {
    if (rng.bernoulli((actions[0] + 1) / 10.0)) ++points;
  }
  [[nodiscard]] double score(int /*player*/) const { return points; }
  [[nodiscard]] bool is_over() const { return false; }
  bool operator==(const Bandit&) const = default;

  int points = 0;
};

}  // namespace

TEST_CASE("tree search plays what its plain twin plays on the same stream") {
  const auto compare = [](const auto& game, const TreeSearchOptions& options, std::uint64_t seed) {
    using State = std::decay_t<decltype(game)>;
    TreeSearch<State> agent(options);
    for (int player = 0; player < State::kPlayers; ++player) {
      Rng rng(seed);
      Rng same = rng;
      REQUIRE(agent.act(game, player, rng) == plain_search(game, player, options, same));
      REQUIRE(rng() == same());
    }
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    PlanetWars war({}, rng);
    for (int tick = 0; tick < 30; ++tick) {
      war.step({static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5))}, rng);
    }
    Asteroids flight(kDefaultAsteroidsRules, rng);
    for (int tick = 0; tick < 40; ++tick) flight.step({static_cast<int>(rng.below(12))}, rng);
    for (const double exploration : {0.0, 0.3, 1.4}) {
      compare(war, {.tick_budget = 900, .horizon = 3, .exploration = exploration}, seed);
      compare(war,
              {.tick_budget = 900,
               .horizon = 9,
               .exploration = exploration,
               .opponent_model = OpponentModel::kRandom},
              seed);
      compare(flight, {.tick_budget = 2000, .horizon = 20, .exploration = exploration}, seed);
    }
  }
}

TEST_CASE("tree search finds the maximum of a small tree") {
  TreeSearch<Tree> agent({.tick_budget = 30'000, .horizon = 3, .exploration = 1.4});
  Rng rng(14);
  for (int i = 0; i < 15; ++i) {
    for (double& worth : Tree::worth) worth = rng.uniform();
    const auto best = std::ranges::max_element(Tree::worth) - Tree::worth.begin();
    Tree::worth[static_cast<std::size_t>(best)] = 1.2;  // beyond what the bounds can confuse
    Tree state;
    for (const auto unit : {9, 3, 1}) {
      const int action = agent.act(state, 0, rng);
      CHECK(action == best / unit % 3);
      state.step({action}, rng);
    }
  }
}

TEST_CASE("tree search finds the best of noisy actions") {
  TreeSearch<Bandit> agent({.tick_budget = 20'000, .horizon = 5, .exploration = 0.5});
  Rng rng(3);
  for (int i = 0; i < 10; ++i) CHECK(agent.act(Bandit(), 0, rng) == 5);
}

TEST_CASE("tree search keeps its budget, finishing its last simulation") {
  using Game = test::RecordedGame<1>;
  const auto simulations = [](int budget, int horizon) {
    Game::record = {};
    TreeSearch<Game> agent({.tick_budget = budget, .horizon = horizon});
    Rng rng(1);
    agent.act(Game(), 0, rng);
    for (const auto& plan : test::plans_of<1>(0)) {
      REQUIRE(static_cast<int>(plan.size()) == horizon);
    }
    return Game::record.simulations.size();
  };
  CHECK(simulations(2000, 20) == 100);
  CHECK(simulations(2000, 19) == 106);
  CHECK(simulations(1, 19) == 1);
  CHECK(simulations(100, 1) == 100);
}

TEST_CASE("tree search tries every action first and plays the one that it tried most") {
  using Game = test::RecordedGame<1>;
  TreeSearch<Game> agent({.tick_budget = 500, .horizon = 5});
  Rng rng(11);
  for (int best = 0; best < 4; ++best) {
    Game::record = {};
    Game::record.score = [&](int simulation, int) {
      const auto& plan = Game::record.simulations[static_cast<std::size_t>(simulation)];
      return plan.front()[0] == best ? 1.0 : 0.0;
    };
    CHECK(agent.act(Game(), 0, rng) == best);
    const auto plans = test::plans_of<1>(0);
    std::vector<int> counts(4);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      ++counts[static_cast<std::size_t>(plans[i].front())];
      if (i == 3) CHECK(counts == std::vector(4, 1));
    }
    CHECK(std::ranges::max_element(counts) - counts.begin() == best);
  }
}

TEST_CASE("in the simulations of tree search the other player follows the model") {
  using Duel = test::RecordedGame<2>;
  const auto others = [](OpponentModel model) {
    Duel::record = {};
    TreeSearch<Duel> agent({.opponent_model = model});
    Rng rng(2);
    agent.act(Duel(), 1, rng);
    std::vector<int> counts(4);
    for (const auto& plan : test::plans_of<2>(0)) {
      for (const int action : plan) ++counts[static_cast<std::size_t>(action)];
    }
    return counts;
  };
  CHECK(others(OpponentModel::kFirst) == std::vector{2000, 0, 0, 0});
  CHECK(others(OpponentModel::kIdle) == std::vector{0, 0, 0, 2000});
  CHECK(test::even(others(OpponentModel::kRandom)));
}

TEST_CASE("tree search beats random play at Planet Wars from both sides") {
  TreeSearch<PlanetWars> agent({.tick_budget = 500, .horizon = 10});
  RandomAgent<PlanetWars> random;
  int won = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng map = Rng(seed).stream("map");
    const PlanetWars game({}, map);
    if (play_game(game, {&agent, &random}, Rng(seed)).score(0) > 0) ++won;
    if (play_game(game, {&random, &agent}, Rng(seed)).score(1) > 0) ++won;
  }
  CHECK(won >= 18);
}

TEST_CASE("options of tree search are read and checked") {
  const auto read = [](const char* text) {
    return read_options<TreeSearchOptions>(parse_yaml(text));
  };
  CHECK(read("{horizon: 7}").horizon == 7);
  CHECK(read("{opponent_model: random}").opponent_model == OpponentModel::kRandom);
  for (const char* wrong :
       {"{tick_budget: 0}", "{horizon: 0}", "{exploration: -1}", "{depth: 3}"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read(wrong), InputError);
  }
}

}  // namespace ntune
