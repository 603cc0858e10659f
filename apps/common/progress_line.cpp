#include "apps/common/progress_line.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/text.h"
#include "ntune/plot/svg_text.h"

namespace ntune::cli {

namespace {

constexpr std::size_t kBarWidth = 24;
/// So much of `last` is worth more than the bar, the unit and `more`.
constexpr std::size_t kLastWidth = 28;

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string share_text(const ProgressView& view) {
  if (view.total == 0) return {};
  const double share = static_cast<double>(view.done) / static_cast<double>(view.total);
  return fmt::format("{:3.0f} %", 100.0 * std::min(1.0, share));
}

std::string count_of(const ProgressView& view, bool with_unit) {
  std::string text = count_text(static_cast<double>(view.done));
  if (view.total > 0) text += " of " + count_text(static_cast<double>(view.total));
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
    return duration_text(std::max(0.0, view.seconds_limit - view.seconds_used)) + " of time left";
  }
  if (view.total == 0) return {};
  if (rate <= 0.0) return "waiting for the first result";
  const auto left = static_cast<double>(std::max<std::int64_t>(0, view.total - view.done));
  return duration_text(left / rate) + " left";
}

std::string bar_text(const ProgressView& view) {
  constexpr auto kWidth = static_cast<std::int64_t>(kBarWidth);
  std::int64_t filled = view.total > 0 ? std::min(kWidth, view.done * kWidth / view.total) : 0;
  if (view.seconds_limit > 0.0) {
    const double share = std::min(1.0, view.seconds_used / view.seconds_limit);
    filled = std::max(filled, static_cast<std::int64_t>(share * static_cast<double>(kWidth)));
  }
  std::string bar;
  for (std::int64_t i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

std::string middle_text(const ProgressView& view, double seconds, bool with_unit, bool with_more) {
  const double rate = rate_of(view, seconds);
  std::vector<std::string> parts = {share_text(view), count_of(view, with_unit)};
  if (with_more) parts.push_back(view.more);
  parts.push_back(rate_text(rate));
  parts.push_back(left_text(view, rate));
  std::erase(parts, std::string());
  return fmt::format("{}", fmt::join(parts, "  "));
}

}  // namespace

std::string progress_text(const ProgressView& view, double seconds) {
  return middle_text(view, seconds, true, true);
}

std::string progress_line(const ProgressView& view, double seconds, std::size_t characters) {
  // Of the text only names in `more` and `last` may hold others than ASCII: bytes are not too few.
  const std::size_t end = view.last.empty() ? 0 : std::min(view.last.size(), kLastWidth) + 2;
  std::string text = progress_text(view, seconds);
  const bool with_bar = kBarWidth + 1 + text.size() + end <= characters;
  if (!with_bar && text.size() + end > characters) text = middle_text(view, seconds, false, true);
  if (!with_bar && text.size() + end > characters) text = middle_text(view, seconds, false, false);
  if (with_bar) text = bar_text(view) + ' ' + text;
  if (!view.last.empty()) text += "  " + view.last;
  return shortened(text, characters);
}

}  // namespace ntune::cli
