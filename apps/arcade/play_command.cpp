#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <thread>

#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/arcade/recording.h"
#include "apps/common/rows.h"
#include "ntune/core/clock.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

template <class State>
void record(Recording<State>& game, bool plans, const Rng& rng, Progress& progress) {
  const auto watch = [&](const State& state, const JointAction<State>& actions,
                         const GameAgents<State>& agents) {
    game.states.push_back(state);
    game.actions.push_back(actions);
    if (plans) {
      auto& planned = game.plans.emplace_back();
      for (std::size_t p = 0; p < planned.size(); ++p) planned[p] = agents[p]->planned();
    }
    ++progress.done;
  };
  game.states.push_back(play<State>(game.players, game.rules, rng, progress.stop, watch));
}

/// True if a text of so many lines can be drawn over itself.
bool fits_the_screen(std::ptrdiff_t lines) {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || lines < size.ws_row;
}

/// Plays the game on the terminal, and leaves nothing of it. False if it was interrupted.
template <class State>
bool animate(const Recording<State>& game, int fps, const Terminal& terminal) {
  const std::string first = frame_text(game, 0);
  const auto lines = std::ranges::count(first, '\n');
  if (!fits_the_screen(lines)) return true;
  auto next = Clock::now();
  for (std::size_t tick = 0; tick <= game.ticks() && !terminal.is_interrupted(); ++tick) {
    if (tick > 0) terminal.err << fmt::format("\x1b[{}A", lines);
    for (const char c : frame_text(game, tick)) {
      if (c == '\n') terminal.err << "\x1b[K";
      terminal.err << c;
    }
    terminal.err << std::flush;
    next += std::chrono::microseconds(1'000'000 / fps);
    std::this_thread::sleep_until(next);
  }
  terminal.err << fmt::format("\x1b[{}A\x1b[J", lines) << std::flush;
  return !terminal.is_interrupted();
}

/// Every so many ticks, and the last.
template <class State>
std::vector<std::size_t> shown_ticks(const Recording<State>& game,
                                     std::optional<std::int64_t> every) {
  std::vector<std::size_t> ticks;
  if (every) {
    for (std::size_t t = 0; t < game.ticks(); t += static_cast<std::size_t>(*every)) {
      ticks.push_back(t);
    }
  }
  ticks.push_back(game.ticks());
  return ticks;
}

template <class State>
void print(const Recording<State>& game, const PlayArguments& arguments, std::ostream& out) {
  std::string text = heading_of(arguments.game, game.players) + "\n\n";
  std::vector<Json> rows;
  for (const std::size_t tick : shown_ticks(game, arguments.every)) {
    text += frame_text(game, tick) + '\n';
    rows.push_back({{"tick", tick}, {"score", game.states[tick].score(0)}});
  }
  Json json = game_json(arguments.game, game.players);
  json.update(end_json(game));
  if (arguments.every) json["course"] = rows;
  cli::print_result(out, arguments.output.format, json, rows, text + end_text(game));
}

template <class State>
int play_and_show(const PlayArguments& arguments, const Terminal& terminal) {
  Recording<State> game = {.rules = rules_of<RulesOf<State>>(arguments.game),
                           .players = players_of(arguments.game),
                           .states = {},
                           .actions = {}};
  cli::check_replay(arguments.replay);
  const OutputArguments& output = arguments.output;
  // 1. The whole game is played and recorded.
  cli::watched(game.rules.ticks, "ticks", output, terminal, [&](Progress& progress) {
    record(game, arguments.plans, game_stream(arguments.game.seed, 0), progress);
    return true;
  });
  // 2. Then it is written and drawn in all forms that are asked for.
  const bool is_text = output.format == cli::Format::kText;
  if (!arguments.replay.empty()) {
    cli::write_replay(arguments.replay,
                      replay_page(game, players_text(arguments.game, game.players)), terminal,
                      output.quiet);
  }
  if (terminal.live && is_text && !output.quiet && !arguments.every && arguments.fps > 0 &&
      !animate(game, arguments.fps, terminal)) {
    return cli::kInterrupted;
  }
  print(game, arguments, terminal.out);
  return cli::kDone;
}

}  // namespace

std::string players_text(const GameArguments& arguments, const std::vector<Player>& players) {
  std::string text = printable(players[0].text);
  if (players.size() > 1) text += " against " + printable(players[1].text);
  if (!arguments.rules.empty()) text += ", rules " + printable(arguments.rules);
  return text + fmt::format(", seed {}", arguments.seed);
}

std::string heading_of(const GameArguments& arguments, const std::vector<Player>& players) {
  return fmt::format("{}: {}", game_title(arguments.game), players_text(arguments, players));
}

int play_command(const PlayArguments& arguments, const Terminal& terminal) {
  return arguments.game.game == Game::kPlanetWars ? play_and_show<PlanetWars>(arguments, terminal)
                                                  : play_and_show<Asteroids>(arguments, terminal);
}

}  // namespace ntune::arcade
