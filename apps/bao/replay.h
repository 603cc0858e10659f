#pragma once

#include <string>
#include <vector>

#include "apps/bao/annotation.h"
#include "apps/common/replay_page.h"
#include "ntune/games/bao/position.h"

namespace ntune::bao {

/// A page that plays a game hand by hand, with each move's value by one judge or two: South's and
/// North's. `players` tells who plays.
cli::ReplayPage replay_page(const Bao& start, const std::vector<BaoSuccessor>& moves,
                            std::vector<MoveJudge>& judges, const std::string& players);

}  // namespace ntune::bao
