#pragma once

#include "ntune/core/options.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A player of SlideThree as options: the weights `eu`, `man`, `nb`, `perm`, `inv`, `l2`, then
/// `randomisation`, `intensity`, `rounded`, `table` and `depth`.
struct SlidePlayer {
  DepthPlayer depth_player = {.evaluation = SlideEvaluation::of(SlideFeature::kEu)};

  void visit(Options& options);
};

/// The evaluation that the search is given. Without a value to divide (no weights) or chance to add
/// (intensity 0) the norms tell no leaf from another; then it is Random Play.
DepthPlayer effective_player(DepthPlayer player);

/// Six weights of each evaluation, almost in equal ratios, four randomisations and none, ten
/// intensities, and whether the transposition table holds leaves.
SearchSpace default_slide_space();

}  // namespace ntune
