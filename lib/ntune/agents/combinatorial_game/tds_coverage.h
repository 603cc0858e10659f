#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "ntune/agents/combinatorial_game/tds.h"
#include "ntune/core/parallel.h"
#include "ntune/core/progress.h"

namespace ntune {

/// Solves every game on its own, each within the limits of the options, and calls each(i, result)
/// for every one that is done, from any thread but never twice at once. Results do not depend on
/// the number of threads unless there is a limit of seconds. Ends early if `progress` says so.
/// Throws InputError as TdsOptions::check.
template <CombinatorialGame Game, class Each>
void tds_coverage(std::span<const Game> games, const TdsOptions& options, Parallel& parallel,
                  Progress& progress, Each&& each) {
  options.check();
  std::mutex mutex;
  std::vector<std::unique_ptr<TemperatureDiscovery<Game>>> idle;  // guarded by the mutex
  parallel.for_each(games.size(), [&](std::size_t i) {
    std::unique_ptr<TemperatureDiscovery<Game>> search;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        search = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!search) search = std::make_unique<TemperatureDiscovery<Game>>(options);
    const TdsResult<Game> result = search->solve(games[i], &progress.stop);
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(search));
    if (progress.stop) return;
    ++progress.done;
    each(i, result);
  });
}

}  // namespace ntune
