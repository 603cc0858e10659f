// Rolling Horizon Evolution: its decisions replayed from what a recorded game has seen.

#include "ntune/agents/forward_model/rolling_horizon.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
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

using Game = test::RecordedGame<1>;
using Plan = std::vector<int>;
using Plans = std::vector<Plan>;

struct Decision {
  int action = 0;
  Plans simulations;
};

/// A decision from the beginning of the recorded game.
Decision decide(GameAgent<Game>& agent, Rng& rng) {
  Game::record.simulations.clear();
  const int action = agent.act(Game(), 0, rng);
  return {action, test::plans_of<1>(0)};
}

/// Every simulation is worth less than the one before: no mutant is ever accepted.
double falling(int simulation, int /*tick*/) { return -simulation; }

/// Decisions' mutants where none is accepted, and their parents.
template <class Each>
void for_each_mutant(RollingHorizonOptions options, int decisions, Each each) {
  Game::record = {{}, falling};
  options.variant = RheaVariant::k2020;
  RollingHorizon<Game> agent(options);
  Rng rng(21);
  for (int i = 0; i < decisions; ++i) {
    const Plans plans = decide(agent, rng).simulations;
    for (std::size_t m = 1; m < plans.size(); ++m) each(plans.front(), plans[m]);
  }
}

int differences(const Plan& a, const Plan& b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0, std::plus<>(),
                               std::not_equal_to<>());
}

/// What the plan must be after a decision, by the simulations that were made and their scores.
Plan accepted(const RollingHorizonOptions& options, const Plans& simulations,
              const std::vector<double>& scores) {
  std::size_t next = 0;
  const auto value = [&] {
    double sum = 0.0;
    for (int i = 0; i < options.resample; ++i) {
      REQUIRE(simulations[next] == simulations[next - static_cast<std::size_t>(i)]);
      sum += scores[next++];
    }
    return sum / options.resample;
  };
  if (options.variant == RheaVariant::k2020) {
    Plan plan = simulations.front();
    double best = scores[next++];
    while (next < simulations.size()) {
      const Plan mutant = simulations[next];
      const double mean = value();
      if (mean < best) continue;
      best = mean;
      plan = mutant;
    }
    return plan;
  }
  std::optional<Plan> plan;
  while (next < simulations.size()) {
    const Plan mutant = simulations[next];
    const double mutant_mean = value();
    const Plan parent = simulations[next];
    if (plan) REQUIRE(parent == *plan);
    plan = mutant_mean >= value() ? mutant : parent;
  }
  return plan.value();
}

Plan shifted(Plan plan) {
  plan.erase(plan.begin());
  return plan;
}

/// The plan of a decision's first comparison.
Plan first_plan(const RollingHorizonOptions& options, const Plans& simulations) {
  const bool older = options.variant == RheaVariant::k2019;
  return simulations[older ? static_cast<std::size_t>(options.resample) : 0];
}

/// The transducer, gene by gene, drawn as the agent draws.
Plan transduced(const Plan& input, double mutate, double repeat, Rng& rng) {
  Plan output;
  for (const int gene : input) {
    const double u = rng.uniform();
    const bool repeats = u >= mutate && u < mutate + repeat && !output.empty();
    output.push_back(u < mutate ? static_cast<int>(rng.below(4)) : repeats ? output.back() : gene);
  }
  return output;
}

template <ForwardModel State>
double score_after(State state, int player, int action) {
  JointAction<State> actions{};
  actions[static_cast<std::size_t>(player)] = action;
  Rng rng(1);
  state.step(actions, rng);
  return state.score(player);
}

/// An agent that evaluates plans of one tick until it has seen all actions.
template <ForwardModel State>
RollingHorizon<State> enumerating(RheaVariant variant) {
  return RollingHorizon<State>({.variant = variant, .sequence_length = 1, .evaluations = 400});
}

constexpr auto kVariants = {RheaVariant::k2019, RheaVariant::k2020};

}  // namespace

TEST_CASE("with a horizon of one tick and all actions tried the agent is greedy") {
  PlanetWarsRules rules;
  rules.buffers_in_score = false;
  for (const RheaVariant variant : kVariants) {
    auto war = enumerating<PlanetWars>(variant);
    auto flight = enumerating<Asteroids>(variant);
    OneStepAgent<PlanetWars> greedy;
    OneStepAgent<Asteroids> greedy_flight;
    RandomAgent<PlanetWars> random;
    Rng rng(4);
    play_game(PlanetWars(rules, rng), {&random, &random}, Rng(9),
              [&](const PlanetWars& game, const auto&) {
                for (int player = 0; player < 2; ++player) {
                  REQUIRE(score_after(game, player, war.act(game, player, rng)) ==
                          score_after(game, player, greedy.act(game, player, rng)));
                }
              });
    RandomAgent<Asteroids> pilot;
    play_game(Asteroids(kDefaultAsteroidsRules, rng), {&pilot}, Rng(9),
              [&](const Asteroids& game, const auto&) {
                if (game.tick() % 10 != 0) return;
                REQUIRE(score_after(game, 0, flight.act(game, 0, rng)) ==
                        score_after(game, 0, greedy_flight.act(game, 0, rng)));
              });
  }
}

TEST_CASE("the plan changes by its variant's rule and the next one is it, shifted") {
  Rng rng(12);
  std::vector<int> appended(4);
  for (const RheaVariant variant : kVariants) {
    for (int resample = 1; resample <= 3; ++resample) {
      const RollingHorizonOptions options = {
          .variant = variant, .sequence_length = 6, .resample = resample, .tick_budget = 300};
      RollingHorizon<Game> agent(options);
      std::optional<Plan> last;
      for (int i = 0; i < 300; ++i) {
        // Few different scores, so that many means tie.
        std::vector<double> scores(1000);
        for (double& score : scores) score = rng.below(3);
        Game::record.score = [&](int simulation, int) {
          return scores[static_cast<std::size_t>(simulation)];
        };
        const auto [action, simulations] = decide(agent, rng);
        const Plan first = first_plan(options, simulations);
        if (last) {
          REQUIRE(std::equal(first.begin(), first.end() - 1, last->begin() + 1));
          ++appended[static_cast<std::size_t>(first.back())];
        }
        last = accepted(options, simulations, scores);
        REQUIRE(action == last->front());
      }
    }
  }
  CHECK(test::even(appended));
}

TEST_CASE("without the shift buffer every decision begins with a random plan") {
  const RollingHorizonOptions options = {
      .sequence_length = 5, .shift_buffer = false, .tick_budget = 50};
  Game::record = {{}, falling};
  RollingHorizon<Game> agent(options);
  Rng rng(2);
  std::vector<int> genes(4);
  int kept = 0;
  Plan last = decide(agent, rng).simulations.front();
  for (int i = 0; i < 1000; ++i) {
    const Plan plan = decide(agent, rng).simulations.front();
    for (const int gene : plan) ++genes[static_cast<std::size_t>(gene)];
    if (std::equal(plan.begin(), plan.end() - 1, last.begin() + 1)) ++kept;
    last = plan;
  }
  CHECK(test::even(genes));
  CHECK(kept < 20);  // 4 of 1000 by chance
}

TEST_CASE("the variant of 2019 spends half of its rollouts on the parent, that of 2020 one") {
  Rng rng(1);
  for (const int resample : {1, 2, 3, 7}) {
    for (const int length : {1, 5, 7, 10, 15, 20, 100, 150, 300}) {
      RollingHorizonOptions options = {
          .variant = RheaVariant::k2019, .sequence_length = length, .resample = resample};
      Game::record = {};
      // As the program counts: the first value of the parent, then two values a comparison.
      int mutants = 0;
      for (int used = resample; used < 2000 / length; used += 2 * resample) ++mutants;
      RollingHorizon<Game> older(options);
      const auto plans = decide(older, rng).simulations;
      CHECK(static_cast<int>(plans.size()) == 2 * resample * mutants);
      for (const Plan& plan : plans) REQUIRE(static_cast<int>(plan.size()) == length);

      mutants = 0;
      int ticks = 0;
      do {
        ++mutants;
        ticks += length * resample;
      } while (ticks < 2000);
      options.variant = RheaVariant::k2020;
      RollingHorizon<Game> newer(options);
      CHECK(static_cast<int>(decide(newer, rng).simulations.size()) == 1 + resample * mutants);
    }
  }
}

TEST_CASE("the published numbers of mutants per decision") {
  const auto mutants = [](RheaVariant variant, int length) {
    Game::record = {};
    RollingHorizon<Game> agent({.variant = variant, .sequence_length = length});
    Rng rng(1);
    const auto rollouts = static_cast<int>(decide(agent, rng).simulations.size());
    return variant == RheaVariant::k2019 ? rollouts / 2 : rollouts - 1;
  };
  CHECK(mutants(RheaVariant::k2019, 100) == 10);
  CHECK(mutants(RheaVariant::k2019, 15) == 66);
  CHECK(mutants(RheaVariant::k2019, 10) == 100);
  CHECK(mutants(RheaVariant::k2019, 5) == 200);
  CHECK(mutants(RheaVariant::k2020, 150) == 14);
  CHECK(mutants(RheaVariant::k2020, 100) == 20);
  CHECK(mutants(RheaVariant::k2020, 15) == 134);
  CHECK(mutants(RheaVariant::k2020, 10) == 200);
  CHECK(mutants(RheaVariant::k2020, 5) == 400);
}

TEST_CASE("a budget in evaluations stands in for that in ticks") {
  Game::record = {};
  Rng rng(1);
  RollingHorizonOptions options = {.sequence_length = 10, .resample = 2, .evaluations = 12};
  RollingHorizon<Game> newer(options);
  CHECK(decide(newer, rng).simulations.size() == 13);
  options.variant = RheaVariant::k2019;
  RollingHorizon<Game> older(options);
  CHECK(decide(older, rng).simulations.size() == 12);
}

TEST_CASE("a plan longer than the budget is random in the variant of 2019") {
  Game::record = {};
  RollingHorizon<Game> agent(
      {.variant = RheaVariant::k2019, .sequence_length = 30, .tick_budget = 20});
  Rng rng(7);
  std::vector<int> counts(4);
  for (int i = 0; i < 4000; ++i) {
    const auto [action, simulations] = decide(agent, rng);
    REQUIRE(simulations.empty());
    ++counts[static_cast<std::size_t>(action)];
  }
  CHECK(test::even(counts));
}

TEST_CASE("flip_one alone changes exactly one gene, all of them alike") {
  std::vector<int> places(10);
  std::vector<int> steps(3);
  for_each_mutant({.sequence_length = 10, .mutated_points = 0.0}, 50,
                  [&](const Plan& parent, const Plan& mutant) {
                    REQUIRE(differences(parent, mutant) == 1);
                    const auto at = std::ranges::mismatch(parent, mutant).in1 - parent.begin();
                    const auto i = static_cast<std::size_t>(at);
                    ++places[i];
                    ++steps[static_cast<std::size_t>((mutant[i] - parent[i] + 4) % 4 - 1)];
                  });
  CHECK(test::even(places));
  CHECK(test::even(steps));
}

TEST_CASE("without mutated points and flip_one a mutant is its parent") {
  int mutants = 0;
  for_each_mutant({.sequence_length = 10, .mutated_points = 0.0, .flip_one = false}, 5,
                  [&](const Plan& parent, const Plan& mutant) {
                    REQUIRE(mutant == parent);
                    ++mutants;
                  });
  CHECK(mutants == 5 * 200);
}

TEST_CASE("genes change with their probability, to each other action alike") {
  const auto check = [](const RollingHorizonOptions& options, double probability) {
    const double length = options.sequence_length;
    std::vector<int> steps(3);
    int changes = 0;
    int mutants = 0;
    for_each_mutant(options, 50, [&](const Plan& parent, const Plan& mutant) {
      changes += differences(parent, mutant);
      for (std::size_t i = 0; i < parent.size(); ++i) {
        if (mutant[i] == parent[i]) continue;
        ++steps[static_cast<std::size_t>((mutant[i] - parent[i] + 4) % 4 - 1)];
      }
      ++mutants;
    });
    // One gene changes at any rate, each of the others with the probability.
    const double others = options.flip_one ? length - 1.0 : length;
    const double mean = length - others + others * probability;
    const double sd = std::sqrt(others * probability * (1.0 - probability) * mutants);
    CHECK(std::abs(changes - mean * mutants) < 5.0 * sd);
    CHECK(test::even(steps));
  };
  for (const bool flip_one : {false, true}) {
    check({.sequence_length = 10, .mutated_points = 3.0, .flip_one = flip_one}, 0.3);
    check({.sequence_length = 20, .mutated_points = 1.5, .flip_one = flip_one}, 0.075);
    check({.sequence_length = 5, .gene_probability = 0.01, .flip_one = flip_one}, 0.01);
  }
  for_each_mutant(
      {.sequence_length = 5, .mutated_points = 50.0}, 5,
      [&](const Plan& parent, const Plan& mutant) { REQUIRE(differences(parent, mutant) == 5); });
}

TEST_CASE("the mutation transducer is its reference on the same stream") {
  Game::record = {{}, falling};
  for (const double mutated_points : {0.0, 1.0, 3.0}) {
    for (const double repeat : {0.0, 0.2, 0.8, 1.0}) {
      const RollingHorizonOptions options = {.sequence_length = 9,
                                             .mutated_points = mutated_points,
                                             .flip_one = true,
                                             .mutation_transducer = true,
                                             .repeat_probability = repeat};
      RollingHorizon<Game> agent(options);
      Rng rng(17);
      Rng same = rng;
      const Plans simulations = decide(agent, rng).simulations;
      Plan parent(9);
      for (int& gene : parent) gene = static_cast<int>(same.below(4));
      REQUIRE(simulations.front() == parent);
      for (std::size_t i = 1; i < simulations.size(); ++i) {
        REQUIRE(simulations[i] == transduced(parent, mutated_points / 9.0, repeat, same));
      }
    }
  }
}

TEST_CASE("the transducer repeats genes that it has just put out") {
  // Nothing is drawn: all genes become the first.
  for_each_mutant({.sequence_length = 8,
                   .mutated_points = 0.0,
                   .mutation_transducer = true,
                   .repeat_probability = 1.0},
                  5, [&](const Plan& parent, const Plan& mutant) {
                    REQUIRE(mutant == Plan(8, parent.front()));
                  });
}

TEST_CASE("discounts weigh the gain of tick t by their power t, once by t (t + 1) / 2") {
  const auto weights = [](double discount, bool legacy) {
    return discount_weights(
        {.sequence_length = 150, .discount = discount, .legacy_discount = legacy});
  };
  CHECK(weights(1.0, false).empty());
  CHECK(weights(1.0, true).empty());
  for (const double discount : {0.9, 0.99, 0.999}) {
    double expected = 1.0;
    double legacy = 1.0;
    const auto intended_weights = weights(discount, false);
    const auto legacy_weights = weights(discount, true);
    REQUIRE((intended_weights.size() == 150 && legacy_weights.size() == 150));
    for (std::size_t t = 0; t < 150; ++t) {
      expected *= discount;
      legacy *= expected;
      REQUIRE(intended_weights[t] == Approx(expected));
      REQUIRE(legacy_weights[t] == Approx(legacy));
    }
  }
  // Of the published program.
  CHECK(weights(0.99, true)[9] == Approx(0.58).margin(0.005));
  CHECK(weights(0.99, true)[29] == Approx(0.009).margin(0.0005));
  CHECK(weights(0.999, true)[49] == Approx(0.28).margin(0.005));
  CHECK(weights(0.999, true)[99] == Approx(0.006).margin(0.0005));
  CHECK(weights(0.9, true)[6] == Approx(0.05).margin(0.005));
  CHECK(discount_weights({.sequence_length = 5, .discount = 0.5, .macro_length = 3}).size() == 15);
}

TEST_CASE("discounted gains decide which plan is kept") {
  // The plan gains 10 in tick 5 (or as much as is told), its only mutant `gain` in tick 6.
  const auto mutant_wins = [](double discount, bool legacy, double gain, double plan = 10.0) {
    Game::record = {{}, [=](int simulation, int tick) {
                      return simulation == 0 ? (tick >= 5 ? plan : 0.0) : tick >= 6 ? gain : 0.0;
                    }};
    RollingHorizon<Game> agent({.sequence_length = 8,
                                .mutated_points = 8.0,
                                .discount = discount,
                                .legacy_discount = legacy,
                                .evaluations = 1});
    Rng rng(3);
    const auto [action, simulations] = decide(agent, rng);
    REQUIRE(simulations.size() == 2);
    REQUIRE(simulations[0].front() != simulations[1].front());
    return action == simulations[1].front();
  };
  CHECK(mutant_wins(1.0, false, 10.0));
  CHECK_FALSE(mutant_wins(1.0, false, 9.9));
  CHECK_FALSE(mutant_wins(0.9, false, 11.1));  // 10 / 0.9 = 11.1…
  CHECK(mutant_wins(0.9, false, 11.2));
  CHECK_FALSE(mutant_wins(0.9, true, 18.8));  // 10 / 0.9^6 = 18.8…
  CHECK(mutant_wins(0.9, true, 18.9));
  CHECK(mutant_wins(0.9, false, -11.1, -10.0));
  CHECK_FALSE(mutant_wins(0.9, false, -11.2, -10.0));
}

TEST_CASE("a gene lasts for the ticks of a macro-action, for which one decision is made") {
  Game::record = {{}, falling};
  const RollingHorizonOptions options = {
      .sequence_length = 4, .tick_budget = 60, .macro_length = 3};
  CHECK(options.ticks_per_rollout() == 12);
  RollingHorizon<Game> agent(options);
  Rng rng(9);
  Plan last;
  for (int i = 0; i < 50; ++i) {
    const auto [action, simulations] = decide(agent, rng);
    REQUIRE(simulations.size() == 1 + 5);
    for (const Plan& ticks : simulations) {
      REQUIRE(ticks.size() == 12);
      for (std::size_t t = 0; t < ticks.size(); ++t) REQUIRE(ticks[t] == ticks[t / 3 * 3]);
    }
    Plan plan;
    for (std::size_t t = 0; t < 12; t += 3) plan.push_back(simulations.front()[t]);
    REQUIRE(action == plan.front());
    if (i > 0) REQUIRE(Plan(plan.begin(), plan.end() - 1) == shifted(last));
    last = plan;
    for (int more = 0; more < 2; ++more) {
      const Decision repeated = decide(agent, rng);
      REQUIRE(repeated.action == action);
      REQUIRE(repeated.simulations.empty());
    }
  }
}

TEST_CASE("rollouts hold the own plan and the model's actions for the other player") {
  using Duel = test::RecordedGame<2>;
  for (int player = 0; player < 2; ++player) {
    for (const OpponentModel model :
         {OpponentModel::kFirst, OpponentModel::kIdle, OpponentModel::kRandom}) {
      Duel::record = {};
      RollingHorizon<Duel> agent({.sequence_length = 10,
                                  .mutated_points = 0.0,
                                  .flip_one = false,
                                  .opponent_model = model});
      Rng rng(5);
      const int action = agent.act(Duel(), player, rng);
      std::vector<int> counts(4);
      for (const Plan& plan : test::plans_of<2>(1 - player)) {
        for (const int other : plan) ++counts[static_cast<std::size_t>(other)];
      }
      const auto plans = test::plans_of<2>(player);
      REQUIRE(plans.size() == 201);
      for (const Plan& plan : plans) REQUIRE(plan == plans.front());
      CHECK(action == plans.front().front());
      if (model == OpponentModel::kFirst) CHECK(counts == std::vector{2010, 0, 0, 0});
      if (model == OpponentModel::kIdle) CHECK(counts == std::vector{0, 0, 0, 2010});
      if (model == OpponentModel::kRandom) CHECK(test::even(counts));
    }
  }
}

TEST_CASE("begin_game forgets the plan and what is left of a macro-action") {
  Game::record = {{}, falling};
  const RollingHorizonOptions options = {.sequence_length = 6, .macro_length = 2};
  RollingHorizon<Game> agent(options);
  RollingHorizon<Game> fresh(options);
  Rng rng(30);
  decide(agent, rng);
  agent.begin_game();
  Rng same = rng;
  const Decision first = decide(agent, rng);
  const Decision second = decide(fresh, same);
  CHECK(first.action == second.action);
  CHECK(first.simulations == second.simulations);
}

TEST_CASE("equal streams give equal games, by an agent used before as well") {
  const auto play = [](auto& first, auto& second, std::uint64_t seed) {
    Rng map = Rng(seed).stream("map");
    return play_game(PlanetWars({}, map), {&first, &second}, Rng(seed));
  };
  for (const RheaVariant variant : kVariants) {
    const RollingHorizonOptions options = {.variant = variant,
                                           .sequence_length = 10,
                                           .mutation_transducer = true,
                                           .discount = 0.99,
                                           .tick_budget = 200,
                                           .opponent_model = OpponentModel::kRandom};
    RollingHorizon<PlanetWars> used(options);
    RollingHorizon<PlanetWars> other(options);
    play(used, other, 1);
    RollingHorizon<PlanetWars> fresh(options);
    RollingHorizon<PlanetWars> fresh_other(options);
    const PlanetWars end = play(fresh, fresh_other, 2);
    CHECK(play(used, other, 2) == end);
    CHECK_FALSE(play(used, other, 3) == end);

    RollingHorizon<Asteroids> pilot(options);
    const auto fly = [&](std::uint64_t seed) {
      Rng level = Rng(seed).stream("level");
      return play_game(Asteroids(kDefaultAsteroidsRules, level), {&pilot}, Rng(seed));
    };
    const Asteroids landed = fly(2);
    fly(1);
    CHECK(fly(2) == landed);
  }
}

TEST_CASE("options of the agent are read and checked") {
  const auto read = [](const char* text) {
    return read_options<RollingHorizonOptions>(parse_yaml(text));
  };
  const auto options = read("{variant: 2019, sequence_length: 10, opponent_model: idle}");
  CHECK(options.variant == RheaVariant::k2019);
  CHECK(options.mutation_probability() == 0.3);
  CHECK(options.rollouts() == 200);
  CHECK(options.opponent_model == OpponentModel::kIdle);
  CHECK(read("{gene_probability: 0.25}").mutation_probability() == 0.25);
  CHECK(read("{evaluations: 7, sequence_length: 20}").charge_limit() == 140);
  for (const char* wrong :
       {"{sequence_length: 0}", "{mutated_points: -1}", "{resample: 0}", "{tick_budget: 0}",
        "{evaluations: 0}", "{discount: 0}", "{discount: 1.01}", "{gene_probability: 1.5}",
        "{repeat_probability: 2}", "{macro_length: 0}", "{variant: 2018}", "{opponent_model: best}",
        "{length: 5}"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read(wrong), InputError);
  }
}

// Means of the Java program of 2018 and 2019 (8,770 and 0.58), with bounds of 4.5 standard errors.
// benchmarks/scripts/arcade_cross_check.py does the same with more games, for both variants.
TEST_CASE("the variant of 2019 scores what its program scores", "[slow][statistical]") {
  const RollingHorizonOptions opponent = {
      .variant = RheaVariant::k2019, .sequence_length = 5, .mutated_points = 1.0};
  const auto mean_of_wars = [&](const RollingHorizonOptions& options) {
    RollingHorizon<PlanetWars> agent(options);
    RollingHorizon<PlanetWars> other(opponent);
    int sum = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
      Rng map = Rng(seed).stream("map");
      const auto end = play_game(PlanetWars({}, map), {&agent, &other}, Rng(seed));
      sum += end.score(0) > 0 ? 1 : -1;
    }
    return sum / 600.0;
  };
  CHECK(std::abs(mean_of_wars({.variant = RheaVariant::k2019}) - 0.58) <
        4.5 * 0.81 / std::sqrt(600.0));
  CHECK(std::abs(mean_of_wars(opponent)) < 4.5 / std::sqrt(600.0));

  RollingHorizon<Asteroids> pilot({.variant = RheaVariant::k2019, .sequence_length = 100});
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng level = Rng(seed).stream("level");
    sum += play_game(Asteroids(kDefaultAsteroidsRules, level), {&pilot}, Rng(seed)).score();
  }
  CHECK(std::abs(sum / 60.0 - 8770.0) < 4.5 * 1400.0 / std::sqrt(60.0));
}

}  // namespace ntune
