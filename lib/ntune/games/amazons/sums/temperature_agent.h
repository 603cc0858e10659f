#pragma once

#include <memory>

#include "ntune/games/amazons/sums/sum_player.h"

namespace ntune {

/// A player by Hotstrat or Sentestrat. It moves on the board of the highest temperature; Sentestrat
/// first answers where the opponent's last move asks for it. For sides 4 to 6.
template <int kSide>
std::unique_ptr<SumAgent<kSide>> make_temperature_agent(
    const SumPlayerOptions& options, std::unique_ptr<AmazonsAppraiser<kSide>> appraiser);

}  // namespace ntune
