#include "apps/ntune/progress.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kLineEvery = std::chrono::seconds(10);
constexpr auto kFirstDraw = std::chrono::milliseconds(300);

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressDisplay::ProgressDisplay(StudyProgress& progress, const Terminal& terminal, bool quiet)
    : progress_(progress), terminal_(terminal), quiet_(quiet), thread_([this] { watch(); }) {}

ProgressDisplay::~ProgressDisplay() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (shown_ && terminal_.live) terminal_.err << "\r\x1b[K" << std::flush;
}

double ProgressDisplay::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void ProgressDisplay::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kRedraw, [this] { return finished_; })) {
    if (terminal_.interrupted != nullptr && *terminal_.interrupted) progress_.stop = true;
    if (!quiet_) show();
  }
}

void ProgressDisplay::show() {
  const Clock::time_point now = Clock::now();
  if (now - start_ < kFirstDraw) return;
  if (!terminal_.live && now - last_line_ < kLineEvery) return;
  last_line_ = now;
  const auto done = static_cast<double>(progress_.evaluations.load());
  const auto total = static_cast<double>(std::max<std::int64_t>(1, progress_.total_evaluations));
  const double rate = done / seconds();
  const double share = std::min(1.0, done / total);
  const std::string left =
      rate > 0.0 ? duration_text((total - done) / rate) + " left" : "waiting for the first result";
  const std::string text = fmt::format(
      "{:3.0f} %  {} of {} evaluations  {} of {} runs  {}/s  {}", 100.0 * share, count_text(done),
      count_text(total), count_text(static_cast<double>(progress_.runs.load())),
      count_text(static_cast<double>(progress_.total_runs)),
      rate < 100 ? fmt::format("{:.1f}", rate) : count_text(rate), left);
  if (!terminal_.live) {
    terminal_.err << text << std::endl;
    return;
  }
  constexpr int kWidth = 24;
  const int filled = static_cast<int>(share * kWidth);
  std::string bar;
  for (int i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  terminal_.err << "\r\x1b[K" << bar << ' ' << text << std::flush;
  shown_ = true;
}

}  // namespace ntune::cli
