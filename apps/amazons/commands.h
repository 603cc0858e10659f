#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/amazons/coverage.h"
#include "apps/amazons/players.h"
#include "apps/common/data_path.h"
#include "apps/common/reproduction.h"
#include "ntune/agents/combinatorial_game/tds_options.h"

namespace ntune::amazons {

/// The settings of a temperature discovery search as the command line says them.
struct TdsArguments {
  std::string variant = "all";
  std::string delta = "auto";
  std::string t_max = "auto";
  std::optional<int> margin;
  std::optional<TdsTies> ties;
  std::optional<TdsReading> reading;
  std::optional<TdsNoBoardMove> no_board_move;
  bool literal = false;
  bool literal_e2 = false;
  bool literal_e4 = false;
  bool literal_key = false;
  int table_mb = 64;

  void visit(Flags& flags);
};

/// The options of TDS with `variant` instead of that of the arguments, without limits. Throws
/// InputError.
TdsOptions tds_options_of(const TdsArguments& arguments, const std::string& variant);

struct ValueArguments {
  std::string position;  ///< "-": one a line from standard input
  std::string plot;      ///< file of the thermograph's picture; empty: none
  std::string replay;    ///< file of a page; empty: none
  std::string database;  ///< file; empty: built where it is needed
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Mean, temperature and thermograph of a position.
int value_command(const ValueArguments& arguments, const Terminal& terminal);

struct DatabaseArguments {
  std::string file;  ///< empty: built
  std::string out;   ///< empty: not written
  OutputArguments output;

  void visit(Flags& flags);
};
/// What the 4x4 positions with one queen each are worth, by number of empty squares.
int database_command(const DatabaseArguments& arguments, const Terminal& terminal);

/// Variants of TDS on positions whose values are known, within limits.
struct CasesArguments {
  std::vector<std::string> variants = {"TDS", "TDS+", "all"};
  TdsArguments tds;
  std::vector<double> seconds;
  std::vector<std::int64_t> nodes;
  std::string cases = cli::data_path(kUsualCases);
  std::string out;   ///< file of results that need not be computed again; empty: none
  std::string plot;  ///< file of a figure; empty: none
  OutputArguments output;

  void visit(Flags& flags);
  /// --variants, --cases and the limits alone.
  void visit_cases(Flags& flags);
  /// Of each variant, without limits. Throws InputError.
  [[nodiscard]] std::vector<TdsOptions> options() const;
  /// "exact", "1/2".
  [[nodiscard]] std::string delta() const { return tds.delta == "auto" ? "exact" : tds.delta; }
};

struct CoverageArguments : CasesArguments {
  bool until_none = false;

  void visit(Flags& flags);
};
/// How many positions variants solve within limits (Zhang and Mueller 2015, Tables 1 and 2).
int coverage_command(const CoverageArguments& arguments, const Terminal& terminal);

struct TdsCommandArguments {
  std::string position;
  std::string variant = "TDS+";
  TdsArguments tds;
  std::optional<std::int64_t> nodes;
  std::optional<double> seconds;
  std::string replay;  ///< file of a page; empty: none
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// One search, with its principal variation.
int tds_command(const TdsCommandArguments& arguments, const Terminal& terminal);

/// How far off answers within limits are (Zhang and Mueller 2015, Figure 5).
int error_command(const CasesArguments& arguments, const Terminal& terminal);

struct ConjectureArguments {
  std::vector<std::string> deltas = {"1", "1/2", "1/4", "1/8"};
  std::string size = "4x4";
  int least = 0;              ///< empty squares
  std::optional<int> most;    ///< unset: as many as take a few minutes
  std::int64_t failures = 3;  ///< counter-examples of each reading to be printed
  OutputArguments output;

  void visit(Flags& flags);
};
/// The 2-delta conjecture over all positions of a board.
int conjecture_command(const ConjectureArguments& arguments, const Terminal& terminal);

struct MatchArguments {
  std::string player;
  std::string opponent;
  SumArguments sums;
  std::int64_t count = 100;
  LimitArguments limits;
  std::string database;
  std::int64_t seed = 1;
  OutputArguments output;

  void visit(Flags& flags);
};
/// Two players of sums against each other.
int match_command(const MatchArguments& arguments, const Terminal& terminal);

struct PlayArguments {
  std::string black = "person";
  std::string white = "hotstrat-all";
  std::vector<std::string> positions;  ///< empty: random boards
  SumArguments sums;
  LimitArguments limits;
  std::string database;
  std::string replay;  ///< file of a page; empty: none
  std::int64_t seed = 1;

  void visit(Flags& flags);
};
/// One game between persons and players.
int play_command(const PlayArguments& arguments, const Terminal& terminal);

/// What `reproduce 3` and `reproduce 4` have beside the time scale.
struct MatchTableArguments {
  std::string player = "hotstrat-TDS+";
  std::string opponent;               ///< empty: the table's
  std::vector<int> boards;            ///< empty: 2, 4 and 6
  std::vector<int> sizes;             ///< empty: 4, 5 and 6
  std::optional<std::int64_t> nodes;  ///< a move, instead of time
  std::int64_t games = 20;            ///< of a cell
  std::int64_t seed = 1;

  void visit(Flags& flags);
};

struct CompareArguments {
  std::string settings;
  std::string baseline = "TDS+";
  std::int64_t positions = 1000;
  int least_empties = 6;
  int most_empties = 14;
  LimitArguments limits;
  std::string database;
  std::int64_t seed = 1;
  OutputArguments output;

  void visit(Flags& flags);
};
/// Two settings of TDS on the same random positions, by their errors.
int compare_command(const CompareArguments& arguments, const Terminal& terminal);

struct ReproduceArguments : cli::ReproduceArguments {
  double time_scale = 0.1;  ///< our limits of time by the paper's; of each experiment
  std::optional<double> given_time_scale;
  double longest = 10.0;   ///< the largest of the paper's limits
  bool all_cases = false;  ///< also beyond a number of empty squares of which none was solved
  int table_mb = 64;
  std::string cases = cli::data_path(kUsualCases);
  std::string out;  ///< as for coverage
  MatchTableArguments matches;

  void visit(Flags& flags);
};
/// What can be reproduced.
std::vector<cli::Experiment> experiments();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

/// Runs `amazons ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
