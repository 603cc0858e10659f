#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/bao/players.h"
#include "apps/common/data_path.h"
#include "apps/common/flags.h"
#include "apps/common/reproduction.h"
#include "apps/common/terminal.h"
#include "ntune/games/bao/position.h"

namespace ntune::bao {

using cli::Flags;
using cli::Format;
using cli::OutputArguments;
using cli::rng_of;
using cli::Terminal;

struct PerftArguments {
  std::string position = "opening";
  int depth = 1;
  bool divide = false;  ///< by move
  int threads = 0;
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Lines of so many moves from a position.
int perft_command(const PerftArguments& arguments, const Terminal& terminal);

/// Whose evaluation and depth judge moves.
inline constexpr const char* kUsualJudge = "default";

struct ReplayArguments {
  std::string file;
  std::string position = "opening";
  std::optional<std::int64_t> until;  ///< a number of moves; none: all
  bool steps = false;                 ///< the board after each hand of the last move
  std::string judge = kUsualJudge;
  std::string folder = cli::data_path(kUsualFolder);
  std::string replay;  ///< file of a page; empty: none
  Format format = Format::kText;

  void visit(Flags& flags);
};
/// Checks a transcript move by move, and draws where it ends with the last move's steps and value.
int replay_command(const ReplayArguments& arguments, const Terminal& terminal);

/// -1: the game goes on.
int winner_of(const Bao& position);
/// "South to move", "North has won".
std::string state_text(const Bao& position);

struct PlayArguments {
  std::string position = "opening";
  std::string south = "person";
  std::string north = "default";
  std::string judge = kUsualJudge;
  std::string folder = cli::data_path(kUsualFolder);
  std::string replay;  ///< file of a page; empty: none
  std::int64_t seed = 1;

  void visit(Flags& flags);
};
/// One game between persons and agents, every move with its steps and its value.
int play_command(const PlayArguments& arguments, const Terminal& terminal);

/// What all commands have that let players play many games.
struct GamesArguments {
  std::int64_t repeats = 1;
  StartArguments starts;
  std::string folder = cli::data_path(kUsualFolder);
  std::int64_t seed = 1;

  void visit(Flags& flags);
};

struct MatchArguments : GamesArguments {
  std::string player;
  std::string opponent;
  bool one_side = false;  ///< the player is always South
  OutputArguments output;

  void visit(Flags& flags);
};
/// Two players against each other.
int match_command(const MatchArguments& arguments, const Terminal& terminal);

struct TrainArguments {
  std::string training;
  std::string file;  ///< YAML: options of the training, or a study
  std::string out;
  bool resume = false;
  OutputArguments output;

  void visit(Flags& flags);
};
/// Names of the ways to learn.
std::vector<std::string> training_names();
/// Learns an evaluation and writes it as a weights file.
int train_command(const TrainArguments& arguments, const Terminal& terminal);

struct ReproduceArguments : cli::ReproduceArguments, GamesArguments {
  std::vector<std::string> players;  ///< empty: all whose weights files are there
  std::vector<int> tournaments;      ///< of the readings; empty: 3 to 8
  std::string reading;               ///< settings of opponent-model search
  std::string out;  ///< file of results that need not be computed again; empty: none

  void visit(Flags& flags);
};
/// What can be reproduced.
std::vector<cli::Experiment> experiments();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

/// Runs `bao ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::bao
