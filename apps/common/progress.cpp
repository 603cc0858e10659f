#include "apps/common/progress.h"

#include <ostream>
#include <utility>

#include "ntune/core/clock.h"
#include "ntune/plot/svg_text.h"

namespace ntune::cli {

namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLook = std::chrono::milliseconds(20);  ///< for signals, which programs get too
constexpr auto kLineEvery = std::chrono::minutes(1);
/// What ends before shows no line at all, so that nothing flickers.
constexpr auto kFirstDraw = std::chrono::milliseconds(300);

}  // namespace

ProgressDisplay::ProgressDisplay(std::function<ProgressView()> look, std::atomic<bool>& stop,
                                 const Terminal& terminal, bool quiet)
    : look_(std::move(look)), stop_(stop), terminal_(terminal), quiet_(quiet), thread_([this] {
        watch();
      }) {}

ProgressDisplay::ProgressDisplay(Progress& progress, const char* unit, const Terminal& terminal,
                                 bool quiet)
    : ProgressDisplay(
          [&progress, unit] {
            return ProgressView{.done = progress.done, .total = progress.total, .unit = unit};
          },
          progress.stop, terminal, quiet) {}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (shown_) show();  // rows that have come since
  if (shown_ && terminal_.live) terminal_.err << "\r\x1b[K" << std::flush;
}

double ProgressDisplay::seconds() const { return seconds_since(start_); }

void ProgressDisplay::watch() {
  std::unique_lock lock(mutex_);
  auto drawn = Clock::now();
  while (!wake_.wait_for(lock, kLook, [this] { return finished_; })) {
    if (terminal_.is_interrupted()) stop_ = true;
    if (quiet_ || Clock::now() - drawn < kRedraw) continue;
    drawn = Clock::now();
    show();
  }
}

/// Off a terminal a line a minute.
void ProgressDisplay::show_line() {
  if (Clock::now() - last_line_ < kLineEvery) return;
  last_line_ = Clock::now();
  const ProgressView view = look_();
  terminal_.err << progress_text(view, seconds()) << '\n' << std::flush;
}

void ProgressDisplay::show() {
  if (!terminal_.live) return show_line();
  if (Clock::now() - start_ < kFirstDraw) return;
  const ProgressView view = look_();
  std::string text = "\r\x1b[K";
  for (const std::string& row : view.rows) text += shortened(row, columns() - 1) + '\n';
  terminal_.err << text << progress_line(view, seconds(), columns() - 1) << std::flush;
  shown_ = true;
}

}  // namespace ntune::cli
