#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "apps/common/terminal.h"
#include "ntune/core/clock.h"
#include "ntune/core/progress.h"

namespace ntune::cli {

/// How far a computation is, for people.
struct ProgressView {
  std::int64_t done = 0;
  std::int64_t total = 0;              ///< at most; 0: not known
  std::int64_t before = 0;             ///< of `done`, those that an earlier process carried out
  double seconds_limit = 0.0;          ///< of wall clock; 0: none
  double seconds_used = 0.0;           ///< of it, when the last evaluation had ended
  std::string unit = {};               ///< plural, such as "games"
  std::string more = {};               ///< what else there is to say; may be empty
  std::string last = {};               ///< the same, at the end of the line
  std::vector<std::string> rows = {};  ///< lines to be printed above, once, cut to the terminal
};

/// "50 %  5 of 10 games  2 of 4 runs  1.2/s  4 s left", after so many seconds of this process.
std::string progress_text(const ProgressView& view, double seconds);

/// The same after a bar and before `view.last`, within so many characters, with room for what will
/// grow, so that nothing moves. Where they do not suffice the bar is shorter, then the unit goes,
/// then `view.more`, the rate and the bar; the end of `last` is cut.
std::string progress_line(const ProgressView& view, double seconds, std::size_t characters);

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
