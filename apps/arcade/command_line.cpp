#include "apps/arcade/command_line.h"

#include <fmt/format.h>

#include "apps/arcade/reproduce_plot.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::arcade {

namespace {

constexpr std::int64_t kMostGames = 10'000'000;

}  // namespace

CommandLine::CommandLine()
    : Program("arcade", fmt::format("arcade of ntune {}", kVersion),
              "arcade is a laboratory for Planet Wars and Asteroids, the games that NTBEA was\n"
              "published on, and for the agents that play them.",
              "Start with: arcade play asteroids --replay game.html\n"
              "Exit codes: 0 done, 2 wrong input, 130 interrupted.") {
  add_play();
  add_experiments();
  add_agents();
  add_reproduce();
}

void CommandLine::add_play() {
  CLI::App* command =
      add_command("play", "play one game, draw it, and record it for a browser",
                  [this](const Terminal& terminal) { return play_command(play, terminal); });
  add_game_argument(*command, play.game.game);
  add_player_options(*command, play.game);
  command
      ->add_option("--replay", play.replay,
                   "HTML file that plays the game in any browser, without a network")
      ->type_name("FILE");
  command
      ->add_option("--plot", play.plot,
                   "file for a picture of the game's course, ending in .svg, .pdf or .png")
      ->type_name("FILE");
  cli::add_number<std::int64_t>(*command, "--every", play.every,
                                "draw the game after every N ticks, not only at the end", 1,
                                1'000'000);
  cli::add_number<int>(*command, "--fps", play.fps,
                       "ticks a second of the animation on a terminal; 0: none (default 25)", 0,
                       1000);
  cli::add_format(*command, play.output.format);
  command->add_flag("--quiet", play.output.quiet, "no animation and no notes, only the result");
}

void CommandLine::add_experiments() {
  CLI::App* command =
      add_command("match", "let two agents of Planet Wars play from both sides",
                  [this](const Terminal& terminal) { return match_command(match, terminal); });
  add_player_options(*command, match.game);
  cli::add_number<std::int64_t>(*command, "--games", match.games,
                                "games, two on each map (default 200)", 1, kMostGames);
  command->add_flag("--one-side", match.one_side,
                    "the agent is always player 1, who moves first; a map a game");
  cli::add_output_options(*command, match.output);

  command =
      add_command("score", "measure how well an agent plays, by the games of `ntune eval`",
                  [this](const Terminal& terminal) { return score_command(score, terminal); });
  add_game_argument(*command, score.game.game);
  add_player_options(*command, score.game);
  cli::add_number<std::int64_t>(*command, "--games", score.games, "games (default 100)", 1,
                                kMostGames);
  cli::add_output_options(*command, score.output);
}

void CommandLine::add_agents() {
  CLI::App* command =
      add_command("agents", "list agents and rules with their options",
                  [this](const Terminal& terminal) { return agents_command(agents, terminal); });
  std::vector<std::string> names;
  for (const AgentKind& kind : agent_kinds()) names.push_back(kind.name);
  command->add_option("agent", agents.name, "one agent alone")
      ->check(cli::one_of(names))
      ->type_name("NAME");
  cli::add_format(*command, agents.format);
}

void CommandLine::add_reproduce() {
  CLI::App* command = add_command(
      "reproduce", "print Table 2 or 3 of Goodman and Lucas (2020) beside ours",
      [this](const Terminal& terminal) { return reproduce_command(reproduce, plot, terminal); });
  command->add_option("table", reproduce.table, "2 or 3")
      ->required()
      ->check(cli::one_of({"2", "3"}))
      ->type_name("TABLE");
  const auto& games = game_names();
  cli::add_choice<Game>(
      *command, "--game", [this](const Game& game) { reproduce.game = game; },
      "planet_wars or asteroids (default both of table 2, planet_wars of table 3)",
      {games.begin(), games.end()});
  command
      ->add_option("--configs", reproduce.configs,
                   "the folder configs of ntune's source (default configs)")
      ->type_name("DIR");
  cli::add_number<std::int64_t>(*command, "--runs", reproduce.runs,
                                "runs for each line of Table 2 (default 100 and 65)", 2, 100'000);
  cli::add_real(*command, "--scale", reproduce.scale,
                "factor of all numbers of games of Table 3 (default 0.01; 1 takes hours)", 0.002,
                1.0);
  cli::add_number<std::int64_t>(*command, "--repeats", reproduce.repeats,
                                "times that Table 3 is played, for the intervals (default 5)", 1,
                                10'000);
  command
      ->add_option("--from", reproduce.from,
                   "folder of ntune run …/ntbea_table_3_GAME.yaml --out FOLDER, read in place of "
                   "a run of Table 3")
      ->type_name("FOLDER");
  cli::add_number<std::int64_t>(*command, "--seed", reproduce.seed, "seed (default the study's)", 0,
                                cli::kLargestSeed);
  command->add_option("--plot", plot, "file for the figure, ending in .svg, .pdf or .png")
      ->type_name("FILE");
  cli::add_output_options(*command, reproduce.output);
}

}  // namespace ntune::arcade
