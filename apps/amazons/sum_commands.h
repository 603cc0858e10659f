#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/amazons/players.h"

namespace ntune::amazons {

struct MatchArguments {
  std::string player;
  std::string opponent;
  SumArguments sums;
  std::int64_t count = 100;
  LimitArguments limits;
  std::string database;
  std::int64_t seed = 1;
  OutputArguments output;
};
/// Two players of sums against each other.
int match_command(const MatchArguments& arguments, const Terminal& terminal);

struct PlayArguments {
  std::string black = "person";
  std::string white = "hotstrat-all";
  std::vector<std::string> positions;  ///< empty: random boards
  SumArguments sums;
  LimitArguments limits;
  std::string database;
  std::int64_t seed = 1;
};
/// One game between persons and players.
int play_command(const PlayArguments& arguments, const Terminal& terminal);

/// What `reproduce 3` and `reproduce 4` have beside the time scale.
struct MatchTableArguments {
  std::string player = "hotstrat-TDS+";
  std::string opponent;               ///< empty: the table's
  std::vector<int> boards;            ///< empty: 2, 4 and 6
  std::vector<int> sizes;             ///< empty: 4, 5 and 6
  std::optional<std::int64_t> nodes;  ///< a move, instead of time
  std::int64_t games = 20;            ///< of a cell
  std::int64_t seed = 1;
};

struct CompareArguments {
  std::string settings;
  std::string baseline = "TDS+";
  std::int64_t positions = 1000;
  int least_empties = 6;
  int most_empties = 14;
  LimitArguments limits;
  std::string database;
  std::int64_t seed = 1;
  OutputArguments output;
};
/// Two settings of TDS on the same random positions, by their errors.
int compare_command(const CompareArguments& arguments, const Terminal& terminal);

}  // namespace ntune::amazons
