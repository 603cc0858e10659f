#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "apps/common/flags.h"
#include "apps/common/result_table.h"
#include "apps/common/terminal.h"
#include "ntune/core/json.h"
#include "ntune/plot/figure.h"

namespace ntune::cli {

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
