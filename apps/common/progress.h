#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "apps/common/progress_line.h"
#include "apps/common/terminal.h"
#include "ntune/core/clock.h"
#include "ntune/core/progress.h"

namespace ntune::cli {

/// Shows the progress of a computation from its own thread, and passes Ctrl-C on to it. On a
/// terminal: one line with a bar, rate and time left, removed at the end. Elsewhere a
/// line a minute.
class ProgressDisplay {
 public:
  /// `look` is called from another thread.
  ProgressDisplay(std::function<ProgressView()> look, std::atomic<bool>& stop,
                  const Terminal& terminal, bool quiet);
  ProgressDisplay(Progress& progress, const char* unit, const Terminal& terminal, bool quiet);
  /// Takes the line away.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  [[nodiscard]] double seconds() const;

 private:
  void watch();
  void show();
  void show_line();

  std::function<ProgressView()> look_;
  std::atomic<bool>& stop_;
  const Terminal& terminal_;
  bool quiet_;
  bool shown_ = false;
  bool finished_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_line_ = start_;  ///< when a line was written off a terminal
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace ntune::cli
