#pragma once

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/games/amazons/database/index.h"
#include "ntune/games/amazons/notation.h"
#include "ntune/games/amazons/tds.h"

namespace ntune::test {

using AmazonsFour = AmazonsPosition<4>;

inline std::string value_text(const ThermographValue& value) {
  return dyadic_text(value.mean) + "," + dyadic_text(value.temperature);
}

/// One or two positions of each class under the symmetries of 4x4 boards with one queen each.
inline std::vector<AmazonsFour> positions_with_empties(int empties) {
  std::vector<AmazonsFour> positions;
  for (std::uint32_t entry = 0; entry < AmazonsIndex::kEntries; ++entry) {
    const std::uint32_t set = entry % AmazonsIndex::kSets;
    if (std::popcount(set) != empties) continue;
    const auto queens = kAmazonsIndex.queens(entry / AmazonsIndex::kSets);
    const auto [low, high] = std::minmax(queens[0], queens[1]);
    positions.emplace_back(AmazonsIndex::spread(set, low, high), 1U << queens[0], 1U << queens[1]);
  }
  return positions;
}

struct TdsCase {
  AmazonsFour position;
  int empties = 0;
  std::string value;  ///< "mean,temperature"
};

/// The 600 positions of configs/amazons/sample_600.csv.
inline std::vector<TdsCase> sample_positions() {
  std::ifstream file(std::filesystem::path(NTUNE_SOURCE_DIR) / "configs/amazons/sample_600.csv");
  std::vector<TdsCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    std::stringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    cases.push_back({parse_amazons<4>(fields.at(1)), std::stoi(fields.at(2)),
                     fields.at(3) + "," + fields.at(4)});
  }
  return cases;
}

/// With a small table, which is cleared for every game.
inline TdsOptions tds_options(const std::string& variant) {
  TdsOptions options;
  options.enhancements = parse_tds_variant(variant);
  options.table_mb = 1;
  return options;
}

}  // namespace ntune::test
