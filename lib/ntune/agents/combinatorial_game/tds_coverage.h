#pragma once

#include <cstddef>
#include <mutex>
#include <span>

#include "ntune/agents/combinatorial_game/tds.h"
#include "ntune/core/object_pool.h"
#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"

namespace ntune {

/// Solves every game by itself, within the limits of the options. Calls each(i, result) for every
/// game that is done, from any thread but never twice at once. Results do not depend on the number
/// of threads unless there is a limit of seconds. Ends early if `progress` says so. Throws
/// InputError as TdsOptions::check.
template <CombinatorialGame Game, class Each>
void tds_coverage(std::span<const Game> games, const TdsOptions& options, Parallel& parallel,
                  Progress& progress, Each&& each) {
  options.check();
  ObjectPool<TemperatureDiscovery<Game>> searches;
  std::mutex mutex;
  parallel.for_each(games.size(), [&](std::size_t i) {
    const TdsResult<Game> result = searches.borrow(options)->solve(games[i], &progress.stop);
    const std::lock_guard lock(mutex);
    if (progress.stop) return;
    ++progress.done;
    each(i, result);
  });
}

}  // namespace ntune
