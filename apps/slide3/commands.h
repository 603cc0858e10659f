#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/terminal.h"
#include "apps/slide3/arguments.h"
#include "apps/slide3/best_first/best_first.h"

namespace ntune::slide3 {

using cli::Terminal;

struct DatabaseArguments {
  int k = 3;
  std::string file;  ///< empty: built
  std::string out;   ///< empty: not written
  OutputArguments output;
};
/// The distribution of the distances to win.
int database_command(const DatabaseArguments& arguments, const Terminal& terminal);

struct DrawArguments {
  SampleArguments sample;
  std::string out;  ///< empty: standard output
  int threads = 0;
};
/// Positions as the thesis's files hold them.
int sample_command(const DrawArguments& arguments, const Terminal& terminal);

struct MovesArguments {
  PlayerArguments player;
  SampleArguments sample;
  std::string depths = "5";  ///< "5" or "1-10"
  OutputArguments output;
};
/// The choice-of-moves experiment, comexp.exe (Heuser 2003, G.2).
int moves_command(const MovesArguments& arguments, const Terminal& terminal);

struct AutoplayArguments {
  PlayerArguments player;
  SampleArguments sample;
  std::string search = "depth";             ///< or a name of best_first_names()
  std::optional<int> depth;                 ///< of the depth-t search; unset: 5
  std::optional<std::int64_t> evaluations;  ///< of a move best first; unset: 1000
  std::optional<double> weight;             ///< of the evaluation best first; unset: 1
  std::optional<BestFirstTarget> target;
  int moves = 100;
  bool count_fat = true;
  OutputArguments output;
};
/// Whole games, autoplay.exe (Heuser 2003, G.3).
int autoplay_command(const AutoplayArguments& arguments, const Terminal& terminal);

struct PlayArguments {
  std::string position = "start";
  PlayerArguments player;
  int depth = 5;
  std::int64_t seed = 1;
  std::string database;
};
/// One game move by move, autoplayIA.exe (Heuser 2003, G.4).
int play_command(const PlayArguments& arguments, const Terminal& terminal);

struct SolveArguments {
  int k = 3;
  std::string position = "start";
  std::string database;
  OutputArguments output;
};
/// A shortest way to Win.
int solve_command(const SolveArguments& arguments, const Terminal& terminal);

struct VerifyArguments {
  std::string file;
  Format format = Format::kText;
};
/// Tries out a way to Win that a file holds.
int verify_command(const VerifyArguments& arguments, const Terminal& terminal);

struct LevelsArguments {
  int depth = 12;
  int steps = 0;       ///< levels beyond, which are tried but not kept
  std::string folder;  ///< that keeps the levels; empty: memory
  OutputArguments output;
};
/// Positions of SlideFour by their distance from Win, and how near Start may be.
int levels_command(const LevelsArguments& arguments, const Terminal& terminal);

struct SolveFourArguments {
  std::string position = "start";
  std::int64_t width = 100'000;
  std::int64_t seed = 1;
};
/// A way to Win of SlideFour.
int solve_four_command(const SolveFourArguments& arguments, const Terminal& terminal);

struct ReproduceArguments {
  std::string experiment;
  bool list = false;                  ///< the papers' claims in place of an experiment
  std::optional<std::int64_t> games;  ///< or positions; unset: as many as published
  std::int64_t seed = 1;
  int last_depth = 6;        ///< of the choice of moves in ranking and moves
  std::optional<int> depth;  ///< of experiments that take one; unset: 5
  std::optional<int> dtw;    ///< likewise; unset: 14
  DepthSearchOptions search = {};
  std::string database;
  std::string plot;  ///< file of a figure; empty: none
  OutputArguments output;
};
/// Names of the experiments that can be reproduced.
std::vector<std::string> experiment_names();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

}  // namespace ntune::slide3
