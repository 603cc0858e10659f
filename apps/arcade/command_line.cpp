#include "apps/arcade/command_line.h"

#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/arcade/options.h"
#include "apps/common/options.h"
#include "apps/common/program.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::arcade {

namespace {

constexpr std::int64_t kMostGames = 10'000'000;

void add_play(cli::Program& program) {
  const auto [command, play] = program.add<PlayArguments>(
      "play", "play one game, draw it, and record it for a browser", play_command);
  add_game_argument(command, play.game.game);
  add_player_options(command, play.game);
  command
      .add_option("--replay", play.replay,
                  "HTML file that plays the game in any browser, without a network")
      ->type_name("FILE");
  command.add_flag("--plans", play.plans, "the replay can draw what the players mean to do next");
  command
      .add_option("--plot", play.plot,
                  "file for a picture of the game's course, ending in .svg, .pdf or .png")
      ->type_name("FILE");
  cli::add_number<std::int64_t>(command, "--every", play.every,
                                "draw the game after every N ticks, not only at the end", 1,
                                1'000'000);
  cli::add_number<int>(command, "--fps", play.fps,
                       "ticks a second of the animation on a terminal; 0: none (default 25)", 0,
                       1000);
  cli::add_format(command, play.output.format);
  command.add_flag("--quiet", play.output.quiet, "no animation and no notes, only the result");
}

void add_match(cli::Program& program) {
  const auto [command, match] = program.add<MatchArguments>(
      "match", "let two agents of Planet Wars play from both sides", match_command);
  add_player_options(command, match.game);
  cli::add_number<std::int64_t>(command, "--games", match.games,
                                "games, two on each map (default 200)", 1, kMostGames);
  command.add_flag("--one-side", match.one_side,
                   "the agent is always player 1, who moves first; every game has another map");
  cli::add_output_options(command, match.output);
}

void add_score(cli::Program& program) {
  const auto [command, score] = program.add<ScoreArguments>(
      "score", "measure how well an agent plays, by the games of `ntune eval`", score_command);
  add_game_argument(command, score.game.game);
  add_player_options(command, score.game);
  cli::add_number<std::int64_t>(command, "--games", score.games, "games (default 100)", 1,
                                kMostGames);
  cli::add_output_options(command, score.output);
}

void add_agents(cli::Program& program) {
  const auto [command, agents] = program.add<AgentsArguments>(
      "agents", "list agents and rules with their options", agents_command);
  std::vector<std::string> names;
  for (const AgentKind& kind : agent_kinds()) names.push_back(kind.name);
  command.add_option("agent", agents.name, "one agent alone")
      ->check(cli::one_of(names))
      ->type_name("NAME");
  cli::add_format(command, agents.format);
}

void add_reproduce(cli::Program& program) {
  const auto [command, reproduce] = program.add<ReproduceArguments>(
      "reproduce", "print Table 2 or 3 of Goodman and Lucas (2020) beside ours", reproduce_command);
  cli::add_experiment_options(command, "experiment", reproduce.table, experiment_names(),
                              reproduce.list);
  const auto& games = game_names();
  cli::add_choice<Game>(
      command, "--game", reproduce.game,
      "planet_wars or asteroids (default both of table 2, planet_wars of table 3)",
      {games.begin(), games.end()});
  command
      .add_option("--configs", reproduce.configs,
                  "the folder configs of ntune's source (default configs)")
      ->type_name("DIR");
  cli::add_number<std::int64_t>(
      command, "--runs", reproduce.runs,
      "runs for each line of Table 2 and of fig3, fig4 (default 100 and 65)", 2, 100'000);
  cli::add_real(command, "--scale", reproduce.scale,
                "factor of all numbers of games of Table 3 (default 0.01; 1 takes hours)", 0.002,
                1.0);
  cli::add_number<std::int64_t>(command, "--repeats", reproduce.repeats,
                                "times that Table 3 is played, for the intervals (default 5)", 1,
                                10'000);
  command
      .add_option("--from", reproduce.from,
                  "folder of ntune run …/ntbea_table_3_GAME.yaml --out FOLDER, read in place of "
                  "a run of Table 3")
      ->type_name("FOLDER");
  cli::add_number<std::int64_t>(command, "--seed", reproduce.seed, "seed (default the study's)", 0,
                                cli::kLargestSeed);
  cli::add_plot_option(command, reproduce.plot);
  cli::add_output_options(command, reproduce.output);
}

}  // namespace

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "arcade", fmt::format("arcade of ntune {}", kVersion),
      "arcade is a laboratory for Planet Wars and Asteroids, the games that NTBEA was\n"
      "published on, and for the agents that play them.",
      "Start with: arcade play asteroids --replay game.html\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  add_play(program);
  add_match(program);
  add_score(program);
  add_agents(program);
  add_reproduce(program);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::arcade
