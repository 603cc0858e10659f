#include "apps/slide3/command_line.h"

#include <fmt/format.h>

#include "apps/slide3/reproduce_plot.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::slide3 {

namespace {

constexpr const char* kPositionHelp =
    "start (default), win, codes such as 115/987654321, or the squares row by row";

void add_k(CLI::App& command, int& k) {
  cli::add_number<int>(command, "--k", k, "tiles a side: 2 or 3 (default 3)", 2, 3);
}

}  // namespace

CommandLine::CommandLine()
    : Program(
          "slide3", fmt::format("slide3 of ntune {}", kVersion),
          "slide3 is a laboratory for randomised evaluations in the sliding puzzle SlideThree:\n"
          "the experiments of S. Heuser's thesis (2003) and of Althöfer and Heuser (2005).",
          "Start with: slide3 autoplay --eval Eu --randomisation add --intensity 0.1\n"
          "Exit codes: 0 done, 2 wrong input, 3 no way found (four solve), 130 interrupted.") {
  add_positions();
  add_experiments();
  add_games();
  add_play();
  add_four();
  add_reproduce();
}

void CommandLine::add_positions() {
  CLI::App* command = add_command(
      "database", "compute every position's distance to win (DTW) and print the distribution",
      [this](const Terminal& terminal) { return database_command(database, terminal); });
  add_k(*command, database.k);
  command->add_option("--out", database.out, "file that other commands take with --database")
      ->type_name("FILE");
  add_database_option(*command, database.file);
  add_output_options(*command, database.output);

  command = add_command(
      "sample", "draw positions and print them as pattern and order codes, two lines each",
      [this](const Terminal& terminal) { return sample_command(sample, terminal); });
  add_drawing_options(*command, sample.sample);
  command->add_option("--out", sample.out, "file instead of standard output")->type_name("FILE");
  cli::add_number<int>(*command, "--threads", sample.threads, "threads; 0: one per core", 0,
                       cli::kMostThreads);

  command =
      add_command("solve", "a shortest way from a position to Win",
                  [this](const Terminal& terminal) { return solve_command(solve, terminal); });
  command->add_option("position", solve.position, kPositionHelp)->type_name("POSITION");
  add_k(*command, solve.k);
  add_database_option(*command, solve.database);
  add_output_options(*command, solve.output);

  command =
      add_command("verify", "try out a way to Win that a file holds, of SlideTwo, Three or Four",
                  [this](const Terminal& terminal) { return verify_command(verify, terminal); });
  command->add_option("file", verify.file, "file as solve prints it")
      ->required()
      ->type_name("FILE");
  cli::add_format(*command, verify.format);
}

void CommandLine::add_experiments() {
  CLI::App* command =
      add_command("moves", "measure how often the least value is of a move nearer to Win (Hits)",
                  [this](const Terminal& terminal) { return moves_command(moves, terminal); });
  command->add_option("--depth", moves.depths, "search depth, or several such as 1-8 (default 5)")
      ->type_name("N");
  add_player_options(*command, moves.player);
  add_sample_options(*command, moves.sample);
  add_output_options(*command, moves.output);
}

void CommandLine::add_games() {
  CLI::App* command = add_command(
      "autoplay", "play a game from every position of a sample and count those that reach Win",
      [this](const Terminal& terminal) { return autoplay_command(autoplay, terminal); });
  command->add_option("--search", autoplay.search, "depth (default), astar or idastar")
      ->check(cli::one_of({"depth", "astar", "idastar"}))
      ->type_name("NAME");
  cli::add_number<int>(*command, "--depth", autoplay.depth,
                       "depth of the depth search in moves (default 5)", 1, kDeepestSlideSearch);
  cli::add_number<std::int64_t>(
      *command, "--evaluations", autoplay.evaluations,
      "evaluations of a move at most, for astar and idastar (default 1000)",
      BestFirstPlayer::kFewestEvaluations, BestFirstPlayer::kMostEvaluations);
  cli::add_real(*command, "--h-weight", autoplay.weight,
                "weight of the evaluation, for astar and idastar (default 1)", 0.0, 1e6);
  const auto& targets = best_first_target_names();
  cli::add_choice<BestFirstTarget>(
      *command, "--target", [this](const BestFirstTarget& target) { autoplay.target = target; },
      "where astar and idastar go without a way to Win: total (least f) or value (least h, "
      "default)",
      {targets.begin(), targets.end()});
  cli::add_number<int>(*command, "--moves", autoplay.moves, "most moves of a game (default 100)", 1,
                       1'000'000);
  command->add_flag_callback(
      "--no-fat", [this] { autoplay.count_fat = false; },
      "do not count ties and fat moves, for which randomised players search twice");
  add_player_options(*command, autoplay.player);
  add_sample_options(*command, autoplay.sample);
  add_output_options(*command, autoplay.output);
}

void CommandLine::add_play() {
  CLI::App* command =
      add_command("play", "play one game move by move, by yourself or the depth-t player",
                  [this](const Terminal& terminal) { return play_command(play, terminal); });
  command->add_option("position", play.position, kPositionHelp)->type_name("POSITION");
  cli::add_number<int>(*command, "--depth", play.depth, "search depth in moves (default 5)", 1,
                       kDeepestSlideSearch);
  add_player_options(*command, play.player);
  add_seed_option(*command, play.seed);
  add_database_option(*command, play.database);
}

void CommandLine::add_four() {
  CLI::App* four = add_group("four", "SlideFour: levels around Win, a way from Start");
  CLI::App* command = add_command(
      "levels", "count positions by their distance from Win, and say how near Start may be",
      [this](const Terminal& terminal) { return levels_command(levels, terminal); }, four);
  cli::add_number<int>(*command, "--depth", levels.depth, "last distance (default 12)", 0, 40);
  cli::add_number<int>(*command, "--steps", levels.steps,
                       "distances beyond, not counted and without memory for them (default 0)", 0,
                       4);
  add_output_options(*command, levels.output);

  command = add_command(
      "solve", "find a way to Win, not always a shortest one",
      [this](const Terminal& terminal) { return solve_four_command(solve_four, terminal); }, four);
  command->add_option("position", solve_four.position, "as for slide3 solve, of SlideFour")
      ->type_name("POSITION");
  cli::add_number<std::int64_t>(*command, "--width", solve_four.width,
                                "most positions of a level (default 100000)", 1, 1'000'000'000);
  add_seed_option(*command, solve_four.seed);
}

void CommandLine::add_reproduce() {
  CLI::App* command = add_command(
      "reproduce", "print published numbers beside ours",
      [this](const Terminal& terminal) { return reproduce_command(reproduce, plot, terminal); });
  const std::vector<std::string> names = experiment_names();
  command->add_option("experiment", reproduce.experiment, list_text(names))
      ->required()
      ->check(cli::one_of(names))
      ->type_name("NAME");
  cli::add_number<std::int64_t>(*command, "--games", reproduce.games,
                                "games or positions instead of as many as published", 2, 1'000'000);
  cli::add_number<int>(*command, "--last-depth", reproduce.last_depth,
                       "of the choice of moves in ranking: 1 to 10 (default 6)", 1, 10);
  add_search_options(*command, reproduce.search);
  add_seed_option(*command, reproduce.seed);
  add_database_option(*command, reproduce.database);
  command->add_option("--plot", plot, "file for the figure, ending in .svg, .pdf or .png")
      ->type_name("FILE");
  add_output_options(*command, reproduce.output);
}

}  // namespace ntune::slide3
