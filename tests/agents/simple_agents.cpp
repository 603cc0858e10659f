// The agents that look at most one tick ahead, and what all agents share: playing a game.

#include "ntune/agents/forward_model/simple_agents.h"

#include <algorithm>
#include <set>
#include <vector>

#include "agents/recorded_game.h"
#include "catch.h"
#include "ntune/games/arcade/asteroids.h"
#include "ntune/games/arcade/planet_wars.h"

namespace ntune {

namespace {

/// A game for two of ten ticks, in which every tick draws: the last draw, and a sum of all actions.
struct Lottery {
  static constexpr int kPlayers = 2;
  static constexpr int kActions = 1000;
  static constexpr int kIdle = 7;

  void step(const std::array<int, 2>& actions, Rng& rng) {
    ++tick;
    last = rng();
    sum += actions[0] + actions[1];
  }
  [[nodiscard]] double score(int player) const { return player == 0 ? sum : -sum; }
  [[nodiscard]] bool is_over() const { return tick >= 10; }
  bool operator==(const Lottery&) const = default;

  int tick = 0;
  int sum = 0;
  std::uint64_t last = 0;
};

/// Draws as often as it is told before it draws its action; notes when its games begin.
class Wasteful final : public GameAgent<Lottery> {
 public:
  explicit Wasteful(int draws) : draws_(draws) {}
  void begin_game() override { ++games; }
  int act(const Lottery& /*state*/, int player, Rng& rng) override {
    players.insert(player);
    for (int i = 0; i < draws_; ++i) rng();
    return static_cast<int>(rng.below(1000));
  }

  int games = 0;
  std::set<int> players;

 private:
  int draws_;
};

struct Seen {
  std::vector<std::array<int, 2>> actions;
  std::vector<std::uint64_t> chance;  ///< drawn in the tick before
};

Seen watched(GameAgent<Lottery>& first, GameAgent<Lottery>& second, std::uint64_t seed) {
  Seen seen;
  const Lottery end = play_game(Lottery(), {&first, &second}, Rng(seed),
                                [&](const Lottery& state, const std::array<int, 2>& actions) {
                                  REQUIRE(state.tick == static_cast<int>(seen.actions.size()));
                                  seen.actions.push_back(actions);
                                  seen.chance.push_back(state.last);
                                });
  CHECK(end.is_over());
  seen.chance.push_back(end.last);
  return seen;
}

/// The best score that an action leads to, by trying all; whether `action` has it.
template <ForwardModel State>
bool is_greedy(const State& state, int player, int action) {
  std::vector<double> scores;
  for (int tried = 0; tried < State::kActions; ++tried) {
    State next = state;
    JointAction<State> actions{};
    actions[static_cast<std::size_t>(player)] = tried;
    Rng rng(1);
    next.step(actions, rng);
    scores.push_back(next.score(player));
  }
  return scores.at(static_cast<std::size_t>(action)) == std::ranges::max(scores);
}

}  // namespace

TEST_CASE("an agent's draws depend on neither the other's nor the game's") {
  Wasteful sparing(0);
  Wasteful generous(9);
  const Seen alike = watched(sparing, sparing, 5);
  const Seen different = watched(sparing, generous, 5);
  for (std::size_t tick = 0; tick < 10; ++tick) {
    CHECK(different.actions[tick][0] == alike.actions[tick][0]);
    CHECK(different.actions[tick][1] != alike.actions[tick][1]);
  }
  CHECK(different.chance == alike.chance);
  CHECK(watched(sparing, generous, 5).actions == different.actions);
  CHECK(watched(sparing, generous, 6).actions != different.actions);
}

TEST_CASE("the streams of a game are named by their purpose, player and tick") {
  Wasteful agent(0);
  const Seen seen = watched(agent, agent, 5);
  Rng chance = Rng(5).stream("game");
  for (std::size_t tick = 0; tick < 10; ++tick) {
    for (std::size_t player = 0; player < 2; ++player) {
      Rng draw = Rng(5).stream("agent", player, tick);
      CHECK(seen.actions[tick][player] == static_cast<int>(draw.below(1000)));
    }
    CHECK(seen.chance[tick + 1] == chance());
  }
}

TEST_CASE("a game tells its agents when it begins and which player they are") {
  Wasteful first(0);
  Wasteful second(0);
  watched(first, second, 1);
  watched(first, second, 2);
  CHECK((first.games == 2 && second.games == 2));
  CHECK((first.players == std::set{0} && second.players == std::set{1}));
}

TEST_CASE("a game that is over is not played") {
  PlanetWars game;
  Rng rng(1);
  for (int tick = 0; tick < 200; ++tick) game.step({4, 4}, rng);
  RandomAgent<PlanetWars> agent;
  CHECK(play_game(game, {&agent, &agent}, Rng(1)) == game);
}

TEST_CASE("the random agent plays all actions alike, the idle one the same") {
  RandomAgent<Asteroids> random;
  IdleAgent<Asteroids> idle;
  std::vector<int> counts(12);
  Rng rng(3);
  for (int i = 0; i < 12'000; ++i) {
    ++counts[static_cast<std::size_t>(random.act(Asteroids(), 0, rng))];
    REQUIRE(idle.act(Asteroids(), 0, rng) == Asteroids::kIdle);
  }
  CHECK(test::even(counts));
}

TEST_CASE("the one-step agent takes an action of the best score, by trying all") {
  OneStepAgent<PlanetWars> agent;
  PlanetWarsRules rules;
  rules.buffers_in_score = false;
  Rng rng(2);
  int choices = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PlanetWars game(rules, rng);
    while (!game.is_over()) {
      std::array<int, 2> actions{};
      for (int player = 0; player < 2; ++player) {
        const int action = agent.act(game, player, rng);
        REQUIRE(is_greedy(game, player, action));
        for (int other = 0; other < 5; ++other) {
          if (!is_greedy(game, player, other)) ++choices;
        }
        // Mostly at random, so that positions differ.
        actions[static_cast<std::size_t>(player)] =
            rng.bernoulli(0.2) ? action : static_cast<int>(rng.below(5));
      }
      game.step(actions, rng);
    }
  }
  CHECK(choices > 1000);
}

TEST_CASE("the one-step agent breaks ties at random, all alike") {
  using Game = test::RecordedGame<1>;
  OneStepAgent<Game> agent;
  Game::record = {};
  // The actions 0, 2 and 3 are the best, tried in the order of their numbers.
  Game::record.score = [](int simulation, int) { return simulation % 4 == 1 ? -1.0 : 0.0; };
  std::vector<int> counts(4);
  Rng rng(8);
  for (int i = 0; i < 9000; ++i) ++counts[static_cast<std::size_t>(agent.act(Game(), 0, rng))];
  CHECK(counts[1] == 0);
  CHECK(test::even({counts[0], counts[2], counts[3]}));
}

TEST_CASE("rollouts take the others to play action 0, to be idle or to play at random") {
  using Game = test::RecordedGame<2>;
  Rng rng(6);
  for (int player = 0; player < 2; ++player) {
    const auto agent = static_cast<std::size_t>(player);
    CHECK(rollout_actions<Game>(player, 2, OpponentModel::kFirst, rng)[agent] == 2);
    CHECK(rollout_actions<Game>(player, 2, OpponentModel::kFirst, rng)[1 - agent] == 0);
    CHECK(rollout_actions<Game>(player, 2, OpponentModel::kIdle, rng)[agent] == 2);
    CHECK(rollout_actions<Game>(player, 2, OpponentModel::kIdle, rng)[1 - agent] == Game::kIdle);
    std::vector<int> counts(4);
    for (int i = 0; i < 4000; ++i) {
      const auto actions = rollout_actions<Game>(player, 2, OpponentModel::kRandom, rng);
      REQUIRE(actions[agent] == 2);
      ++counts[static_cast<std::size_t>(actions[1 - agent])];
    }
    CHECK(test::even(counts));
  }
}

}  // namespace ntune
