#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"

namespace ntune {

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

/// Scores of a cell by run or pick; missing ones too.
using BlockScores = std::vector<std::optional<double>>;

/// The ranks by the scores of all cells; none where fewer than two are compared or there is no
/// whole block.
Ranks ranks_of(const Study& study, const std::vector<BlockScores>& scores);
/// The ranks of what a study has found.
Ranks ranks_of(const Study& study, const StudyResult& result);

}  // namespace ntune
