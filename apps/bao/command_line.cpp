#include "apps/bao/command_line.h"

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "apps/bao/options.h"
#include "apps/common/options.h"
#include "apps/common/program.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::bao {

namespace {

constexpr const char* kPositionHelp =
    "opening (default), or \"b8 … b1/a8 … a1/A1 … A8/B1 … B8 st S,N h SN South tk -\"";

void add_position(CLI::App& command, std::string& position) {
  command.add_option("--position", position, kPositionHelp)->type_name("POSITION");
}

void add_repeats(CLI::App& command, std::int64_t& repeats) {
  cli::add_number<std::int64_t>(command, "--repeats", repeats,
                                "games from each start position (default 1)", 1, 1'000'000);
}

void add_judge(CLI::App& command, std::string& judge) {
  command
      .add_option("--judge", judge,
                  "player whose evaluation and depth value moves (default default:depth=6)")
      ->type_name("PLAYER");
}

void add_perft(cli::Program& program) {
  const auto [command, perft] = program.add<PerftArguments>(
      "perft", "count the lines of N moves from a position", perft_command);
  add_position(command, perft.position);
  cli::add_number<int>(command, "--depth", perft.depth, "moves (default 1)", 1, 60);
  command.add_flag("--divide", perft.divide, "the number of each first move too");
  cli::add_number<int>(command, "--threads", perft.threads, "threads; 0: one per core", 0,
                       cli::kMostThreads);
  cli::add_format(command, perft.format);
}

void add_replay(cli::Program& program) {
  const auto [command, replay] = program.add<ReplayArguments>(
      "replay", "check a transcript in the paper's notation, show its last move step by step",
      replay_command);
  command.add_option("transcript", replay.file, "file; configs/bao/figure_5.txt is one")
      ->required()
      ->type_name("FILE");
  add_position(command, replay.position);
  cli::add_number<std::int64_t>(command, "--until", replay.until,
                                "the first so many moves only (default all)", 1, 1'000'000);
  command.add_flag("--steps", replay.steps, "the board after each step of the last move");
  add_judge(command, replay.judge);
  add_folder_option(command, replay.folder);
  cli::add_format(command, replay.format);
}

void add_play(cli::Program& program) {
  const auto [command, play] =
      program.add<PlayArguments>("play", "play a game yourself, or watch two agents", play_command);
  add_position(command, play.position);
  command.add_option("--south", play.south, "person (default) or a player")->type_name("PLAYER");
  command.add_option("--north", play.north, "a player (default default:depth=6) or person")
      ->type_name("PLAYER");
  add_judge(command, play.judge);
  add_folder_option(command, play.folder);
  cli::add_seed_option(command, play.seed);
}

void add_match(cli::Program& program) {
  const auto [command, match] =
      program.add<MatchArguments>("match", "let two players play from both sides", match_command);
  command.add_option("player", match.player, "who")->required()->type_name("PLAYER");
  command.add_option("opponent", match.opponent, "against whom")->required()->type_name("PLAYER");
  command.add_flag("--one-side", match.one_side, "the player is always South");
  add_repeats(command, match.repeats);
  add_start_options(command, match.starts);
  add_folder_option(command, match.folder);
  cli::add_seed_option(command, match.seed);
  cli::add_output_options(command, match.output);
}

void add_tournament(cli::Program& program) {
  const auto [command, tournament] = program.add<TournamentArguments>(
      "tournament", "every evaluation as South against every one as North", tournament_command);
  command
      .add_option("--players", tournament.players,
                  "evaluations, with commas: material, default, ga3, tdl2b, ngnd6a, ntbea27, or "
                  "weights files")
      ->required()
      ->delimiter(',')
      ->type_name("NAMES");
  command
      .add_option("--south", tournament.south,
                  "search of South, option=value,option=value (default depth=6)")
      ->type_name("SEARCH");
  command.add_option("--north", tournament.north, "search of North, likewise")->type_name("SEARCH");
  add_repeats(command, tournament.repeats);
  add_start_options(command, tournament.starts);
  add_folder_option(command, tournament.folder);
  cli::add_seed_option(command, tournament.seed);
  cli::add_output_options(command, tournament.output);
}

void add_train(cli::Program& program) {
  const auto [command, train] = program.add<TrainArguments>(
      "train", "learn an evaluation and write it as a weights file", train_command);
  const std::vector<std::string> names = training_names();
  command.add_option("training", train.training, list_text(names))
      ->required()
      ->check(cli::one_of(names))
      ->type_name("NAME");
  command.add_option("file", train.file, "YAML file of its options; of ntbea: a study")
      ->required()
      ->type_name("FILE");
  command.add_option("--out", train.out, "weights file to be written")
      ->required()
      ->type_name("WEIGHTS");
  command.add_flag("--resume", train.resume, "go on with an interrupted training");
  cli::add_output_options(command, train.output);
}

void add_reproduce(cli::Program& program) {
  const auto [command, reproduce] = program.add<ReproduceArguments>(
      "reproduce", "print Tables 1 to 10 of Donkers et al. (2005) beside ours", reproduce_command);
  cli::add_experiment_options(command, "experiment", reproduce.experiment, experiment_names(),
                              reproduce.list);
  command
      .add_option("--players", reproduce.players,
                  "players of the paper, with commas (default all that have a weights file)")
      ->delimiter(',')
      ->type_name("NAMES");
  command
      .add_option("--reading", reproduce.reading,
                  "reading of opponent-model search, option=value,option=value: probe_horizon, "
                  "probe_roles, opponent_ties, speculation, own_extension, window_reduction, "
                  "own_ties, deviation, risk_avoidance")
      ->type_name("READING");
  command
      .add_option("--tournaments", reproduce.tournaments,
                  "tournaments of readings, with commas (default 3,4,5,6,7,8)")
      ->delimiter(',')
      ->check(cli::whole_number_from(3, 8))
      ->type_name("N");
  command
      .add_option("--out", reproduce.out,
                  "CSV file that keeps the result of every match, from which a broken off "
                  "reproduction goes on")
      ->type_name("FILE");
  add_repeats(command, reproduce.repeats);
  add_start_options(command, reproduce.starts);
  add_folder_option(command, reproduce.folder);
  cli::add_seed_option(command, reproduce.seed);
  cli::add_plot_option(command, reproduce.plot);
  cli::add_output_options(command, reproduce.output);
}

}  // namespace

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "bao", fmt::format("bao of ntune {}", kVersion),
      "bao is a laboratory for Zanzibar Bao: the experiments of Donkers, van den Herik and\n"
      "Uiterwijk (2005) on opponent-model search, and evaluations that are learned.\n"
      "A player is EVALUATION:option=value,option=value, such as default:depth=8 or\n"
      "material:search=opponent_model,depth=7,probe_depth=7.",
      "Start with: bao match default material\n"
      "Exit codes: 0 done, 2 wrong input, 130 interrupted.");
  add_perft(program);
  add_replay(program);
  add_play(program);
  add_match(program);
  add_tournament(program);
  add_train(program);
  add_reproduce(program);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::bao
