#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ntune {

struct ReportData;

/// What is compared on every objective: an optimiser, a plan, or both together.
struct Contestant {
  std::string label;
  std::vector<std::size_t> cells = {};  ///< one for each objective
  double mean_rank = 0.0;               ///< 1: best in every block
  std::int64_t wins = 0;                ///< blocks in which it is best, ties included
};

/// The contestants of a comparison, the least mean rank first. A block is one pick or run of an
/// objective: those of the same number have the same random streams in every cell.
struct Ranks {
  std::vector<Contestant> contestants = {};
  std::int64_t blocks = 0;           ///< in which all have a score
  double critical_difference = 0.0;  ///< of mean ranks, Nemenyi's at 95 %
};

/// Nothing where fewer than two are compared or there is no whole block.
Ranks ranks_of(const ReportData& data);

}  // namespace ntune
