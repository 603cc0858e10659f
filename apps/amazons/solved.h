#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune::amazons {

/// About a gigabyte of thermographs.
constexpr std::size_t kMostPositions = 3'000'000;

/// The thermograph of the position that `board` says, valid as long as the solver. Throws
/// InputError where more positions follow from it than the solver keeps.
template <class Position>
const Thermograph& solved(ThermographSolver<Position>& solver, const std::string& board,
                          const Position& position) {
  if (const Thermograph* const found = solver.solve(position)) return *found;
  throw InputError(fmt::format(
      "position '{}': more than {} positions follow from it; `amazons tds` approximates its value",
      printable(board, 200), count_text(kMostPositions)));
}

}  // namespace ntune::amazons
