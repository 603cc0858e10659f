#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/optim/duels/duel_process.h"

namespace ntune {

struct DuelTask {
  Point incumbent;         ///< what would be recommended now
  Point reference;         ///< the default, or what the search began with
  std::size_t wanted = 1;  ///< duels
  double games = 2.0;      ///< of each
  /// Whether a point may be asked for. An empty function admits all allowed points.
  std::function<bool(const Point&)> usable = {};
  /// The chance that a player does not make a match fail. An empty function means that none does.
  std::function<double(const Point&)> success = {};
};

/// The next duels, at most task.wanted; all players are allowed and usable points, but for the
/// reference.
///
/// Candidates are pairs on opposite sides of the incumbent, as SPSA plays them, and
/// pairs of targets and incumbent. Targets are mutants near and far, the half of them with the
/// highest means of many, and points on the way from the reference through the incumbent. What is
/// lost by not knowing whether a target t is better is its expected improvement on the incumbent,
/// EI(mean, sd of f(t) - f(incumbent)). A duel takes some of these variances away. The duel that
/// lowers the sum of EI most is chosen, then the next as if the first had been played. The sum is
/// that of a knowledge gradient (Frazier, Powell and Dayanik 2009) over single targets.
///
/// What a duel promises above the least that any does counts by the square of its chance to
/// succeed, which is that of both players together.
std::vector<std::pair<Point, Point>> choose_duels(const DuelProcess& process, const DuelTask& task,
                                                  Rng& rng);

}  // namespace ntune
