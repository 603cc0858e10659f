#include "apps/common/progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/clock.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/plot/svg_text.h"

namespace ntune::cli {

namespace {

/// So much of `last` is worth more than a long bar, the unit, `more` and the rate.
constexpr std::size_t kLastWidth = 28;

/// What a line has room for.
struct Layout {
  std::size_t bar;
  bool unit;
  bool more;
  bool rate;
};
constexpr Layout kAll{.bar = 0, .unit = true, .more = true, .rate = true};
/// By width, the widest first.
constexpr std::array kLayouts = {Layout{24, true, true, true},    Layout{10, true, true, true},
                                 Layout{10, false, true, true},   Layout{10, false, false, true},
                                 Layout{10, false, false, false}, Layout{0, false, false, false}};

/// A text that does not move what follows it while it grows.
std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string share_text(const ProgressView& view) {
  if (view.total == 0) return {};
  const double share = static_cast<double>(view.done) / static_cast<double>(view.total);
  return fmt::format("{:3.0f} %", 100.0 * std::min(1.0, share));
}

std::string count_of(const ProgressView& view, bool with_unit, bool steady) {
  std::string text = count_text(static_cast<double>(view.done));
  if (view.total > 0) {
    const std::string total = count_text(static_cast<double>(view.total));
    text = padded(text, steady ? total.size() : 0) + " of " + total;
  }
  return with_unit ? text + ' ' + view.unit : text;
}

/// Evaluations of this process in a second. What is recalled may be counted a moment earlier there.
double rate_of(const ProgressView& view, double seconds) {
  return static_cast<double>(std::max<std::int64_t>(0, view.done - view.before)) / seconds;
}

std::string rate_text(double rate) {
  return fmt::format("{}/s", rate < 100 ? fmt::format("{:.1f}", rate) : count_text(rate));
}

/// Empty where the end is not known.
std::string left_text(const ProgressView& view, double rate) {
  if (view.seconds_limit > 0.0) {
    return duration_text(std::ceil(std::max(0.0, view.seconds_limit - view.seconds_used))) +
           " of time left";
  }
  if (view.total == 0) return {};
  if (rate <= 0.0) return "waiting for the first result";
  const auto left = static_cast<double>(std::max<std::int64_t>(0, view.total - view.done));
  return duration_text(std::ceil(left / rate)) + " left";
}

std::string bar_text(const ProgressView& view, std::size_t columns) {
  const auto width = static_cast<std::int64_t>(columns);
  std::int64_t filled = view.total > 0 ? std::min(width, view.done * width / view.total) : 0;
  if (view.seconds_limit > 0.0) {
    const double share = std::min(1.0, view.seconds_used / view.seconds_limit);
    filled = std::max(filled, static_cast<std::int64_t>(share * static_cast<double>(width)));
  }
  std::string bar;
  for (std::int64_t i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

/// `steady`: every part has as many columns as it will need.
std::string middle_text(const ProgressView& view, double seconds, const Layout& layout,
                        bool steady) {
  constexpr std::size_t kRateWidth = 7;   // "1,234/s"
  constexpr std::size_t kLeftWidth = 14;  // "119.9 min left"
  const double rate = rate_of(view, seconds);
  std::vector<std::string> parts = {share_text(view), count_of(view, layout.unit, steady)};
  if (layout.more) parts.push_back(view.more);
  if (layout.rate) parts.push_back(padded(rate_text(rate), steady ? kRateWidth : 0));
  const std::string left = left_text(view, rate);
  if (!left.empty()) parts.push_back(padded(left, steady ? kLeftWidth : 0));
  std::erase(parts, std::string());
  return fmt::format("{}", fmt::join(parts, "  "));
}

}  // namespace

std::string progress_text(const ProgressView& view, double seconds) {
  return middle_text(view, seconds, kAll, false);
}

std::string progress_line(const ProgressView& view, double seconds, std::size_t characters) {
  // Of the text only names in `more` and `last` may hold others than ASCII: bytes are not too few.
  const std::size_t end = view.last.empty() ? 0 : kLastWidth + 2;
  std::string text;
  for (const Layout& layout : kLayouts) {
    text = middle_text(view, seconds, layout, true);
    const std::size_t bar = layout.bar > 0 ? layout.bar + 1 : 0;
    const bool fits = bar + text.size() + end <= characters;
    if (fits && bar > 0) text = bar_text(view, layout.bar) + ' ' + text;
    if (fits) break;
  }
  if (!view.last.empty()) text += "  " + view.last;
  return shortened(text, characters);
}

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
