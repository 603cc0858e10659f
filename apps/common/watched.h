#pragma once

#include <cstdint>

#include "apps/common/arguments.h"
#include "apps/common/progress.h"
#include "apps/common/terminal.h"
#include "ntune/core/progress.h"

namespace ntune::cli {

/// Thrown where a person has ended a computation that has no result then: the program prints
/// nothing and ends with kInterrupted.
struct Interrupted {};

/// The result of act(progress), with a display of `total` steps meanwhile; `seconds` grows by the
/// time that it takes. Throws Interrupted.
template <class Act>
auto watched(std::int64_t total, const char* unit, const OutputArguments& output,
             const Terminal& terminal, const Act& act, double* seconds = nullptr) {
  Progress progress;
  progress.total = total;
  const ProgressDisplay display(progress, unit, terminal, output.quiet);
  auto result = act(progress);
  if (progress.stop) throw Interrupted();
  if (seconds != nullptr) *seconds += display.seconds();
  return result;
}

}  // namespace ntune::cli
