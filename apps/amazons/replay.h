#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/amazons/experiments/valuer.h"
#include "apps/common/replay_page.h"

namespace ntune::amazons {

/// A board as a page shows it.
struct SeenBoard {
  std::string squares;  ///< as amazons_text
  BoardWorth worth;
  std::optional<Thermograph> thermograph = {};  ///< where it is known
};

/// A sum as a page shows it, with the move that led to it.
struct SeenSum {
  std::vector<SeenBoard> boards;
  std::string move = {};          ///< "3. White: 2:A2-A3xC3"; empty: the start
  std::size_t played = 0;         ///< on which board
  std::vector<int> squares = {};  ///< of the move: from, to, arrow, rank by rank from A1
};

/// A page that plays a sum move by move, each board with its thermograph beside it. `end` says how
/// it ends, `players` who plays.
cli::ReplayPage replay_page(const std::vector<SeenSum>& game, int side, const std::string& end,
                            const std::string& players);

/// The page of a position that is given as text: its board and thermograph, and those after each of
/// the best options of both. Throws InputError where too many positions follow from it.
cli::ReplayPage value_page(const std::string& board);

}  // namespace ntune::amazons
