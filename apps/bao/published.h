#pragma once

#include <string>
#include <vector>

namespace ntune::bao {

// The tournaments of Donkers, van den Herik and Uiterwijk (2005), Section 8.

inline constexpr int kPlayers = 5;
inline constexpr int kTournaments = 8;
inline constexpr int kPublishedGames = 100;  ///< of a match

/// Names of the evaluations as the paper has them, weakest first: MATERIAL, DEFAULT, ….
const std::vector<std::string>& published_players();
/// The name of a player by its place.
const std::string& player_name(int place);

/// A match of Tables 1 to 8, numbered from 1: games of 100 that South won.
int published_wins(int tournament, int south, int north);

/// Deviations from alpha-beta a game of a player as South (Table 10), tournaments 2 to 8.
struct PublishedDeviations {
  double mean;
  double sd;
};
PublishedDeviations published_deviations(int tournament, int south);

/// The setup of a tournament (Table 9). North always searches 6 plies by alpha-beta.
struct PublishedTournament {
  const char* name;
  int depth;        ///< d
  int probe_depth;  ///< p; 0: alpha-beta
  bool avoids_risk;
};
const PublishedTournament& published_tournament(int tournament);

}  // namespace ntune::bao
