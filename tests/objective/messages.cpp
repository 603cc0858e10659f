// What a user reads: error messages, descriptions, defaults that are written back.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/functions/function_objective.h"
#include "ntune/objective/functions/functions.h"
#include "objective/make.h"

namespace ntune {

namespace {

struct ExpectedMessage {
  std::string study;
  std::string text;
};

std::string message_error(const std::string& study) {
  try {
    test::make(study);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("wrong objectives are refused with place, value and rule") {
  const std::string functions = test::allowed_names("function");
  const std::string names = test::allowed_names();
  const std::vector<ExpectedMessage> messages = {
      {"objective:",
       "study.yaml:1: objective: is nothing, a name or a map such as {function: "
       "hartmann6} is allowed"},
      {"objective: [hartmann6]",
       "study.yaml:1: objective: is a list, a name or a map such as "
       "{function: hartmann6} is allowed"},
      {"objective: hartman6",
       "study.yaml:1: objective: is 'hartman6', did you mean 'hartmann6'?; "
       "allowed: " +
           names},
      {"objective: function",
       "study.yaml:1: objective: is 'function', which needs a value: {function: …}"},
      {"objective: rosenbrock", "study.yaml:1: objective: is 'rosenbrock'; allowed: " + names},
      {"objective:\n  function: brannin",
       "study.yaml:2: objective.function: is 'brannin', did you "
       "mean 'branin'?; allowed: " +
           functions},
      {"objective: {function: }",
       "study.yaml:1: objective.function: is nothing; allowed: " + functions},
      {"objective: {function: [nk]}", "objective.function: is a list; allowed: " + functions},
      {"objective: {}",
       "study.yaml:1: objective: has no kind; one of these keys selects the "
       "objective: function"},
      {"objective: {funktion: nk}",
       "study.yaml:1: objective: has no kind, did you mean "
       "'function'?; one of these keys selects the objective: "
       "function"},
      {"objective:\n  function: branin\n  flor: true",
       "study.yaml:3: objective.flor: unknown key, "
       "did you mean 'floor'?; allowed: function, "
       "floor and noise"},
      {"objective: {function: hartmann6, floor: true}",
       "objective.floor: unknown key; allowed: "
       "function and noise"},
      {"objective: {function: branin, floor: 1}",
       "objective.floor: is '1', true or false is "
       "allowed"},
      {"objective: {function: nk, noise: winloss}",
       "objective.noise: is 'winloss', did you mean "
       "'win_loss'?; allowed: win_loss, none or "
       "{gaussian: sigma}"},
      {"objective: {function: nk, noise: [none]}",
       "objective.noise: is a list; allowed: win_loss, "
       "none or {gaussian: sigma}"},
      {"objective: {function: nk, noise: {}}",
       "objective.noise.gaussian: is missing: the standard deviation of the noise"},
      {"objective: {function: nk, noise: {gaussian: }}", "objective.noise.gaussian: is missing"},
      {"objective: {function: nk, noise: {gaussian: 0}}",
       "objective.noise.gaussian: is '0', a number above 0"},
      {"objective: {function: nk, noise: {gaussian: .inf}}",
       "objective.noise.gaussian: is '.inf', a number at most 1e+100"},
      {"objective: {function: nk, noise: {gaussian: 1, sigma: 1}}",
       "objective.noise.sigma: unknown key; allowed: gaussian"},
      {"objective:\n  function: nk\n  dimensions: 3\n  k: 3",
       "study.yaml:4: objective.k: is 3, a whole number from 0 to 2 is allowed with 3 dimensions"},
      {"objective: {function: nk, dimensions: 2}",
       "study.yaml:1: objective.k: is 2, a whole number "
       "from 0 to 1 is allowed with 2 dimensions"},
      {"objective: {function: nk, neighbours: adjacen}",
       "objective.neighbours: is 'adjacen', did you mean 'adjacent'?; allowed: adjacent or random"},
      {"objective: {function: nk, dimensions: 1025}",
       "objective.dimensions: is '1025', a whole number "
       "from 1 to 1024 is allowed"},
      {"objective:\n  function: gaussian_landscape\n  main_effects: 0.75\n  pairs: 0.5",
       "study.yaml:4: objective.pairs: is 0.5, at most 0.25 is allowed beside main effects of "
       "0.75"},
      {"objective: {function: trap, block: 5}",
       "objective.block: is 5, a divisor of the 12 dimensions is allowed"},
      {"objective: {function: one_max, values: 1}",
       "objective.values: is '1', a whole number from "
       "2 to 1000 is allowed"},
      {"objective: branin\nspace:\n  x1: [1, 2]\n  x2: [low, high]",
       "study.yaml:4: space.x2: has the value 'low', a number from 0 to 15 is allowed"},
      {"objective: branin\nspace: {x1: [-5, 10, 10.5]}",
       "study.yaml:2: space.x1: has the value '10.5', a number from -5 to 10 is allowed"},
      {"objective: nk\nspace: {x1: one}",
       "study.yaml:2: space.x1: has the value 'one', any finite number is allowed"},
  };
  for (const ExpectedMessage& message : messages) {
    INFO(message.study);
    CHECK_THAT(message_error(message.study), Catch::Matchers::ContainsSubstring(message.text));
  }
  CHECK_THAT(message_error("objective: branin\nspace: {x3: [1, 2]}"),
             Catch::Matchers::ContainsSubstring("study.yaml:2: space.x3"));
}

TEST_CASE("descriptions say which constants, which record and which noise are used") {
  const std::vector<ExpectedMessage> descriptions = {
      {"objective: hartmann3", "hartmann3, win or loss"},
      {"objective: hartmann6", "hartmann6 (constants of the literature), win or loss"},
      {"objective: hartmann6_tag",
       "hartmann6_tag (constants of TAG: P[2][0] = 0.2548), win or loss"},
      {"objective: {function: branin, noise: none}", "branin (true value floored at 0), no noise"},
      {"objective: {function: goldstein_price, floor: false, noise: {gaussian: 0.5}}",
       "goldstein_price (true value without the floor at 0), gaussian noise of 0.5"},
      {"objective: one_max", "one_max (d = 10, 2 values), win or loss"},
      {"objective: trap", "trap (d = 12, blocks of 4), win or loss"},
      {"objective: {function: nk, neighbours: random, seed: 3}",
       "nk (d = 10, k = 2 random, 2 values, seed 3), win or loss"},
  };
  for (const ExpectedMessage& description : descriptions) {
    CHECK(test::make(description.study)->description() == description.text);
  }
}

TEST_CASE("all options are written back, the function first") {
  CHECK(test::resolved("objective: hartmann6").dump() ==
        R"({"function":"hartmann6","noise":"win_loss"})");
  CHECK(test::resolved("objective: {noise: {gaussian: 2}, function: branin}").dump() ==
        R"({"function":"branin","floor":true,"noise":{"gaussian":2.0}})");
  CHECK(test::resolved("objective: {function: nk, k: 4}").dump() ==
        R"({"function":"nk","dimensions":10,"k":4,"values":2,"neighbours":"adjacent","seed":1,)"
        R"("noise":"win_loss"})");
}

TEST_CASE("declared payoffs follow the noise and the function") {
  const Payoffs game = test::make("objective: branin")->payoffs();
  CHECK((game.low == -1.0 && game.high == 1.0 && game.two_valued && game.noisy));
  const Payoffs gaussian = test::make("objective: {function: nk, noise: {gaussian: 1}}")->payoffs();
  CHECK((!gaussian.low && !gaussian.high && !gaussian.two_valued && gaussian.noisy));
  const Payoffs exact = test::make("objective: {function: branin, noise: none}")->payoffs();
  CHECK((exact.low == 0.0 && exact.high == 1.0 && !exact.two_valued && !exact.noisy));
  const Payoffs open =
      test::make("objective: {function: branin, noise: none, floor: false}")->payoffs();
  CHECK((!open.low && open.high == 1.0 && !open.noisy));
}

TEST_CASE("a space of one's own changes the grid, not the function") {
  const auto coarse = test::make("objective: hartmann3");
  const auto fine = test::make("objective: hartmann3\nspace: {x1: {range: [0, 1], points: 11}}");
  REQUIRE(fine->space().grid_size() == 1100.0);
  Point point(3);
  point[0] = 1;
  point[1] = 6;
  point[2] = 9;
  CHECK(true_value_of(*fine, point).value() == Approx(true_value_of(*coarse, point).value()));
  const auto fixed = test::make("objective: hartmann3\nspace: {x1: 0.5}");
  CHECK(fixed->space().grid_size() == 100.0);
  CHECK(optimum_of(*fixed).value() < optimum_of(*coarse).value());
  CHECK(test::make("objective: hartmann3\nspace:")->space() == coarse->space());
}

TEST_CASE("the table of true values and the computation agree") {
  // 2^16 points are tabulated, 2^17 are not.
  for (const char* options : {"one_max, dimensions: ", "nk, k: 3, dimensions: "}) {
    const auto small = test::make(std::string("objective: {function: ") + options + "16}");
    const auto large = test::make(std::string("objective: {function: ") + options + "17}");
    REQUIRE(large->space().grid_size() == 0x1p17);
    for (const Objective* objective : {small.get(), large.get()}) {
      const auto& function = dynamic_cast<const FunctionObjective&>(*objective).function();
      Rng rng(1);
      for (int n = 0; n < 1000; ++n) {
        const Point point = objective->space().sample(rng);
        std::vector<double> x(point.indices().begin(), point.indices().end());
        REQUIRE(true_value_of(*objective, point) == function.value(x));
      }
    }
  }
}

TEST_CASE("a function objective checks what a program gives it") {
  const auto words = [] {
    return SearchSpace({make_choices("x1", {std::string("red")}), make_fixed("x2", 1.0)});
  };
  CHECK_THROWS_WITH(FunctionObjective(make_branin(), {}, words()),
                    "x1: has the value 'red', a number from -5 to 10 is allowed");
  CHECK_THROWS_WITH(FunctionObjective(make_hartmann3(), {}, words()),
                    "hartmann3 has 3 parameters, the space has 2");
  CHECK_THROWS_AS(FunctionObjective(make_branin(), {.kind = Noise::Kind::kGaussian}), InputError);
}

}  // namespace ntune
