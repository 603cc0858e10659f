#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/games/bao/position.h"

namespace ntune {

/// A row of Appendix C of Donkers et al. 2005.
struct BaoStartPosition {
  int row = 0;  ///< from 1
  /// ok: as printed; repaired: the one change of a damaged row that can be reached; repaired_amb:
  /// chosen among several; damaged, missing: no position.
  std::string status;
  Bao position;  ///< the opening where there is none
};

struct BaoStartPositions {
  std::vector<BaoStartPosition> usable;
  std::vector<BaoStartPosition> left_out;  ///< damaged and missing ones
};

/// Reads a CSV file: row, status, the 32 pits as b1 … b8, a1 … a8, A1 … A8, B1 … B8, south_house
/// and north_house (0, 1). Lines that begin with '#' are comments. Ten moves of each player have
/// been played: South is on turn, 12 stones are in either store. Throws InputError "file:line:
/// ...".
BaoStartPositions read_bao_start_positions(const std::filesystem::path& file);

/// A position after ten random moves of each player from the opening, from which the game goes on.
Bao random_bao_start(Rng rng);

}  // namespace ntune
