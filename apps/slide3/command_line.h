#pragma once

#include "apps/common/program.h"
#include "apps/slide3/commands.h"

namespace ntune::slide3 {

/// All commands of slide3 with their options.
struct CommandLine : cli::Program {
  DatabaseArguments database;
  DrawArguments sample;
  MovesArguments moves;
  AutoplayArguments autoplay;
  PlayArguments play;
  SolveArguments solve;
  VerifyArguments verify;
  LevelsArguments levels;
  SolveFourArguments solve_four;
  ReproduceArguments reproduce;
  std::string plot;

  CommandLine();

 private:
  void add_positions();
  void add_experiments();
  void add_games();
  void add_play();
  void add_four();
  void add_reproduce();
};

}  // namespace ntune::slide3
