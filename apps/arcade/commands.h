#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/arcade/arguments.h"
#include "apps/common/data_path.h"
#include "apps/common/reproduction.h"
#include "apps/common/terminal.h"

namespace ntune::arcade {

using cli::Terminal;

struct PlayArguments {
  GameArguments game;
  std::string replay;                 ///< file of a page for a browser; empty: none
  bool plans = false;                 ///< the replay draws what the players mean to do
  std::optional<std::int64_t> every;  ///< draw the game after so many ticks each
  int fps = 25;                       ///< of the animation; 0: none
  OutputArguments output;

  void visit(Flags& flags);
};
/// One game, drawn and recorded.
int play_command(const PlayArguments& arguments, const Terminal& terminal);

struct MatchArguments {
  GameArguments game;  ///< of Planet Wars
  std::int64_t games = 200;
  bool one_side = false;  ///< the agent is always player 1
  OutputArguments output;

  void visit(Flags& flags);
};
/// Two agents of Planet Wars against each other.
int match_command(const MatchArguments& arguments, const Terminal& terminal);

struct ScoreArguments {
  GameArguments game;
  std::int64_t games = 100;
  OutputArguments output;

  void visit(Flags& flags);
};
/// How well an agent plays, by games of the objectives.
int score_command(const ScoreArguments& arguments, const Terminal& terminal);

struct AgentsArguments {
  std::string name;  ///< empty: all
  cli::Format format = cli::Format::kText;

  void visit(Flags& flags);
};
/// The agents, the rules and their options.
int agents_command(const AgentsArguments& arguments, const Terminal& terminal);

struct ReproduceArguments : cli::ReproduceArguments {
  std::optional<Game> game;  ///< unset: both of Table 2, Planet Wars of Table 3
  std::string configs = cli::data_path("configs");
  std::optional<std::int64_t> runs;     ///< of Table 2; unset: as published
  std::optional<double> scale;          ///< of the games of Table 3; unset: kUsualScale
  std::optional<std::int64_t> repeats;  ///< of Table 3; unset: kUsualRepeats
  std::string from;                     ///< folder of a finished study of Table 3; empty: it is run
  std::optional<std::int64_t> seed;     ///< unset: the study's

  void visit(Flags& flags);
};
inline constexpr double kUsualScale = 0.01;
inline constexpr std::int64_t kUsualRepeats = 5;
/// What can be reproduced.
std::vector<cli::Experiment> experiments();
/// Published numbers beside ours.
int reproduce_command(const ReproduceArguments& arguments, const Terminal& terminal);

/// Runs `arcade ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::arcade
