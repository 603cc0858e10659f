#pragma once

#include <string>
#include <vector>

#include "apps/common/replay_page.h"
#include "ntune/games/slide/exact/database.h"
#include "ntune/games/slide/search.h"

namespace ntune::slide3 {

/// A position of a game, as its player sees it.
struct SeenPosition {
  SlidePosition<3> position;
  int depth = 0;                            ///< of the player's next search
  std::vector<SlideSuccessor> values = {};  ///< of the possible moves; none of Win
  int line = -1;                            ///< the move that was made; -1: none yet
  std::string note = {};                    ///< who made it: "the player, a tie"
};

/// A page that plays a game push by push. `players` tells who plays.
cli::ReplayPage replay_page(const std::vector<SeenPosition>& game, const SlideDatabase<3>& database,
                            const std::string& players);

}  // namespace ntune::slide3
