#include "apps/common/progress.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"

namespace ntune::cli {

namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineEvery = std::chrono::minutes(1);
/// What ends before shows no line at all, so that nothing flickers.
constexpr auto kFirstDraw = std::chrono::milliseconds(300);

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

/// "50 %  5 of 10 games  2 of 4 runs  1.2/s  4 s left".
std::string view_text(const ProgressView& view, double seconds) {
  const auto done = static_cast<double>(view.done);
  const auto total = static_cast<double>(view.total);
  const double rate = done / seconds;
  std::string text;
  if (view.total > 0) {
    text = fmt::format("{:3.0f} %  {} of {} {}", 100.0 * std::min(1.0, done / total),
                       count_text(done), count_text(total), view.unit);
  } else {
    text = fmt::format("{} {}", count_text(done), view.unit);
  }
  if (!view.more.empty()) text += "  " + view.more;
  text += fmt::format("  {}/s", rate < 100 ? fmt::format("{:.1f}", rate) : count_text(rate));
  if (view.seconds_limit > 0.0) {
    return text + fmt::format("  {} of time left",
                              duration_text(std::max(0.0, view.seconds_limit - view.seconds_used)));
  }
  if (view.total == 0) return text;
  if (rate == 0.0) return text + "  waiting for the first result";
  return text + fmt::format("  {} left", duration_text(std::max(0.0, total - done) / rate));
}

std::string bar_text(const ProgressView& view) {
  constexpr int kWidth = 24;
  std::int64_t filled =
      view.total > 0 ? std::min<std::int64_t>(kWidth, view.done * kWidth / view.total) : 0;
  if (view.seconds_limit > 0.0) {
    const double share = std::min(1.0, view.seconds_used / view.seconds_limit);
    filled = std::max(filled, static_cast<std::int64_t>(share * kWidth));
  }
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

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
  while (!wake_.wait_for(lock, kRedraw, [this] { return finished_; })) {
    if (terminal_.is_interrupted()) stop_ = true;
    if (!quiet_) show();
  }
}

/// Off a terminal a line a minute.
void ProgressDisplay::show_line() {
  if (Clock::now() - last_line_ < kLineEvery) return;
  last_line_ = Clock::now();
  const ProgressView view = look_();
  terminal_.err << view_text(view, seconds()) << '\n' << std::flush;
}

void ProgressDisplay::show() {
  if (!terminal_.live) return show_line();
  if (Clock::now() - start_ < kFirstDraw) return;
  const ProgressView view = look_();
  std::string text = "\r\x1b[K";
  for (const std::string& row : view.rows) text += row + '\n';
  std::string line = bar_text(view) + ' ' + view_text(view, seconds());
  if (!view.last.empty()) line += "  " + view.last;
  terminal_.err << text << shortened(line, columns() - 1) << std::flush;
  shown_ = true;
}

}  // namespace ntune::cli
