#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
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
  std::string verdict;   ///< one of claim_verdicts()
  std::string command;   ///< repeats the measurement
  double seconds = 0.0;  ///< processor time of the command on one core
};

/// confirmed, refuted, open, answered (a question that the paper leaves open).
const std::vector<std::string>& claim_verdicts();

/// Reads a file of claims. Throws InputError "path:line: …": not its header, an unknown verdict, no
/// command, a time that is no duration.
std::vector<Claim> read_claims(const std::filesystem::path& file);

/// Prints the claims of a laboratory's papers: `reproduce --list`. Returns the exit code.
int list_claims(const std::string& laboratory, Format format, const Terminal& terminal,
                const std::string& folder = data_path("configs"));

/// What the `reproduce` commands of all laboratories are told.
struct ReproduceArguments {
  std::string experiment;
  bool list = false;  ///< the papers' claims in place of an experiment
  std::string plot;   ///< file of a figure; empty: none
  OutputArguments output;

  /// The experiment, one of the names, and --list; and what all commands have at their end.
  void visit_experiment(Flags& flags, const std::vector<std::string>& names);
  void visit_output(Flags& flags);
};

/// The names of experiments, in the order of their table.
template <class Experiments>
std::vector<std::string> experiment_names(const Experiments& experiments) {
  std::vector<std::string> names;
  for (const auto& one : experiments) names.emplace_back(one.name);
  return names;
}

/// The experiment with this name, one of theirs.
template <class Experiments>
const auto& experiment_named(const Experiments& experiments, const std::string& name) {
  return *std::ranges::find(experiments, name, [](const auto& one) { return one.name; });
}

/// Published numbers beside ours: what an experiment of `reproduce` brings.
struct Reproduction {
  std::string title = {};
  std::string setup = {};  ///< lines below the title; may be empty
  ResultTable table = {};
  std::string more = {};     ///< text below the table
  Json summary = {};         ///< null: none
  std::string remarks = {};  ///< lines at the end, after a blank one
};

/// Title, setup, table and remarks as text.
std::string reproduction_text(const Reproduction& reproduction);

/// An experiment's output in every form.
struct Reproduced {
  Json json;
  std::vector<Json> rows;
  std::string text;
  std::function<Figure()> figure;  ///< throws InputError where the experiment has none
};
/// The output of one reproduction; `setting` has what its laboratory adds to the JSON.
Reproduced reproduced(const std::string& experiment, const Reproduction& reproduction,
                      const Json& setting);

/// The command `reproduce` of a laboratory. It prints the claims of --list, or what `carry_out`
/// brings of an experiment, and draws its figure. Returns the exit code.
int reproduce(const char* laboratory, const std::vector<std::string>& names,
              const ReproduceArguments& arguments, const Terminal& terminal,
              const std::function<Reproduced()>& carry_out);

}  // namespace ntune::cli
