#pragma once

#include <atomic>
#include <cstdint>

namespace ntune {

/// The state of a long computation while it runs, shared with those who watch or stop it.
struct Progress {
  std::atomic<std::int64_t> done = 0;
  std::atomic<std::int64_t> total = 0;  ///< 0: not known yet
  std::atomic<bool> stop = false;       ///< true: end soon; the result is then not complete
};

}  // namespace ntune
