#pragma once

#include "apps/arcade/commands.h"
#include "apps/common/program.h"

namespace ntune::arcade {

/// All commands of arcade with their options.
struct CommandLine : cli::Program {
  PlayArguments play;
  MatchArguments match;
  ScoreArguments score;
  AgentsArguments agents;
  ReproduceArguments reproduce;
  std::string plot;

  CommandLine();

 private:
  void add_play();
  void add_experiments();
  void add_agents();
  void add_reproduce();
};

}  // namespace ntune::arcade
