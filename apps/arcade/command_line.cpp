#include <map>

#include <fmt/format.h>

#include "apps/arcade/commands.h"
#include "apps/common/program.h"
#include "ntune/version.h"

namespace ntune::arcade {

namespace {

constexpr std::int64_t kMostGames = 10'000'000;

std::map<std::string, Game> games() { return {game_names().begin(), game_names().end()}; }

}  // namespace

void GameArguments::visit(Flags& flags) {
  flags.value(
      "--agent", agent, "AGENT",
      "who plays: NAME or NAME:option=value,option=value (default rhea; see arcade agents)");
  flags
      .value("--from", from, "DIR",
             "folder of a study: its recommendation plays as the agent, against its opponent and "
             "by its rules")
      .excludes("--agent");
  flags.value("--opponent", opponent, "AGENT", "player 2 of Planet Wars, likewise (default 2020)");
  flags.value("--rules", rules, "RULES",
              "rules other than the published ones, option=value,option=value");
  flags.seed(seed);
}

void GameArguments::visit_with_game(Flags& flags) {
  flags.choice<Game>("game", game, "planet_wars or asteroids", games()).required();
  visit(flags);
}

void PlayArguments::visit(Flags& flags) {
  game.visit_with_game(flags);
  flags.replay(replay);
  flags.flag("--plans", plans, "the replay can draw what the players mean to do next");
  flags.number("--every", every, 1, 1'000'000,
               "draw the game after every N ticks, not only at the end");
  flags.number("--fps", fps, 0, 1000,
               "ticks a second of the animation on a terminal; 0: none (default 25)");
  flags.format(output.format);
  flags.quiet(output.quiet, "no animation and no notes, only the result");
}

void MatchArguments::visit(Flags& flags) {
  game.visit(flags);
  flags.number("--games", games, 1, kMostGames, "games, two on each map (default 200)");
  flags.flag("--one-side", one_side,
             "the agent is always player 1, who moves first; every game has another map");
  flags.output(output);
}

void ScoreArguments::visit(Flags& flags) {
  game.visit_with_game(flags);
  flags.number("--games", games, 1, kMostGames, "games (default 100)");
  flags.output(output);
}

void AgentsArguments::visit(Flags& flags) {
  std::vector<std::string> names;
  for (const AgentKind& kind : agent_kinds()) names.push_back(kind.name);
  flags.value("agent", name, "NAME", "one agent alone").one_of(names);
  flags.format(format);
}

void ReproduceArguments::visit(Flags& flags) {
  visit_experiment(flags, experiments());
  flags.choice<Game>("--game", game,
                     "planet_wars or asteroids (default both of table 2, planet_wars of table 3)",
                     games());
  flags.value("--configs", configs, "DIR",
              "the folder configs of ntune's source (default configs)");
  flags.number("--runs", runs, 2, 100'000,
               "runs for each line of Table 2 and of fig3, fig4 (default 100 and 65)");
  flags.real("--scale", scale, 0.002, 1.0,
             "factor of all numbers of games of Table 3 (default 0.01; 1 takes hours)");
  flags.number("--repeats", repeats, 1, 10'000,
               "times that Table 3 is played, for the intervals (default 5)");
  flags.value("--from", from, "FOLDER",
              "folder of ntune run …/ntbea_table_3_GAME.yaml --out FOLDER, read in place of a run "
              "of Table 3");
  flags.number("--seed", seed, 0, cli::kLargestSeed, "seed (default the study's)");
  visit_output(flags);
}

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "arcade", fmt::format("arcade of ntune {}", kVersion),
      "arcade is a laboratory for Planet Wars and Asteroids, the games that NTBEA was\n"
      "published on, and for the agents that play them.",
      "Start with: arcade play asteroids --replay game.html\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  program.add("play", "play one game, draw it, and record it for a browser", play_command);
  program.add("match", "let two agents of Planet Wars play from both sides", match_command);
  program.add("score", "measure how well an agent plays, by the games of `ntune eval`",
              score_command);
  program.add("agents", "list agents and rules with their options", agents_command);
  program.add("reproduce", "print Table 2 or 3 of Goodman and Lucas (2020) beside ours",
              reproduce_command);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::arcade
