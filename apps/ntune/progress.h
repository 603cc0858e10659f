#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "apps/ntune/cli.h"
#include "ntune/study/study.h"

namespace ntune::cli {

/// Shows the progress of a study from its own thread, and passes Ctrl-C on to it. On a terminal:
/// one line with a bar, rate and time left, removed at the end. Elsewhere: a line every ten
/// seconds.
class ProgressDisplay {
 public:
  ProgressDisplay(StudyProgress& progress, const Terminal& terminal, bool quiet);
  /// Takes the line away.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  [[nodiscard]] double seconds() const;

 private:
  void watch();
  void show();

  StudyProgress& progress_;
  const Terminal& terminal_;
  bool quiet_;
  bool shown_ = false;
  bool finished_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_line_ = start_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace ntune::cli
