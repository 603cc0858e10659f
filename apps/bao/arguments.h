#pragma once

#include "apps/bao/players.h"
#include "apps/common/arguments.h"
#include "apps/common/progress.h"
#include "ntune/core/parallel.h"

namespace ntune::bao {

using cli::Format;
using cli::OutputArguments;
using cli::rng_of;

/// act(progress, parallel) with a display of `total` games. True if it was interrupted.
template <class Act>
bool interrupted_while(std::int64_t total, const OutputArguments& output,
                       const cli::Terminal& terminal, Act act) {
  Progress progress;
  progress.total = total;
  Parallel parallel(output.threads);
  const cli::ProgressDisplay display(progress, "games", terminal, output.quiet);
  act(progress, parallel);
  return progress.stop;
}

}  // namespace ntune::bao
