#include <fmt/format.h>

#include "apps/common/program.h"
#include "apps/slide3/commands.h"
#include "ntune/core/text.h"
#include "ntune/version.h"

namespace ntune::slide3 {

namespace {

constexpr const char* kPositionHelp =
    "start (default), win, codes such as 115/987654321, or the squares row by row";

void visit_k(Flags& flags, int& k) {
  flags.number("--k", k, 2, 3, "tiles a side: 2 or 3 (default 3); for 4 there is slide3 four");
}

void visit_database(Flags& flags, std::string& file) {
  flags.value("--database", file, "FILE", "file of slide3 database (default: built anew)");
}

void visit_search(Flags& flags, DepthSearchOptions& search) {
  const auto& modes = table_mode_names();
  flags.choice<TableMode>(
      "--table", search.table,
      "what the transposition table holds: all (default), expanded (no leaves) or off",
      {modes.begin(), modes.end()});
  flags.real("--win-value", search.win_value, -kLargestWeight, kLargestWeight,
             "value of Win: -1000 (default), or 0 as in the thesis's first programs");
}

}  // namespace

void SampleArguments::visit_drawing(Flags& flags) {
  constexpr auto kMost = static_cast<std::int64_t>(slide_position_count<3>());
  flags.value("--dtw", dtw, "N", "distance to win of the positions, or all (default 14)");
  flags.number("--count", count, 1, kMost, "number of positions (default 1068)");
  flags.seed(seed);
  visit_database(flags, database);
}

void SampleArguments::visit(Flags& flags) {
  visit_drawing(flags);
  flags.value("--sample", file, "FILE", "file of positions, in place of drawn ones")
      .excludes("--dtw")
      .excludes("--count");
}

void PlayerArguments::visit(Flags& flags) {
  const std::vector<std::string> names = evaluation_names();
  flags.value("--eval", name, "NAME", list_text(names) + " (default Eu)").one_of(names);
  flags.value("--weight", weights, "NAME=X", "a weight of a sum, once for each evaluation in it")
      .one_at_a_time()
      .excludes("--eval");
  flags.choice<Randomisation>(
      "--randomisation", randomisation,
      "how chance enters: none (default), add, mult, norm_plus, norm_minus or comb",
      additive_randomisations());
  flags.real("--intensity", intensity, 0.0, kLargestWeight, "largest random number a").type("A");
  flags.choice<bool>(
      "--interval", both_sides,
      "both: [-a, a], the default for add and mult; positive: [0, a], for the others",
      {{"both", true}, {"positive", false}});
  flags.flag("--rounded", rounded, "the sum to a whole number before chance enters");
  visit_search(flags, search);
}

void DatabaseArguments::visit(Flags& flags) {
  visit_k(flags, k);
  flags.value("--out", out, "FILE", "file that other commands take with --database");
  visit_database(flags, file);
  flags.output(output);
}

void DrawArguments::visit(Flags& flags) {
  sample.visit_drawing(flags);
  flags.value("--out", out, "FILE", "file instead of standard output");
  flags.threads(threads);
}

void SolveArguments::visit(Flags& flags) {
  flags.value("position", position, "POSITION", kPositionHelp);
  visit_k(flags, k);
  visit_database(flags, database);
  flags.output(output);
}

void VerifyArguments::visit(Flags& flags) {
  flags.value("file", file, "FILE", "file as solve prints it").required();
  flags.format(format);
}

void MovesArguments::visit(Flags& flags) {
  flags.value("--depth", depths, "N", "search depth, or several such as 1-8 (default 5)");
  player.visit(flags);
  sample.visit(flags);
  flags.output(output);
}

void AutoplayArguments::visit(Flags& flags) {
  flags.value("--search", search, "NAME", "depth (default), astar or idastar")
      .one_of({"depth", "astar", "idastar"});
  flags.number("--depth", depth, 1, kDeepestSlideSearch,
               "depth of the depth search in moves (default 5)");
  flags.number("--evaluations", evaluations, BestFirstPlayer::kFewestEvaluations,
               BestFirstPlayer::kMostEvaluations,
               "evaluations of a move at most, for astar and idastar (default 1000)");
  flags.real("--h-weight", weight, 0.0, 1e6,
             "weight of the evaluation, for astar and idastar (default 1)");
  const auto& targets = best_first_target_names();
  flags.choice<BestFirstTarget>(
      "--target", target,
      "where astar and idastar go without a way to Win: total (least f) or value (least h, "
      "default)",
      {targets.begin(), targets.end()});
  flags.number("--moves", moves, 1, 1'000'000, "most moves of a game (default 100)");
  flags.flag("--no-fat", no_fat,
             "do not count ties and fat moves, for which randomised players search twice");
  player.visit(flags);
  sample.visit(flags);
  flags.output(output);
}

void PlayArguments::visit(Flags& flags) {
  flags.value("position", position, "POSITION", kPositionHelp);
  flags.number("--depth", depth, 1, kDeepestSlideSearch, "search depth in moves (default 5)");
  flags.number("--moves", moves, 1, 10'000, "the player makes all moves, at most so many");
  player.visit(flags);
  flags.seed(seed);
  visit_database(flags, database);
  flags.replay(replay);
}

void LevelsArguments::visit(Flags& flags) {
  flags.number("--depth", depth, 0, 40, "last distance (default 12)");
  flags.number("--steps", steps, 0, 4,
               "distances beyond, not counted and without memory for them (default 0)");
  flags.value("--folder", folder, "DIR",
              "folder that keeps the last two levels in place of memory, and from which a run "
              "that was broken off goes on");
  flags.output(output);
}

void SolveFourArguments::visit(Flags& flags) {
  flags.value("position", position, "POSITION", "as for slide3 solve, of SlideFour");
  flags.number("--width", width, 1, 1'000'000'000, "most positions of a level (default 100000)");
  flags.seed(seed);
}

void ReproduceArguments::visit(Flags& flags) {
  visit_experiment(flags, experiments());
  flags.number("--games", games, 2, 1'000'000,
               "games or positions instead of as many as published");
  flags.number("--last-depth", last_depth, 1, 10,
               "largest depth of the choice of moves in ranking and moves: 1 to 10 (default 6)");
  flags.number("--depth", depth, 1, 8,
               "moves to look ahead in intensities, 6.4, c, f and reasons (default 5)");
  flags.number("--dtw", dtw, 1, 26,
               "DTW of the positions in intensities, 6.4, f and reasons (default 14)");
  visit_search(flags, search);
  flags.seed(seed);
  visit_database(flags, database);
  visit_output(flags);
}

int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal) {
  cli::Program program(
      "slide3", fmt::format("slide3 of ntune {}", kVersion),
      "slide3 is a laboratory for randomised evaluations in the sliding puzzle SlideThree:\n"
      "the experiments of S. Heuser's thesis (2003) and of Althöfer and Heuser (2005).",
      "Start with: slide3 autoplay --eval Eu --randomisation add --intensity 0.1\n"
      "Exit codes: 0 done, 2 wrong input, 3 no way found (four solve), 130 interrupted.");
  program.add("database",
              "compute every position's distance to win (DTW) and print the distribution",
              database_command);
  program.add("sample", "draw positions and print them as pattern and order codes, two lines each",
              sample_command);
  program.add("solve", "a shortest way from a position to Win", solve_command);
  program.add("verify", "try out a way to Win that a file holds, of SlideTwo, Three or Four",
              verify_command);
  program.add("moves", "measure how often the move with the least value leads nearer to Win (Hits)",
              moves_command);
  program.add("autoplay",
              "play a game from every position of a sample and count those that reach Win",
              autoplay_command);
  program.add("play", "play one game move by move, by yourself or the depth-t player",
              play_command);
  CLI::App* four = program.add_group("four", "SlideFour: levels around Win, a way from Start");
  program.add("levels", "count positions by their distance from Win, and say how near Start may be",
              levels_command, four);
  program.add("solve", "find a way to Win, not always a shortest one", solve_four_command, four);
  program.add("reproduce", "print published numbers beside ours", reproduce_command);
  return program.execute(arguments, terminal);
}

}  // namespace ntune::slide3
