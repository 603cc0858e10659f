#include <string>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/lambda_objective.h"

namespace ntune {

namespace {

SearchSpace bot_space() {
  Parameter book = make_choices("book", {std::string("small"), std::string("large")});
  Parameter width = make_range("width", 0.0, 1.0, 3);
  width.when = {{.parameter = 1, .values = {1}}};
  return SearchSpace({make_integers("depth", 2, 8, 2), make_boolean("quiescence"), book, width,
                      make_choices("scale", {1.0, 2.5})});
}

}  // namespace

TEST_CASE("a lambda over points is an objective") {
  const LambdaObjective objective(
      bot_space(), [](const Point& point, Rng& rng) { return point[0] + rng.uniform(); }, "bot",
      {.low = 0.0, .high = 4.0});
  CHECK(objective.description() == "bot");
  CHECK(objective.payoffs().high == 4.0);
  CHECK_FALSE(objective.payoffs().two_valued);
  CHECK(objective.payoffs().noisy);
  CHECK(objective.space().dimensions() == 5);
  CHECK_FALSE(true_value_of(objective, Point(5)));
  CHECK_FALSE(optimum_of(objective));
  Rng rng(3);
  Rng twin(3);
  CHECK(objective.evaluate(Point(5), rng) == twin.uniform());
}

TEST_CASE("a lambda over settings looks values up by name") {
  const LambdaObjective objective(bot_space(), [](const Settings& settings, Rng&) {
    CHECK(settings.text("book") == "large");
    CHECK(settings.flag("quiescence"));
    CHECK(settings.is_active("width"));
    return static_cast<double>(settings.integer("depth")) + settings.number("width");
  });
  CHECK(objective.description() == "lambda");
  Point point(5);
  point[0] = 2;
  point[1] = 1;
  point[2] = 1;
  point[3] = 1;
  Rng rng(1);
  CHECK(objective.evaluate(point, rng) == 6.5);
}

TEST_CASE("settings give values by name and type") {
  const SearchSpace space = bot_space();
  const Settings settings(space, Point(5));
  CHECK(settings.integer("depth") == 2);
  CHECK(settings.number("depth") == 2.0);
  CHECK(settings.text("depth") == "2");
  CHECK(settings.number("scale") == 1.0);
  CHECK(settings.integer("scale") == 1);
  CHECK_FALSE(settings.flag("quiescence"));
  CHECK(settings.text("quiescence") == "false");
  CHECK(settings.text("book") == "small");
  CHECK_FALSE(settings.is_active("width"));
  CHECK(std::get<std::string>(settings.value("book")) == "small");
  CHECK(&settings.space() == &space);
  CHECK(settings.point() == Point(5));
}

TEST_CASE("settings refuse wrong names and types") {
  const SearchSpace space = bot_space();
  Point point(5);
  point[4] = 1;
  const Settings settings(space, point);
  CHECK_THROWS_WITH(settings.number("dept"),
                    "there is no parameter 'dept', did you mean 'depth'?; the space has depth, "
                    "quiescence, book, width and scale");
  CHECK_THROWS_WITH(settings.number("book"),
                    "parameter 'book' has the value 'small', which is not a number");
  CHECK_THROWS_WITH(settings.number("quiescence"),
                    "parameter 'quiescence' has the value 'false', which is not a number");
  CHECK_THROWS_WITH(settings.integer("scale"),
                    "parameter 'scale' has the value '2.5', which is not a whole number");
  CHECK_THROWS_WITH(settings.flag("depth"),
                    "parameter 'depth' has the value '2', which is not true or false");
  CHECK_THROWS_AS(settings.is_active("x"), InputError);
  CHECK_THROWS_AS(settings.text("x"), InputError);
}

TEST_CASE("an empty function is refused") {
  CHECK_THROWS_WITH(LambdaObjective(bot_space(), LambdaObjective::PointFunction(), "bot"),
                    "objective 'bot': the function is empty");
  CHECK_THROWS_AS(LambdaObjective(bot_space(), LambdaObjective::SettingsFunction()), InputError);
}

}  // namespace ntune
