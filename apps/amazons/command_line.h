#pragma once

#include "apps/amazons/commands.h"
#include "apps/amazons/sum_commands.h"
#include "apps/common/program.h"

namespace ntune::amazons {

/// All commands of amazons with their options.
struct CommandLine : cli::Program {
  ValueArguments value;
  DatabaseArguments database;
  TdsCommandArguments tds;
  CoverageArguments coverage;
  ErrorArguments error;
  ConjectureArguments conjecture;
  ReproduceArguments reproduce;
  MatchArguments match;
  PlayArguments play;
  CompareArguments compare;

  CommandLine();

 private:
  void add_values();
  void add_tds();
  void add_samples();
  void add_conjecture();
  void add_reproduce();
  void add_matches();
  void add_match_tables(CLI::App& reproduce_command);
};

}  // namespace ntune::amazons
