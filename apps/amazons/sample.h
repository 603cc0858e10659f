#pragma once

#include <string>
#include <vector>

#include "ntune/games/amazons/database/database.h"

namespace ntune::amazons {

/// A position whose value is known.
struct Case {
  AmazonsDatabase::Position position;
  std::string board;
  ThermographValue value;
};

/// A CSV file with the columns board, mean and temperature, and maybe others; lines that begin with
/// '#' before the titles do not count. In order of the empty squares. Throws InputError "path:line:
/// …": malformed, board too large, not one queen each.
std::vector<Case> read_cases(const std::string& file);

inline constexpr const char* kUsualCases = "configs/amazons/sample_600.csv";

}  // namespace ntune::amazons
