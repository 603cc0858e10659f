#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

constexpr std::size_t kMoments = 6;

std::vector<std::size_t> moments(std::size_t ticks) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < kMoments; ++i) list.push_back(i * ticks / (kMoments - 1));
  return list;
}

/// Line by line, a number of every state.
struct Course {
  const char* title;
  std::vector<Line> lines;
};
template <class State, class Number>
Line line_over_time(const Recording<State>& game, int colour, Number number) {
  Line line{.colour = colour, .width = 1.8, .steps = true};
  for (std::size_t t = 0; t < game.states.size(); ++t) {
    const double y = number(game.states[t]);
    const bool same = line.points.size() > 1 && line.points.back().y == y &&
                      line.points[line.points.size() - 2].y == y;
    if (same) line.points.pop_back();
    line.points.push_back({static_cast<double>(t), y});
  }
  return line;
}
Panel course_panel(const Course& course, std::size_t ticks) {
  Panel panel{.title = course.title, .x = {.label = "tick"}};
  panel.x.high = static_cast<double>(std::max<std::size_t>(1, ticks));
  double lowest = 0.0;
  double highest = 1.0;
  for (const Line& line : course.lines) {
    for (const Place& place : line.points) {
      lowest = std::min(lowest, place.y);
      highest = std::max(highest, place.y);
    }
    panel.marks.emplace_back(line);
  }
  constexpr double kRoom = 0.05;
  panel.y.low = lowest < 0.0 ? lowest - kRoom * (highest - lowest) : 0.0;
  panel.y.high = highest + kRoom * (highest - lowest);
  return panel;
}

Panel map_panel(std::size_t tick, Axis x, Axis y) {
  x.hidden = y.hidden = true;
  return {.title = fmt::format("tick {}", tick), .x = std::move(x), .y = std::move(y)};
}

Line circle(double x, double y, double radius, int colour) {
  constexpr int kCorners = 24;
  Line line{.colour = colour, .width = 1.2};
  for (int i = 0; i <= kCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCorners;
    line.points.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return line;
}

Figure figure_of(const std::string& title, double height) {
  Figure figure{.name = "course", .title = title};
  figure.panel_width = 150.0;
  figure.panel_height = height;
  figure.share_margins = false;
  return figure;
}

// Planet Wars.

int owner_colour(double ships) { return ships > 0.0 ? 0 : ships < 0.0 ? 1 : kSoft; }

Panel planets_panel(const PlanetWars& state, std::size_t tick, double most) {
  constexpr double kReach = 1.5;
  constexpr double kLabels = 1.36;   // distance from the middle
  constexpr double kLargest = 16.0;  // pixels
  Panel panel = map_panel(tick, {.low = -kReach, .high = kReach}, {.low = -kReach, .high = kReach});
  const auto radius = [&](double ships) {
    return 2.0 + kLargest * std::sqrt(std::abs(ships) / most);
  };
  for (int planet = 0; planet < state.planets(); ++planet) {
    const double angle = 2.0 * std::numbers::pi * planet / state.planets() - 0.5 * std::numbers::pi;
    const Place at{std::cos(angle), -std::sin(angle)};
    const double ships = state.ships(planet);
    panel.marks.emplace_back(Dot{
        .at = at,
        .colour = owner_colour(ships),
        .radius = radius(ships),
        .hollow = ships == 0.0,
        .tip = fmt::format("planet {}: {:.1f} ships of {}, growth {:.3f}", planet, std::abs(ships),
                           ships > 0.0   ? "player 1"
                           : ships < 0.0 ? "player 2"
                                         : "nobody",
                           state.growth(planet))});
    panel.marks.emplace_back(Note{.at = {kLabels * at.x, kLabels * at.y},
                                  .text = fmt::format("{:.0f}", std::abs(ships)),
                                  .anchor = Note::Anchor::kMiddle,
                                  .dy = 4.0});
  }
  for (int player = 0; player < PlanetWars::kPlayers; ++player) {
    const Place at{player == 0 ? -0.3 : 0.3, 0.0};
    panel.marks.emplace_back(Dot{.at = at,
                                 .colour = player,
                                 .radius = radius(state.buffer(player)),
                                 .hollow = true,
                                 .tip = fmt::format("{:.1f} ships in the buffer of player {}",
                                                    state.buffer(player), player + 1)});
  }
  return panel;
}

double ships_of(const PlanetWars& state, int player) {
  double ships = state.buffer(player);
  const double sign = player == 0 ? 1.0 : -1.0;
  for (int planet = 0; planet < state.planets(); ++planet) {
    ships += std::max(0.0, sign * state.ships(planet));
  }
  return ships;
}

double planets_of(const PlanetWars& state, int player) {
  const double sign = player == 0 ? 1.0 : -1.0;
  int planets = 0;
  for (int planet = 0; planet < state.planets(); ++planet) {
    planets += sign * state.ships(planet) > 0.0 ? 1 : 0;
  }
  return planets;
}

// Asteroids.

/// Where the ship was; a new line wherever it left the board or began anew.
void add_way(Panel& panel, const Recording<Asteroids>& game, std::size_t from, std::size_t to) {
  constexpr double kLongestStep = 60.0;
  Line way{.colour = 0, .width = 1.0, .opacity = 0.7};
  for (std::size_t t = from; t <= to; ++t) {
    const AsteroidsBody& ship = game.states[t].ship();
    const Place at{static_cast<double>(ship.x), static_cast<double>(ship.y)};
    if (!way.points.empty() &&
        std::hypot(at.x - way.points.back().x, at.y - way.points.back().y) > kLongestStep) {
      panel.marks.emplace_back(way);
      way.points.clear();
    }
    way.points.push_back(at);
  }
  panel.marks.emplace_back(way);
}

void add_ship(Panel& panel, const Asteroids& state) {
  constexpr double kRear = 140.0 / 180.0 * std::numbers::pi;
  constexpr double kRadius = 18.0;
  const double ahead = 2.0 * std::numbers::pi * state.heading() / Asteroids::kHeadings;
  Line ship{.colour = 1, .width = 2.0, .tip = "ship"};
  for (const double angle : {ahead, ahead + kRear, ahead - kRear, ahead}) {
    ship.points.push_back({static_cast<double>(state.ship().x) + kRadius * std::sin(angle),
                           static_cast<double>(state.ship().y) - kRadius * std::cos(angle)});
  }
  panel.marks.emplace_back(std::move(ship));
}

Panel board_panel(const Recording<Asteroids>& game, std::size_t from, std::size_t tick) {
  const Asteroids& state = game.states[tick];
  constexpr auto kWidth = static_cast<double>(Asteroids::kWidth);
  constexpr auto kHeight = static_cast<double>(Asteroids::kHeight);
  Panel panel = map_panel(tick, {.low = 0.0, .high = kWidth},
                          {.low = 0.0, .high = kHeight, .reversed = true});
  panel.marks.emplace_back(
      Line{.points = {{0, 0}, {kWidth, 0}, {kWidth, kHeight}, {0, kHeight}, {0, 0}},
           .colour = kSoft,
           .width = 1.0});
  for (int i = 0; i < state.rocks(); ++i) {
    const AsteroidsBody rock = state.rock(i);
    const auto size = static_cast<std::size_t>(state.rock_size(i));
    panel.marks.emplace_back(circle(static_cast<double>(rock.x), static_cast<double>(rock.y),
                                    static_cast<double>(Asteroids::kRockRadius[size]), kInk));
  }
  for (int i = 0; i < state.missiles(); ++i) {
    const AsteroidsBody missile = state.missile(i);
    panel.marks.emplace_back(
        Dot{.at = {static_cast<double>(missile.x), static_cast<double>(missile.y)},
            .colour = 1,
            .radius = 1.5});
  }
  add_way(panel, game, from, tick);
  add_ship(panel, state);
  return panel;
}

}  // namespace

Figure course_figure(const Recording<PlanetWars>& game, const std::string& title) {
  constexpr double kSquare = 205.0;
  Figure figure = figure_of(title, kSquare);
  // 1. The map at six moments; the size of a planet is its share of the most ships.
  double most = 1.0;
  for (const PlanetWars& state : game.states) {
    for (int planet = 0; planet < state.planets(); ++planet) {
      most = std::max(most, std::abs(state.ships(planet)));
    }
  }
  for (const std::size_t tick : moments(game.ticks())) {
    figure.panels.push_back(planets_panel(game.states[tick], tick, most));
  }
  // 2. Ships, planets and the lead over time.
  const auto both = [&](const char* name, double (*number)(const PlanetWars&, int)) {
    Course course{.title = name, .lines = {}};
    for (const int player : {0, 1}) {
      course.lines.push_back(line_over_time(
          game, player, [&](const PlanetWars& state) { return number(state, player); }));
    }
    figure.panels.push_back(course_panel(course, game.ticks()));
  };
  both("ships", ships_of);
  both("planets", planets_of);
  Course lead{.title = "lead of player 1, ships",
              .lines = {line_over_time(game, kInk,
                                       [](const PlanetWars& state) { return lead_of(state); })}};
  figure.panels.push_back(course_panel(lead, game.ticks()));
  for (std::size_t player = 0; player < game.players.size(); ++player) {
    figure.legend.push_back(
        {fmt::format("player {}: {}", player + 1, printable(game.players[player].text, 40)),
         static_cast<int>(player), LegendEntry::Shape::kDot});
  }
  figure.description =
      fmt::format("{}; owners of the planets at {} moments, ships and planets over {} ticks. {}",
                  title, kMoments, game.ticks(), end_text(game));
  return figure;
}

Figure course_figure(const Recording<Asteroids>& game, const std::string& title) {
  constexpr double kHeight = 154.0;
  Figure figure = figure_of(title, kHeight);
  std::size_t before = 0;
  for (const std::size_t tick : moments(game.ticks())) {
    figure.panels.push_back(board_panel(game, before, tick));
    before = tick;
  }
  const auto one = [&](const char* name, auto number) {
    figure.panels.push_back(
        course_panel({.title = name, .lines = {line_over_time(game, 0, number)}}, game.ticks()));
  };
  one("score", [](const Asteroids& state) { return static_cast<double>(state.score()); });
  one("rocks", [](const Asteroids& state) { return static_cast<double>(state.rocks()); });
  one("lives", [](const Asteroids& state) { return static_cast<double>(state.lives()); });
  figure.legend = {{"ship and missiles", 1}, {"way since the picture before", 0}, {"rocks", kInk}};
  figure.description = fmt::format(
      "{}; rocks and the ship's way at {} moments, score, rocks and lives over {} "
      "ticks. {}",
      title, kMoments, game.ticks(), end_text(game));
  return figure;
}

}  // namespace ntune::arcade
