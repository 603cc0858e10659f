#include "apps/bao/reproduce.h"

namespace ntune::bao {

namespace {

// Tables 1 to 8: South by North, row by row.
constexpr int kWins[kTournaments][kPlayers * kPlayers] = {
    {54, 55, 35, 19, 18, 48, 43, 54, 30, 28, 55, 61, 53,
     36, 30, 69, 65, 57, 45, 39, 79, 73, 75, 60, 43},
    {66, 57, 62, 40, 32, 71, 69, 52, 49, 34, 80, 75, 69,
     62, 49, 86, 76, 69, 60, 57, 88, 76, 80, 70, 56},
    {64, 57, 50, 30, 24, 46, 47, 46, 26, 25, 59, 57, 58,
     40, 35, 78, 64, 60, 52, 46, 71, 58, 66, 61, 52},
    {68, 60, 64, 49, 39, 63, 58, 47, 44, 41, 70, 66, 67,
     57, 40, 80, 69, 70, 55, 56, 84, 68, 71, 59, 59},
    {61, 59, 57, 31, 27, 50, 64, 48, 32, 23, 53, 64, 57,
     36, 30, 69, 73, 66, 58, 40, 77, 82, 77, 63, 48},
    {75, 69, 60, 46, 33, 64, 61, 68, 48, 34, 75, 71, 69,
     46, 38, 82, 81, 81, 62, 49, 88, 80, 82, 66, 51},
    {73, 76, 69, 54, 58, 59, 76, 66, 48, 46, 75, 77, 79,
     56, 55, 79, 88, 83, 70, 57, 80, 88, 85, 68, 63},
    {67, 66, 49, 32, 33, 49, 48, 45, 37, 31, 63, 62, 54,
     35, 33, 72, 66, 64, 58, 46, 75, 71, 76, 69, 47}};

// Table 10: tournaments 2 to 8.
constexpr PublishedDeviations kDeviations[kTournaments - 1][kPlayers] = {
    {{4.58, 2.4}, {5.19, 2.3}, {4.23, 2.2}, {3.73, 1.9}, {3.86, 2.0}},
    {{3.05, 2.1}, {2.90, 1.9}, {2.13, 1.7}, {2.38, 1.6}, {2.13, 1.5}},
    {{4.79, 2.5}, {5.55, 2.4}, {4.76, 2.4}, {4.47, 2.2}, {4.55, 2.3}},
    {{3.30, 2.0}, {3.22, 1.9}, {2.50, 1.6}, {2.32, 1.6}, {2.24, 1.5}},
    {{2.29, 1.8}, {2.30, 1.8}, {1.84, 1.6}, {1.92, 1.5}, {1.82, 1.5}},
    {{4.38, 2.2}, {5.15, 2.4}, {4.49, 2.2}, {3.93, 2.0}, {3.97, 1.9}},
    {{1.91, 1.6}, {0.86, 1.1}, {0.31, 0.5}, {0.76, 0.9}, {0.49, 0.7}},
};

// Table 9.
constexpr PublishedTournament kSetups[kTournaments] = {{"alpha-beta plain", 6, 0, false},
                                                       {"alpha-beta extended", 8, 0, false},
                                                       {"OM plain", 6, 6, false},
                                                       {"OM extended", 8, 6, false},
                                                       {"OM perfect opponent", 6, 7, false},
                                                       {"OM plain, depth 7", 7, 7, false},
                                                       {"OM perfect", 8, 7, false},
                                                       {"OM no risk", 6, 6, true}};

}  // namespace

const std::vector<std::string>& published_players() {
  static const std::vector<std::string> kNames = {"MATERIAL", "DEFAULT", "GA3", "TDL2B", "NGND6A"};
  return kNames;
}

const std::string& player_name(int place) {
  return published_players()[static_cast<std::size_t>(place)];
}

int published_wins(int tournament, int south, int north) {
  return kWins[tournament - 1][south * kPlayers + north];
}

PublishedDeviations published_deviations(int tournament, int south) {
  return kDeviations[tournament - 2][south];
}

const PublishedTournament& published_tournament(int tournament) { return kSetups[tournament - 1]; }

}  // namespace ntune::bao
