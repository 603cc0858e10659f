#include "apps/common/progress_line.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace ntune::cli
