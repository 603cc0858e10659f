// Asteroids for a browser.

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "apps/arcade/recording.h"

namespace ntune::arcade {

// Made by CMake from the files in assets/.
extern const std::string_view kAsteroidsStyle;
extern const std::string_view kAsteroidsScript;

namespace {

/// Number of the text for what goes on, by the last phase that was no waiting.
int notice_of(AsteroidsPhase phase, int before) {
  switch (phase) {
    case AsteroidsPhase::kPlaying:
      return 0;
    case AsteroidsPhase::kWaitingToStart:
      return 1;
    case AsteroidsPhase::kLifeLost:
      return 2;
    case AsteroidsPhase::kLevelCleared:
      return 3;
    case AsteroidsPhase::kGameOver:
      return 4;
    case AsteroidsPhase::kWaiting:
    case AsteroidsPhase::kReEntry:
      break;
  }
  return before;
}

int tenths_of(float coordinate) { return tenths(static_cast<double>(coordinate)); }

/// [ship x, ship y, heading, [rock x, y, size, …], [missile x, y, …]] in tenths of pixels.
Json world_of(const Asteroids& state) {
  Json rocks = Json::array();
  for (int i = 0; i < state.rocks(); ++i) {
    const AsteroidsBody rock = state.rock(i);
    for (const int number : {tenths_of(rock.x), tenths_of(rock.y), state.rock_size(i)}) {
      rocks.push_back(number);
    }
  }
  Json missiles = Json::array();
  for (int i = 0; i < state.missiles(); ++i) {
    missiles.push_back(tenths_of(state.missile(i).x));
    missiles.push_back(tenths_of(state.missile(i).y));
  }
  return Json::array({tenths_of(state.ship().x), tenths_of(state.ship().y), state.heading(),
                      std::move(rocks), std::move(missiles)});
}

/// The way of the ship and the scores, if the plan of this tick is carried out.
void add_plan(Json& data, const Recording<Asteroids>& game, std::size_t tick) {
  constexpr std::size_t kMostTicks = 60;
  constexpr std::size_t kEvery = 3;
  Json course = Json::array();
  Json scores = Json::array();
  if (game.states[tick].phase() == AsteroidsPhase::kPlaying) {
    const std::vector<Asteroids> states = planned_states(game, tick, 0, kMostTicks);
    for (std::size_t i = 0; i < states.size(); ++i) {
      scores.push_back(states[i].score());
      if (i % kEvery != 0 || states[i].phase() != AsteroidsPhase::kPlaying) continue;
      course.push_back(tenths_of(states[i].ship().x));
      course.push_back(tenths_of(states[i].ship().y));
    }
  }
  data["courses"].push_back(std::move(course));
  data["ahead"].push_back(std::move(scores));
}

/// A world that stands still is 0.
Json data_of(const Recording<Asteroids>& game) {
  Json data;
  Json last;
  int notice = 0;
  for (std::size_t t = 0; t < game.states.size(); ++t) {
    const Asteroids& state = game.states[t];
    notice = notice_of(state.phase(), notice);
    data["scores"].push_back(state.score());
    data["states"].push_back(Json::array(
        {notice, state.lives(), state.level() + 1, t < game.ticks() ? game.actions[t][0] : -1}));
    Json world = world_of(state);
    data["worlds"].push_back(world == last ? Json(0) : world);
    last = std::move(world);
  }
  for (std::size_t t = 0; t < game.plans.size(); ++t) add_plan(data, game, t);
  return data;
}

std::string legend_of(const AsteroidsRules& rules, bool has_plans) {
  return fmt::format(
      "Rocks pay {}, {} and {} points, large, middle and small; a shot costs {}, a ship {}. "
      "The world wraps around at its edges.{}",
      rules.large_score, rules.middle_score, rules.small_score, rules.missile_cost, rules.life_cost,
      has_plans ? " Dashes: the way of the ship and the score, if the plan is carried out." : "");
}

}  // namespace

cli::ReplayPage replay_page(const Recording<Asteroids>& game, const std::string& players) {
  return {.program = "arcade",
          .title = "Asteroids",
          .players = players,
          .end = end_text(game),
          .view_box = "0 0 640 480",
          .legend = legend_of(game.rules, !game.plans.empty()),
          .step = "tick",
          .score = "Score",
          .style = kAsteroidsStyle,
          .script = kAsteroidsScript,
          .data = data_of(game)};
}

}  // namespace ntune::arcade
