#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/amazons/arguments.h"
#include "apps/amazons/sample.h"
#include "apps/amazons/sum_commands.h"
#include "apps/amazons/tds_arguments.h"
#include "apps/common/data_path.h"

namespace ntune::amazons {

struct ValueArguments {
  std::string position;  ///< "-": one a line from standard input
  std::string plot;      ///< file of the thermograph's picture; empty: none
  std::string database;  ///< file; empty: built where it is needed
  Format format = Format::kText;
};
/// Mean, temperature and thermograph of a position.
int value_command(const ValueArguments& arguments, const Terminal& terminal);

struct DatabaseArguments {
  std::string file;  ///< empty: built
  std::string out;   ///< empty: not written
  OutputArguments output;
};
/// What the 4x4 positions with one queen each are worth, by number of empty squares.
int database_command(const DatabaseArguments& arguments, const Terminal& terminal);

struct CoverageArguments {
  std::vector<std::string> variants = {"TDS", "TDS+", "all"};
  TdsArguments tds;
  std::vector<double> seconds;
  std::vector<std::int64_t> nodes;
  std::string cases = cli::data_path(kUsualCases);
  std::string out;  ///< file of results that need not be computed again; empty: none
  bool until_none = false;
  std::string plot;  ///< file of a figure; empty: none
  OutputArguments output;
};
/// How many positions variants solve within limits (Zhang and Mueller 2015, Tables 1 and 2).
int coverage_command(const CoverageArguments& arguments, const Terminal& terminal);

struct TdsCommandArguments {
  std::string position;
  std::string variant = "TDS+";
  TdsArguments tds;
  std::optional<std::int64_t> nodes;
  std::optional<double> seconds;
  Format format = Format::kText;
};
/// One search, with its principal variation.
int tds_command(const TdsCommandArguments& arguments, const Terminal& terminal);

struct ErrorArguments {
  std::vector<std::string> variants = {"TDS", "TDS+", "all"};
  TdsArguments tds;
  std::vector<double> seconds;
  std::vector<std::int64_t> nodes;
  std::string cases = cli::data_path(kUsualCases);
  std::string out;   ///< as for coverage
  std::string plot;  ///< file of a figure; empty: none
  OutputArguments output;
};
/// How far off answers within limits are (Zhang and Mueller 2015, Figure 5).
int error_command(const ErrorArguments& arguments, const Terminal& terminal);

struct ConjectureArguments {
  std::vector<std::string> deltas = {"1", "1/2", "1/4", "1/8"};
  std::string size = "4x4";
  int least = 0;              ///< empty squares
  std::optional<int> most;    ///< unset: as many as take a few minutes
  std::int64_t failures = 3;  ///< counter-examples of each reading to be printed
  OutputArguments output;
};
/// The 2-delta conjecture over all positions of a board.
int conjecture_command(const ConjectureArguments& arguments, const Terminal& terminal);

struct ReproduceArguments {
  std::string experiment;
  bool list = false;        ///< the paper's claims in place of an experiment
  double time_scale = 0.1;  ///< our limits of time by the paper's
  std::optional<double> given_time_scale;
  double longest = 10.0;   ///< the largest of the paper's limits
  bool all_cases = false;  ///< also beyond a number of empty squares of which none was solved
  int table_mb = 64;
  std::string cases = cli::data_path(kUsualCases);
  std::string out;  ///< as for coverage
  MatchTableArguments matches;
  std::string plot;  ///< file of a figure; empty: none
  OutputArguments output;
};
/// Names of the experiments that can be reproduced.
std::vector<std::string> experiment_names();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
