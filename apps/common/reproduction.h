#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/arguments.h"
#include "apps/common/data_path.h"
#include "apps/common/flags.h"
#include "apps/common/result_table.h"
#include "apps/common/terminal.h"
#include "ntune/core/json.h"
#include "ntune/plot/figure.h"

namespace ntune::cli {

/// What a paper says, and what was measured of it. A line of configs/claims/LABORATORY.csv.
struct Claim {
  std::string paper;     ///< authors and year
  std::string place;     ///< section, table or figure
  std::string claim;     ///< in our words
  std::string measured;  ///< with its interval
  std::string n;         ///< of what was counted: "1,068 games a cell"; may be empty
  std::string verdict;   ///< confirmed, refuted, open, or answered: a question left open there
  std::string command;   ///< repeats the measurement
  double seconds = 0.0;  ///< processor time of the command on one core
};

/// Reads a file of claims. Throws InputError "path:line: …": not its header, an unknown verdict, no
/// command, a time that is no duration.
std::vector<Claim> read_claims(const std::filesystem::path& file);

/// Prints the claims of a laboratory's papers: `reproduce --list`. Returns the exit code.
int list_claims(const std::string& laboratory, Format format, const Terminal& terminal,
                const std::string& folder = data_path("configs"));

/// An experiment of a paper. Each laboratory has one table of them, which adds how they are run.
struct Experiment {
  const char* name;
  const char* repeats;  ///< "Table 4.2 of Heuser (2003): different values", as its title begins
  Figure (*draw)(const std::string& title, const std::vector<Json>& rows) = nullptr;
  const char* options = "";  ///< "--depth --dtw": of those that go with some experiments alone
};

/// What the `reproduce` commands of all laboratories are told.
struct ReproduceArguments {
  std::string experiment;
  bool list = false;  ///< the papers' claims in place of an experiment
  std::string plot;   ///< file of a figure; empty: none
  OutputArguments output;

  /// The experiment and --list; and what all commands have at their end.
  void visit_experiment(Flags& flags, const std::vector<Experiment>& experiments);
  void visit_output(Flags& flags);
};

/// Published numbers beside ours: what an experiment of `reproduce` brings.
struct Reproduction {
  std::string title = {};  ///< its end, after what the experiment repeats
  std::string setup = {};  ///< lines below the title; may be empty
  ResultTable table = {};
  std::string more = {};     ///< text below the table
  Json setting = {};         ///< what the JSON has before the rows; null: nothing
  Json summary = {};         ///< null: none
  std::string remarks = {};  ///< lines at the end, after a blank one
};

/// The command `reproduce` of a laboratory.
struct Reproduce {
  const char* laboratory;
  std::vector<Experiment> experiments;
  /// The options that go with some experiments alone, and whether they are given.
  std::vector<std::pair<const char*, bool>> given = {};
  /// Carries out the experiment at a place of the table; several parts are of different games.
  std::function<std::vector<Reproduction>(std::size_t)> run;
  bool lists_parts = false;  ///< the JSON is a list, of one part too

  /// Prints the claims of --list, or the experiment's output, and draws its figure. Returns the
  /// exit code. Throws InputError.
  int operator()(const ReproduceArguments& arguments, const Terminal& terminal) const;
};

}  // namespace ntune::cli
