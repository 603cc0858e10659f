#pragma once

#include "apps/bao/commands.h"
#include "apps/common/program.h"

namespace ntune::bao {

/// All commands of bao with their options.
struct CommandLine : cli::Program {
  PerftArguments perft;
  PlayArguments play;
  ReplayArguments replay;
  MatchArguments match;
  TournamentArguments tournament;
  TrainArguments train;
  ReproduceArguments reproduce;
  std::string plot;

  CommandLine();

 private:
  void add_rules();
  void add_play();
  void add_matches();
  void add_train();
  void add_reproduce();
};

}  // namespace ntune::bao
