#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "agents/turn_game_battery.h"
#include "catch.h"
#include "games/two_player/connect_four.h"
#include "ntune/core/option_json.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/study.h"
#include "study/make.h"
#include "support/error_text.h"

namespace ntune {
namespace {

using test::ConnectFour;
using test::ConnectFourEvaluation;

ConnectFour after(std::initializer_list<int> columns) {
  ConnectFour at;
  for (const int column : columns) {
    ConnectFour::Successors list;
    at.successors(list);
    const auto* found =
        std::ranges::find(list, column, [](const auto& entry) { return entry.move; });
    REQUIRE(found != list.end());
    at = ConnectFour(found->next);
  }
  return at;
}

std::unique_ptr<Objective> make(const std::string& study) {
  const YamlNode root = parse_yaml(study, "study.yaml");
  return test::connect_four_entry().make(*root.find("objective"), root.find("space"));
}

Point point_of(std::uint16_t centre, std::uint16_t threat) {
  return Point(std::array<std::uint16_t, 2>{centre, threat});
}

double payoff(const Objective& objective, const Point& point, std::size_t i) {
  Rng stream = Rng(4).stream("evaluation", i);
  return objective.evaluate(point, stream);
}

/// The position before the last move of a random game that ends in a draw, about one of 400.
ConnectFour before_a_draw() {
  for (int game = 0; game < 20'000; ++game) {
    Rng rng = Rng(1).stream("game", game);
    ConnectFour before;
    ConnectFour at;
    while (!at.is_over()) {
      ConnectFour::Successors list;
      at.successors(list);
      before = at;
      at = ConnectFour(list[rng.below(static_cast<std::uint32_t>(list.size()))].next);
    }
    if (at.outcome() == GameOutcome::kDraw) return before;
  }
  FAIL("no random game is a draw");
  return {};
}

}  // namespace

TEST_CASE("Connect Four has the published numbers of lines") {
  const std::vector<std::uint64_t> lines = {1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
  for (std::size_t depth = 0; depth < lines.size(); ++depth) {
    CHECK(perft(ConnectFour(), static_cast<int>(depth)) == lines[depth]);
  }
}

TEST_CASE("Connect Four: four in any direction win") {
  CHECK(after({0, 1, 0, 1, 0, 1, 0}).outcome() == win_of(0));
  CHECK(after({0, 0, 1, 1, 2, 2, 3}).outcome() == win_of(0));
  CHECK(after({6, 0, 0, 1, 1, 2, 2, 3}).outcome() == win_of(1));
  CHECK(after({0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3}).outcome() == win_of(0));
  CHECK(after({6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3}).outcome() == win_of(0));
  CHECK_FALSE(after({0, 1, 0, 1, 0, 1}).is_over());
}

TEST_CASE("Connect Four keeps what every turn game must keep") {
  const auto counts = test::check_turn_game(ConnectFour(), 300, 3);
  CHECK(counts.won + counts.drawn == 300);
  CHECK(counts.won > 250);
}

TEST_CASE("two players: a draw pays nothing, which is half a point") {
  const ConnectFour start = before_a_draw();
  const TwoPlayerGame<ConnectFour> game = {.name = "connect_four",
                                           .summary = {},
                                           .default_space = test::connect_four_space,
                                           .start = start};
  const TwoPlayerObjective<ConnectFour, ConnectFourEvaluation> objective(game, {.opening = 0});
  for (std::size_t i = 0; i < 10; ++i) CHECK(payoff(objective, point_of(3, 3), i) == 0.0);
  CHECK(objective.unit().value_of(0.0) == 0.5);
  Rng rng(1);
  CHECK(objective.matches()->play(point_of(0, 0), point_of(3, 3), rng, {}).payoff == 0.5);
  CHECK(start.plies() == ConnectFour::kColumns * ConnectFour::kRows - 1);
}

TEST_CASE("two players: a payoff is a win, a draw or a loss, decided by the stream alone") {
  const auto objective = make("objective: {game: connect_four, depth: 2, opponent: {depth: 2}}");
  CHECK(objective->description() == "connect_four (opponent of depth 2), win, draw or loss");
  CHECK_FALSE(objective->payoffs().two_valued);
  CHECK(objective->unit().value_of(0.0) == 0.5);
  const Point best = point_of(3, 3);
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < 400; ++i) payoffs.push_back(payoff(*objective, best, i));
  for (std::size_t i = 0; i < 400; i += 7) {
    CHECK(payoff(*objective, best, i) == payoffs[i]);
  }
  const auto wins = std::ranges::count(payoffs, 1.0);
  const auto draws = std::ranges::count(payoffs, 0.0);
  const auto losses = std::ranges::count(payoffs, -1.0);
  CHECK(wins + draws + losses == 400);
  CHECK(wins > losses);
}

TEST_CASE("two players: pairs give both sides the same start, equal players the same chances") {
  const auto objective = make("objective: {game: connect_four, depth: 2}");
  const Matches& matches = *objective->matches();
  const Point point = point_of(3, 2);
  const Point weak = point_of(0, 0);
  double even = 0.0;
  double points = 0.0;
  for (int i = 0; i < 200; ++i) {
    Rng rng = Rng(5).stream("pair", i);
    even += 2.0 * matches.play(point, point, rng, {}).payoff;
    points += 2.0 * matches.play(point, weak, rng, {}).payoff;
  }
  CHECK(std::abs(even - 200.0) < 40.0);
  CHECK(points > 250.0);
}

TEST_CASE("two players: no game lasts shorter than its random opening") {
  for (int i = 0; i < 50; ++i) {
    const ConnectFour at = random_opening(ConnectFour(), 20, Rng(static_cast<std::uint64_t>(i)));
    CHECK((at.plies() == 20 && !at.is_over()));
  }
  CHECK_THROWS_AS(random_opening(ConnectFour(), 42, Rng(1)), EvaluationError);
}

TEST_CASE("two players: a game's line of the table reads options, writes them back and refuses") {
  const ObjectiveEntry entry = test::connect_four_entry();
  const YamlNode node = parse_yaml("{game: connect_four, centre: 2, opponent: {threat: 1}}", "s");
  const Json options = entry.resolved(node);
  CHECK(options["centre"] == 2.0);
  CHECK(options["opponent"]["threat"] == 1.0);
  CHECK(entry.resolved(parse_yaml(options.dump(), "s")) == options);
  CHECK(entry.schema()["properties"].size() == options.size());
  const auto message = [](const std::string& study) {
    return test::input_error([&] { make(study); });
  };
  CHECK_THAT(message("objective: {game: connect_four, opponent: {centr: 1}}"),
             Catch::Matchers::ContainsSubstring("objective.opponent.centr: unknown key"));
  CHECK_THAT(message("objective: connect_four\nspace: {middle: [1, 2]}"),
             Catch::Matchers::ContainsSubstring("space.middle: is no option"));
}

TEST_CASE("two players: a short study finds an evaluation that beats the opponent") {
  const std::shared_ptr<const Objective> objective =
      make("objective: {game: connect_four, depth: 2, opponent: {depth: 2, centre: -1}}");
  const Study study = test::study_of("{runs: 1, iterations: 300, hold_out: 300}", objective);
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  CHECK(objective->unit().value_of(pick.hold_out.payoffs.mean()) > 0.6);
}

}  // namespace ntune
