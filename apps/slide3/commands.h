#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/flags.h"
#include "apps/common/reproduction.h"
#include "apps/common/terminal.h"
#include "apps/slide3/best_first/best_first.h"
#include "ntune/core/parallel.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune::slide3 {

using cli::Flags;
using cli::Format;
using cli::OutputArguments;
using cli::rng_of;
using cli::Terminal;

/// Which positions an experiment begins with.
struct SampleArguments {
  std::string file;  ///< empty: drawn
  std::string dtw;   ///< a number or "all"; empty: 14
  std::optional<std::int64_t> count;
  std::int64_t seed = 1;
  std::string database;  ///< file; empty: built

  /// Without and with a file in place of drawn ones.
  void visit_drawing(Flags& flags);
  void visit(Flags& flags);
};
inline constexpr int kUsualDtw = 14;
inline constexpr int kUsualDepth = 5;
inline constexpr std::int64_t kUsualCount = 1068;  ///< Heuser 2003, Section 5.2.2

/// The database in the file, or built.
template <int K>
SlideDatabase<K> database_of(const std::string& file, Parallel& parallel) {
  return file.empty() ? SlideDatabase<K>::build(parallel) : SlideDatabase<K>::load(file);
}
std::vector<SlidePosition<3>> draw_sample(const SampleArguments& arguments,
                                          const SlideDatabase<3>& database);
/// Read or drawn; the database is loaded or built only for the latter.
std::vector<SlidePosition<3>> sample_of(const SampleArguments& arguments, Parallel& parallel);
/// "1,068 positions of DTW 14, seed 1".
std::string sample_text(const SampleArguments& arguments, std::size_t size);

/// An evaluation and the search that uses it, as the command line says them.
struct PlayerArguments {
  std::string name;                  ///< of --eval; empty: Eu
  std::vector<std::string> weights;  ///< "Eu=1"
  Randomisation randomisation = Randomisation::kNone;
  std::optional<double> intensity;
  std::optional<bool> both_sides;
  bool rounded = false;
  DepthSearchOptions search = {};

  void visit(Flags& flags);
};
/// The largest weight of an evaluation, and the largest intensity of a randomisation.
inline constexpr double kLargestWeight = 1e6;
/// What --eval may name.
std::vector<std::string> evaluation_names();
/// What --randomisation may name: all but those that are evaluations by themselves.
std::map<std::string, Randomisation> additive_randomisations();
/// The evaluation of --eval or --weight with its randomisation. Throws InputError.
SlideEvaluation evaluation_of(const PlayerArguments& arguments);

/// "Eu-Add [-0.1, 0.1], table expanded, Win -1000".
std::string player_text(const DepthPlayer& player);
/// "all", "expanded", "off".
std::string table_name(TableMode mode);

struct DatabaseArguments {
  int k = 3;
  std::string file;  ///< empty: built
  std::string out;   ///< empty: not written
  OutputArguments output;

  void visit(Flags& flags);
};
/// The distribution of the distances to win.
int database_command(const DatabaseArguments& arguments, const Terminal& terminal);

struct DrawArguments {
  SampleArguments sample;
  std::string out;  ///< empty: standard output
  int threads = 0;

  void visit(Flags& flags);
};
/// Positions as the thesis's files hold them.
int sample_command(const DrawArguments& arguments, const Terminal& terminal);

struct MovesArguments {
  PlayerArguments player;
  SampleArguments sample;
  std::string depths = "5";  ///< "5" or "1-10"
  OutputArguments output;

  void visit(Flags& flags);
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
  bool no_fat = false;  ///< ties and fat moves are not counted
  OutputArguments output;

  void visit(Flags& flags);
};
/// Whole games, autoplay.exe (Heuser 2003, G.3).
int autoplay_command(const AutoplayArguments& arguments, const Terminal& terminal);

struct PlayArguments {
  std::string position = "start";
  PlayerArguments player;
  int depth = 5;
  std::optional<std::int64_t> moves;  ///< the player's, at most; unset: a person plays
  std::int64_t seed = 1;
  std::string database;
  std::string replay;  ///< file of a page; empty: none

  void visit(Flags& flags);
};
/// One game move by move, autoplayIA.exe (Heuser 2003, G.4).
int play_command(const PlayArguments& arguments, const Terminal& terminal);

struct SolveArguments {
  int k = 3;
  std::string position = "start";
  std::string database;
  OutputArguments output;

  void visit(Flags& flags);
};
/// A shortest way to Win.
int solve_command(const SolveArguments& arguments, const Terminal& terminal);

struct VerifyArguments {
  std::string file;
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Tries out a way to Win that a file holds.
int verify_command(const VerifyArguments& arguments, const Terminal& terminal);

struct LevelsArguments {
  int depth = 12;
  int steps = 0;       ///< levels beyond, which are tried but not kept
  std::string folder;  ///< that keeps the levels; empty: memory
  OutputArguments output;

  void visit(Flags& flags);
};
/// Positions of SlideFour by their distance from Win, and how near Start may be.
int levels_command(const LevelsArguments& arguments, const Terminal& terminal);

struct SolveFourArguments {
  std::string position = "start";
  std::int64_t width = 100'000;
  std::int64_t seed = 1;

  void visit(Flags& flags);
};
/// A way to Win of SlideFour.
int solve_four_command(const SolveFourArguments& arguments, const Terminal& terminal);

struct ReproduceArguments : cli::ReproduceArguments {
  std::optional<std::int64_t> games;  ///< or positions; unset: as many as published
  std::int64_t seed = 1;
  int last_depth = 6;        ///< of the choice of moves in ranking and moves
  std::optional<int> depth;  ///< of experiments that take one; unset: 5
  std::optional<int> dtw;    ///< likewise; unset: 14
  DepthSearchOptions search = {};
  std::string database;

  void visit(Flags& flags);
};
/// What can be reproduced.
std::vector<cli::Experiment> experiments();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

/// Runs `slide3 ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::slide3
