#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/common/program.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::bao {

namespace {

constexpr const char* kPositionHelp =
    "opening (default), or \"b8 … b1/a8 … a1/A1 … A8/B1 … B8 st S,N h SN South tk -\"";

void visit_position(Flags& flags, std::string& position) {
  flags.value("--position", position, "POSITION", kPositionHelp);
}

void visit_judge(Flags& flags, std::string& judge) {
  flags.value("--judge", judge, "PLAYER",
              "player whose evaluation and depth value moves (default default:depth=6)");
}

void visit_folder(Flags& flags, std::string& folder) {
  flags.value("--folder", folder, "DIR",
              "folder of weights files and start positions (default configs/bao)");
}

}  // namespace

void StartArguments::visit(Flags& flags) {
  flags.value("--starts", file, "FILE",
              "CSV file of start positions (default start_positions.csv of the folder)");
  flags
      .number("--random", random, 1, 10'000'000,
              "so many random start positions instead: ten random moves of each player from the "
              "opening")
      .excludes("--starts");
}

void GamesArguments::visit(Flags& flags) {
  flags.number("--repeats", repeats, 1, 1'000'000, "games from each start position (default 1)");
  starts.visit(flags);
  visit_folder(flags, folder);
  flags.seed(seed);
}

void PerftArguments::visit(Flags& flags) {
  visit_position(flags, position);
  flags.number("--depth", depth, 1, 60, "moves (default 1)");
  flags.flag("--divide", divide, "the number of each first move too");
  flags.threads(threads);
  flags.format(format);
}

void ReplayArguments::visit(Flags& flags) {
  flags.value("transcript", file, "FILE", "file; configs/bao/figure_5.txt is one").required();
  visit_position(flags, position);
  flags.number("--until", until, 1, 1'000'000, "the first so many moves only (default all)");
  flags.flag("--steps", steps, "the board after each step of the last move");
  visit_judge(flags, judge);
  visit_folder(flags, folder);
  flags.replay(replay);
  flags.format(format);
}

void PlayArguments::visit(Flags& flags) {
  visit_position(flags, position);
  flags.value("--south", south, "PLAYER", "person (default) or a player");
  flags.value("--north", north, "PLAYER", "a player (default default:depth=6) or person");
  visit_judge(flags, judge);
  visit_folder(flags, folder);
  flags.replay(replay);
  flags.seed(seed);
}

void MatchArguments::visit(Flags& flags) {
  flags.value("player", player, "PLAYER", "who").required();
  flags.value("opponent", opponent, "PLAYER", "against whom").required();
  flags.flag("--one-side", one_side, "the player is always South");
  GamesArguments::visit(flags);
  flags.output(output);
}

void TrainArguments::visit(Flags& flags) {
  const std::vector<std::string> names = training_names();
  flags.value("training", training, "NAME", list_text(names)).required().one_of(names);
  flags.value("file", file, "FILE", "YAML file of its options; of ntbea: a study").required();
  flags.value("--out", out, "WEIGHTS", "weights file to be written").required();
  flags.flag("--resume", resume, "go on with an interrupted training");
  flags.output(output);
}

void ReproduceArguments::visit(Flags& flags) {
  visit_experiment(flags, experiments());
  flags
      .value("--players", players, "NAMES",
             "players of the paper, with commas (default all that have a weights file)")
      .commas();
  flags.value("--reading", reading, "READING",
              "reading of opponent-model search, option=value,option=value: probe_horizon, "
              "probe_roles, opponent_ties, speculation, own_extension, window_reduction, "
              "own_ties, deviation, risk_avoidance");
  flags
      .value("--tournaments", tournaments, "N",
             "tournaments of readings, with commas (default 3,4,5,6,7,8)")
      .commas()
      .whole_from(3, 8);
  flags.value("--out", out, "FILE",
              "CSV file that keeps the result of every match, from which a broken off reproduction "
              "goes on");
  GamesArguments::visit(flags);
  visit_output(flags);
}

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "bao", fmt::format("bao of ntune {}", kVersion),
      "bao is a laboratory for Zanzibar Bao: the experiments of Donkers, van den Herik and\n"
      "Uiterwijk (2005) on opponent-model search, and evaluations that are learned.\n"
      "A player is EVALUATION:option=value,option=value, such as default:depth=8 or\n"
      "material:search=opponent_model,depth=7,probe_depth=7.",
      "Start with: bao match default material\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  program.add("perft", "count the lines of N moves from a position", perft_command);
  program.add("replay",
              "check a transcript in the paper's notation, show its last move step by step",
              replay_command);
  program.add("play", "play a game yourself, or watch two agents", play_command);
  program.add("match", "let two players play from both sides", match_command);
  program.add("train", "learn an evaluation and write it as a weights file", train_command);
  program.add("reproduce", "print Tables 1 to 10 of Donkers et al. (2005) beside ours",
              reproduce_command);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::bao
