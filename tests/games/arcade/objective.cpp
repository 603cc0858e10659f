// Planet Wars and Asteroids as objectives: spaces, options, presets, and what the games pay.

#include "ntune/games/arcade/objective.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/statistics.h"
#include "objective/make.h"
#include "support/error_text.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

/// Games that take microseconds.
const std::string kShortWar =
    "game: planet_wars, agent: {tick_budget: 60}, opponent: {tick_budget: 60}, rules: {ticks: 40}";
const std::string kShortFlight = "game: asteroids, agent: {tick_budget: 200}, rules: {ticks: 150}";

RollingHorizonOptions agent_of(const Objective& objective, const Point& point) {
  return dynamic_cast<const ArcadeObjective&>(objective).agent_at(point);
}

double evaluate(const Objective& objective, const Point& point, int game) {
  Rng rng = Rng(11).stream("game", game);
  return objective.evaluate(point, rng);
}

std::string error_of(const std::string& study) {
  return test::input_error([&] { test::make(study); });
}

}  // namespace

TEST_CASE("the default spaces are those of Table 1") {
  const auto war = test::make("objective: planet_wars");
  CHECK(war->space().size().points == 288.0);
  CHECK(war->space().text(Point(5)) ==
        "sequence_length = 5, mutated_points = 0, resample = 1, flip_one = false, shift_buffer = "
        "false");
  CHECK(test::make("objective: asteroids")->space().size().points == 336.0);
  CHECK((war->payoffs().two_valued && war->unit().value_of(0.5) == 0.75));
  CHECK(war->description() == "planet_wars, win or loss");
  CHECK(test::make("objective: asteroids")->unit().value_of(0.5) == 0.5);
}

TEST_CASE("parameters of the space stand in for options of the agent") {
  const auto war = test::make(
      "objective: {game: planet_wars, agent: {shift_buffer: false, discount: 0.99}}\n"
      "space: {sequence_length: [7, 10.0], variant: [2019, 2020], gene_probability: [auto, 0.5],"
      " flip_one: {boolean: }, evaluations: 12}");
  const RollingHorizonOptions first = agent_of(*war, Point(5));
  CHECK((first.sequence_length == 7 && first.variant == RheaVariant::k2019 && !first.flip_one));
  CHECK((!first.gene_probability && first.evaluations == 12 && !first.shift_buffer));
  CHECK(first.discount == 0.99);
  Point last(5);
  for (int i = 0; i < 4; ++i) last[i] = 1;
  const RollingHorizonOptions options = agent_of(*war, last);
  CHECK((options.sequence_length == 10 && options.variant == RheaVariant::k2020));
  CHECK((options.gene_probability == 0.5 && options.flip_one));
}

TEST_CASE("the opponents of the papers go by names") {
  const auto opponent = [](const std::string& text) {
    return test::resolved("objective: {game: planet_wars, opponent: " + text + "}")["opponent"];
  };
  const Json usual = test::resolved("objective: planet_wars")["opponent"];
  CHECK(usual == opponent("2020"));
  CHECK((usual["variant"] == 2020 && usual["gene_probability"] == 0.01));
  CHECK((usual["sequence_length"] == 5 && usual["tick_budget"] == 2000));
  CHECK((usual["flip_one"] == true && usual["shift_buffer"] == true));
  const Json faithful = opponent("2020_faithful");
  CHECK((faithful["gene_probability"] == "auto" && faithful["mutated_points"] == 1.0));
  const Json older = opponent("2019");
  CHECK((older["variant"] == 2019 && older["gene_probability"] == "auto"));
  CHECK(opponent(older.dump()) == older);
  CHECK(opponent("{sequence_length: 9}")["gene_probability"] == 0.01);
}

TEST_CASE("all options of a game are written back and read the same") {
  for (const std::string& options : {kShortWar, kShortFlight}) {
    const Json resolved = test::resolved("objective: {" + options + "}");
    CHECK(resolved.begin().key() == "game");
    CHECK(resolved["agent"]["legacy_discount"] == false);
    CHECK(resolved["legacy_inert"] == false);
    CHECK(test::resolved("objective: " + resolved.dump()) == resolved);
  }
}

TEST_CASE("wrong parameters and options of games are refused with their place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"objective: planet_wars\nspace: {sequence_length: [0, 5]}",
       "study.yaml:2: space.sequence_length: has the value '0', a whole number from 1 to 1000"},
      {"objective: planet_wars\nspace: {sequence_lenght: [5, 6]}",
       "space.sequence_lenght: is no option, did you mean 'sequence_length'?"},
      {"objective: asteroids\nspace: {flip_one: [0, 1]}",
       "space.flip_one: has the value '0', true or false is allowed"},
      {"objective: asteroids\nspace: {discount: [0.5, 1.5]}",
       "space.discount: has the value '1.5'"},
      {"objective: asteroids\nspace: {variant: [2018]}",
       "space.variant: has the value '2018', 2019 or 2020 is allowed"},
      {"objective: {game: planet_wars, opponent: 2021}",
       "objective.opponent: is '2021', 2020, 2020_faithful, 2019 or a map of options is allowed"},
      {"objective: {game: planet_wars, opponent: {length: 3}}",
       "objective.opponent.length: unknown key"},
      {"objective: {game: planet_wars, agent: {resample: 0}}", "objective.agent.resample: is '0'"},
      {"objective: {game: planet_wars, rules: {planets: 1}}", "objective.rules.planets: is '1'"},
      {"objective: {game: planet_wars, map: -1}", "objective.map: is '-1'"},
      {"objective:\n  game: planet_wars\n  rules:\n    planets: 4\n    growth_low: 0.2",
       "study.yaml:5: objective.rules.growth_low: is 0.2, more than growth_high, 0.15"},
      {"objective:\n  game: planet_wars\n  rules: {growth_high: 0.01}",
       "study.yaml:3: objective.rules.growth_low: is 0.05, more than growth_high, 0.01"},
      {"objective: {game: asteroids, opponent: 2020}", "objective.opponent: unknown key"},
      {"objective: {game: asteroid}", "did you mean 'asteroids'?"},
  };
  for (const auto& [study, text] : cases) {
    CAPTURE(study);
    CHECK_THAT(error_of(study), ContainsSubstring(text));
  }
  CHECK_THROWS_WITH(AsteroidsObjective({}, SearchSpace({make_integers("resample", 0, 1)})),
                    ContainsSubstring("resample: has the value '0'"));
}

TEST_CASE("games on a map of a seed begin alike") {
  // After one tick the score is that of the growth of the planets.
  const auto payoffs_on = [](const std::string& map) {
    const auto war = test::make(
        "objective: {game: planet_wars, agent: {tick_budget: 60}, opponent: {tick_budget: 60}, "
        "rules: {ticks: 1, growth_low: 0, growth_high: 1000}, map: " +
        map + "}");
    std::set<double> payoffs;
    for (int game = 0; game < 30; ++game) payoffs.insert(evaluate(*war, Point(5), game));
    return payoffs;
  };
  CHECK(payoffs_on("auto").size() == 2);
  std::set<double> of_maps;
  for (int map = 0; map < 20; ++map) {
    const std::set<double> payoffs = payoffs_on(std::to_string(map));
    CHECK(payoffs.size() == 1);
    of_maps.insert(payoffs.begin(), payoffs.end());
  }
  CHECK(of_maps.size() == 2);
}

TEST_CASE("a payoff follows from point and stream alone") {
  for (const std::string& options : {kShortWar, kShortFlight}) {
    const auto first = test::make("objective: {" + options + "}");
    const auto second = test::make("objective: {" + options + "}");
    Rng rng(4);
    std::set<double> payoffs;
    for (int game = 0; game < 40; ++game) {
      const Point point = first->space().sample(rng);
      const double payoff = evaluate(*first, point, game);
      REQUIRE(evaluate(*second, point, game) == payoff);
      REQUIRE(evaluate(*first, point, game) == payoff);
      payoffs.insert(payoff);
    }
    CHECK(payoffs.size() > 1);
    if (!first->payoffs().two_valued) continue;
    for (const double payoff : payoffs) CHECK(std::abs(payoff) == 1.0);
  }
}

TEST_CASE("legacy_inert takes the effect of the transducer away") {
  const auto differences = [](const std::string& more) {
    const auto flight =
        test::make("objective: {" + kShortFlight + more +
                   "}\nspace: {mutation_transducer: {boolean: }, repeat_probability: [0.2, 0.8]}");
    int count = 0;
    for (int game = 0; game < 10; ++game) {
      const double plain = evaluate(*flight, Point(2), game);
      test::for_each(flight->space(), [&](const Point& point) {
        if (evaluate(*flight, point, game) != plain) ++count;
      });
    }
    return count;
  };
  CHECK(differences("") > 0);
  CHECK(differences(", legacy_inert: true") == 0);
}

// Goodman and Lucas 2020, Table 2: the best of the 288 points pays 0.732 by 1000 games, that of the
// 336 about 9,600 points; bounds of 4.5 standard errors around what other programs measured.
TEST_CASE("the best points of the paper pay what it says", "[slow][statistical]") {
  const auto mean_of = [](const std::string& study, int games) {
    const auto objective = test::make(study);
    RunningStats stats;
    for (int game = 0; game < games; ++game) stats.add(evaluate(*objective, Point(1), game));
    return stats.mean();
  };
  const double war = mean_of("objective: planet_wars\nspace: {sequence_length: 15}", 600);
  CHECK(std::abs(war - 0.73) < 4.5 * 0.66 / std::sqrt(600.0));
  const double flight = mean_of("objective: asteroids\nspace: {sequence_length: 100}", 60);
  CHECK(std::abs(flight - 9640.0) < 4.5 * 870.0 / std::sqrt(60.0));
}

}  // namespace ntune
