#include "apps/slide3/command_line.h"

#include <fmt/format.h>

#include "apps/common/options.h"
#include "apps/common/program.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/options.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::slide3 {

namespace {

constexpr const char* kPositionHelp =
    "start (default), win, codes such as 115/987654321, or the squares row by row";

void add_k(CLI::App& command, int& k) {
  cli::add_number<int>(command, "--k", k,
                       "tiles a side: 2 or 3 (default 3); for 4 there is slide3 four", 2, 3);
}

void add_database(cli::Program& program) {
  const auto [command, database] = program.add<DatabaseArguments>(
      "database", "compute every position's distance to win (DTW) and print the distribution",
      database_command);
  add_k(command, database.k);
  command.add_option("--out", database.out, "file that other commands take with --database")
      ->type_name("FILE");
  add_database_option(command, database.file);
  cli::add_output_options(command, database.output);
}

void add_sample(cli::Program& program) {
  const auto [command, sample] = program.add<DrawArguments>(
      "sample", "draw positions and print them as pattern and order codes, two lines each",
      sample_command);
  add_drawing_options(command, sample.sample);
  command.add_option("--out", sample.out, "file instead of standard output")->type_name("FILE");
  cli::add_number<int>(command, "--threads", sample.threads, "threads; 0: one per core", 0,
                       cli::kMostThreads);
}

void add_solve(cli::Program& program) {
  const auto [command, solve] =
      program.add<SolveArguments>("solve", "a shortest way from a position to Win", solve_command);
  command.add_option("position", solve.position, kPositionHelp)->type_name("POSITION");
  add_k(command, solve.k);
  add_database_option(command, solve.database);
  cli::add_output_options(command, solve.output);
}

void add_verify(cli::Program& program) {
  const auto [command, verify] = program.add<VerifyArguments>(
      "verify", "try out a way to Win that a file holds, of SlideTwo, Three or Four",
      verify_command);
  command.add_option("file", verify.file, "file as solve prints it")->required()->type_name("FILE");
  cli::add_format(command, verify.format);
}

void add_moves(cli::Program& program) {
  const auto [command, moves] = program.add<MovesArguments>(
      "moves", "measure how often the move with the least value leads nearer to Win (Hits)",
      moves_command);
  command.add_option("--depth", moves.depths, "search depth, or several such as 1-8 (default 5)")
      ->type_name("N");
  add_player_options(command, moves.player);
  add_sample_options(command, moves.sample);
  cli::add_output_options(command, moves.output);
}

void add_autoplay(cli::Program& program) {
  const auto [command, autoplay] = program.add<AutoplayArguments>(
      "autoplay", "play a game from every position of a sample and count those that reach Win",
      autoplay_command);
  command.add_option("--search", autoplay.search, "depth (default), astar or idastar")
      ->check(cli::one_of({"depth", "astar", "idastar"}))
      ->type_name("NAME");
  cli::add_number<int>(command, "--depth", autoplay.depth,
                       "depth of the depth search in moves (default 5)", 1, kDeepestSlideSearch);
  cli::add_number<std::int64_t>(
      command, "--evaluations", autoplay.evaluations,
      "evaluations of a move at most, for astar and idastar (default 1000)",
      BestFirstPlayer::kFewestEvaluations, BestFirstPlayer::kMostEvaluations);
  cli::add_real(command, "--h-weight", autoplay.weight,
                "weight of the evaluation, for astar and idastar (default 1)", 0.0, 1e6);
  const auto& targets = best_first_target_names();
  cli::add_choice<BestFirstTarget>(
      command, "--target", autoplay.target,
      "where astar and idastar go without a way to Win: total (least f) or value (least h, "
      "default)",
      {targets.begin(), targets.end()});
  cli::add_number<int>(command, "--moves", autoplay.moves, "most moves of a game (default 100)", 1,
                       1'000'000);
  command.add_flag_callback(
      "--no-fat", [&count_fat = autoplay.count_fat] { count_fat = false; },
      "do not count ties and fat moves, for which randomised players search twice");
  add_player_options(command, autoplay.player);
  add_sample_options(command, autoplay.sample);
  cli::add_output_options(command, autoplay.output);
}

void add_play(cli::Program& program) {
  const auto [command, play] = program.add<PlayArguments>(
      "play", "play one game move by move, by yourself or the depth-t player", play_command);
  command.add_option("position", play.position, kPositionHelp)->type_name("POSITION");
  cli::add_number<int>(command, "--depth", play.depth, "search depth in moves (default 5)", 1,
                       kDeepestSlideSearch);
  add_player_options(command, play.player);
  cli::add_seed_option(command, play.seed);
  add_database_option(command, play.database);
}

void add_levels(cli::Program& program, CLI::App* four) {
  const auto [command, levels] = program.add<LevelsArguments>(
      "levels", "count positions by their distance from Win, and say how near Start may be",
      levels_command, four);
  cli::add_number<int>(command, "--depth", levels.depth, "last distance (default 12)", 0, 40);
  cli::add_number<int>(command, "--steps", levels.steps,
                       "distances beyond, not counted and without memory for them (default 0)", 0,
                       4);
  command
      .add_option("--folder", levels.folder,
                  "folder that keeps the last two levels in place of memory, and from which a run "
                  "that was broken off goes on")
      ->type_name("DIR");
  cli::add_output_options(command, levels.output);
}

void add_solve_four(cli::Program& program, CLI::App* four) {
  const auto [command, solve_four] = program.add<SolveFourArguments>(
      "solve", "find a way to Win, not always a shortest one", solve_four_command, four);
  command.add_option("position", solve_four.position, "as for slide3 solve, of SlideFour")
      ->type_name("POSITION");
  cli::add_number<std::int64_t>(command, "--width", solve_four.width,
                                "most positions of a level (default 100000)", 1, 1'000'000'000);
  cli::add_seed_option(command, solve_four.seed);
}

void add_reproduce(cli::Program& program) {
  const auto [command, reproduce] = program.add<ReproduceArguments>(
      "reproduce", "print published numbers beside ours", reproduce_command);
  cli::add_experiment_options(command, "experiment", reproduce.experiment, experiment_names(),
                              reproduce.list);
  cli::add_number<std::int64_t>(command, "--games", reproduce.games,
                                "games or positions instead of as many as published", 2, 1'000'000);
  cli::add_number<int>(command, "--last-depth", reproduce.last_depth,
                       "largest depth of the choice of moves in ranking and moves: 1 to 10 "
                       "(default 6)",
                       1, 10);
  cli::add_number<int>(command, "--depth", reproduce.depth,
                       "moves to look ahead in intensities, 6.4, c, f and reasons (default 5)", 1,
                       8);
  cli::add_number<int>(command, "--dtw", reproduce.dtw,
                       "DTW of the positions in intensities, 6.4, f and reasons (default 14)", 1,
                       26);
  add_search_options(command, reproduce.search);
  cli::add_seed_option(command, reproduce.seed);
  add_database_option(command, reproduce.database);
  cli::add_plot_option(command, reproduce.plot);
  cli::add_output_options(command, reproduce.output);
}

}  // namespace

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "slide3", fmt::format("slide3 of ntune {}", kVersion),
      "slide3 is a laboratory for randomised evaluations in the sliding puzzle SlideThree:\n"
      "the experiments of S. Heuser's thesis (2003) and of Althöfer and Heuser (2005).",
      "Start with: slide3 autoplay --eval Eu --randomisation add --intensity 0.1\n"
      "Exit codes: 0 done, 2 wrong input, 3 no way found (four solve), 130 interrupted.");
  add_database(program);
  add_sample(program);
  add_solve(program);
  add_verify(program);
  add_moves(program);
  add_autoplay(program);
  add_play(program);
  CLI::App* four = program.add_group("four", "SlideFour: levels around Win, a way from Start");
  add_levels(program, four);
  add_solve_four(program, four);
  add_reproduce(program);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::slide3
