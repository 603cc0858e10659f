#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/data_table.h"
#include "ntune/plot/sample_box.h"
#include "ntune/report/figures/figures.h"

namespace ntune {

namespace {

constexpr std::size_t kMostRows = 40;
constexpr double kPageWidth = 680.0;  ///< pixels

using Rows = std::vector<std::vector<CallTime>>;

/// Seconds of a study, without those in which it stood still.
class WorkingTime {
 public:
  explicit WorkingTime(const std::vector<CallTime>& times) {
    double busy = 0.0;
    double until = 0.0;
    std::vector<std::pair<double, double>> gaps;
    for (const CallTime& time : times) {
      if (time.begin > until) gaps.emplace_back(until, time.begin);
      busy += std::max(0.0, time.end - std::max(until, time.begin));
      until = std::max(until, time.end);
    }
    // A gap of a tenth of the busy time is long; a hundredth of it is left to be seen.
    constexpr double kLongGap = 0.1;
    constexpr double kShown = 0.01;
    for (const auto& [begin, end] : gaps) {
      if (end - begin < kLongGap * busy) continue;
      cuts_.push_back({.begin = begin, .end = end, .left = kShown * busy});
    }
    total_ = at(until);
  }

  /// The place of a second on the axis, without what was cut out before it.
  [[nodiscard]] double at(double second) const {
    double away = 0.0;
    for (const Cut& cut : cuts_) {
      if (second >= cut.end) away += cut.end - cut.begin - cut.left;
    }
    return second - away;
  }
  [[nodiscard]] double total() const { return total_; }
  /// Where it stood still.
  [[nodiscard]] std::vector<double> cuts() const {
    std::vector<double> places;
    for (const Cut& cut : cuts_) places.push_back(at(cut.end) - 0.5 * cut.left);
    return places;
  }

 private:
  struct Cut {
    double begin = 0.0;
    double end = 0.0;
    double left = 0.0;  ///< what is shown of it
  };
  std::vector<Cut> cuts_;
  double total_ = 0.0;
};

/// What calls usually take.
struct UsualTime {
  explicit UsualTime(const std::vector<CallTime>& times) {
    std::vector<double> seconds;
    for (const CallTime& time : times) {
      if (!time.failed) seconds.push_back(time.end - time.begin);
    }
    if (seconds.empty()) return;
    std::ranges::sort(seconds);
    median = sorted_quantile(seconds, 0.5);
    // Far longer: three box lengths beyond the third quartile, and twice the median at least.
    const double quarter = sorted_quantile(seconds, 0.75) - sorted_quantile(seconds, 0.25);
    constexpr double kFar = 3.0;
    constexpr double kTimes = 2.0;
    far_longer = std::max(sorted_quantile(seconds, 0.75) + kFar * quarter, kTimes * median);
  }
  double median = 0.0;
  double far_longer = std::numeric_limits<double>::infinity();
};

/// The calls in rows, in each of which they do not overlap: each in the first row that is free.
Rows rows_of(const std::vector<CallTime>& times, double slack) {
  Rows rows;
  for (const CallTime& time : times) {
    const auto free = std::ranges::find_if(rows, [&](const std::vector<CallTime>& row) {
      return row.back().end <= time.begin + slack;
    });
    if (free == rows.end()) {
      rows.push_back({time});
    } else {
      free->push_back(time);
    }
  }
  return rows;
}

/// Calls drawn as one bar: a call, or short ones with hardly a gap between.
struct Bar {
  double begin = 0.0;
  double end = 0.0;
  enum class Kind { kUsual, kLong, kFailed } kind = Kind::kUsual;
  std::int64_t count = 0;
  std::int64_t number = 0;  ///< of the first call
  double seconds = 0.0;     ///< that it took
};

/// The bars of a row; calls shorter than `least` are joined.
std::vector<Bar> bars_of(const std::vector<CallTime>& row, const WorkingTime& clock,
                         const UsualTime& usual, double least) {
  std::vector<Bar> bars;
  for (const CallTime& time : row) {
    const double seconds = time.end - time.begin;
    Bar bar{.begin = clock.at(time.begin),
            .end = clock.at(time.end),
            .kind = time.failed                  ? Bar::Kind::kFailed
                    : seconds > usual.far_longer ? Bar::Kind::kLong
                                                 : Bar::Kind::kUsual,
            .count = 1,
            .number = time.number,
            .seconds = seconds};
    const bool is_short = bar.end - bar.begin < least;
    // A short call joins the bar before it if that is short or joined too and nearly touches it.
    const bool joins = is_short && !bars.empty() && bars.back().kind == bar.kind &&
                       bar.begin - bars.back().end < least &&
                       (bars.back().count > 1 || bars.back().end - bars.back().begin < least);
    if (joins) {
      bars.back().end = bar.end;
      ++bars.back().count;
    } else {
      bars.push_back(bar);
    }
  }
  return bars;
}

/// The bars of all rows: short calls become one, until all bars together can be drawn.
std::vector<std::vector<Bar>> bars_of_rows(const Rows& rows, const WorkingTime& clock,
                                           const UsualTime& usual) {
  constexpr std::size_t kMostBars = 3000;
  for (double least = 1.5 * clock.total() / kPageWidth;; least *= 2.0) {
    std::vector<std::vector<Bar>> bars;
    std::size_t count = 0;
    for (const std::vector<CallTime>& row : rows) {
      bars.push_back(bars_of(row, clock, usual, least));
      count += bars.back().size();
    }
    if (count <= kMostBars || least > clock.total()) return bars;
  }
}

/// "0.25 s".
std::string seconds_text(double seconds) { return fmt::format("{:.3g} s", seconds); }

/// What is said of a bar on hovering.
std::string tip_of(const Bar& bar) {
  if (bar.count > 1) {
    return fmt::format("{} calls from call {} on{}", count_text(bar.count), count_text(bar.number),
                       bar.kind == Bar::Kind::kFailed ? ", failed" : "");
  }
  return fmt::format("call {}: {}{}", count_text(bar.number), seconds_text(bar.seconds),
                     bar.kind == Bar::Kind::kFailed ? ", failed"
                     : bar.kind == Bar::Kind::kLong ? ", far longer than others"
                                                    : "");
}

/// Seconds, minutes or hours.
std::pair<double, const char*> time_unit(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  if (seconds < 3.0 * kMinute) return {1.0, "seconds"};
  return seconds < 3.0 * kHour ? std::pair(kMinute, "minutes") : std::pair(kHour, "hours");
}

/// The times as they were, with what was cut out.
DataTable table_of(const Rows& rows) {
  DataTable table{.columns = {"call", "row", "begin", "end", "failed"}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const CallTime& time : rows[row]) {
      table.rows.push_back({std::to_string(time.number), std::to_string(row + 1),
                            data_text(time.begin), data_text(time.end), time.failed ? "1" : "0"});
    }
  }
  return table;
}

}  // namespace

std::vector<Figure> timeline_figure(const ReportData& data) {
  const std::vector<CallTime>& times = data.calls.times;
  if (times.size() < 2) return {};
  // Times in which nothing ran are cut out; calls that overlap stand in different rows.
  const WorkingTime clock(times);
  if (clock.total() <= 0.0) return {};
  const UsualTime usual(times);
  Rows rows = rows_of(times, 0.02 * usual.median);
  const std::size_t all_rows = rows.size();
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  const std::vector<std::vector<Bar>> bars = bars_of_rows(rows, clock, usual);
  const auto [unit, unit_name] = time_unit(clock.total());
  Figure figure{.name = "timeline",
                .title = "When the calls were made",
                .description = fmt::format("{} in {} {}, up to {} at once.",
                                           counted(std::ssize(times), "call"),
                                           short_number(clock.total() / unit), unit_name, all_rows),
                .panel_height = std::max(28.0, 14.0 * static_cast<double>(rows.size())),
                .data = table_of(rows)};
  Panel panel{.x = {.label = unit_name, .low = 0.0, .high = clock.total() / unit}};
  // Failed and very long calls stand out and are at least two pixels wide.
  bool has[3] = {};
  std::vector<std::string> names;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    names.push_back(fmt::format("{}", rows.size() - row));
    const auto y = static_cast<double>(rows.size() - 1 - row);
    for (const Bar& bar : bars[row]) {
      has[static_cast<int>(bar.kind)] = true;
      const double least = bar.kind == Bar::Kind::kUsual ? 0.0 : 2.0 * clock.total() / kPageWidth;
      panel.marks.emplace_back(Block{.from = {bar.begin / unit, y - 0.36},
                                     .to = {std::max(bar.end, bar.begin + least) / unit, y + 0.36},
                                     .colour = bar.kind == Bar::Kind::kFailed ? kTruth : kInk,
                                     .opacity = bar.kind == Bar::Kind::kUsual ? 0.3 : 0.95,
                                     .tip = tip_of(bar)});
    }
  }
  // A dashed line stands where time was cut out.
  for (const double place : clock.cuts()) {
    panel.marks.emplace_back(Line{
        .points = {{place / unit, -0.5}, {place / unit, static_cast<double>(rows.size()) - 0.5}},
        .colour = kSoft,
        .width = 1.2,
        .dashed = true});
  }
  panel.y = category_axis("", names, true);
  figure.panels.push_back(std::move(panel));
  using Shape = LegendEntry::Shape;
  if (has[1] || has[2]) figure.legend.push_back({"a call", kInk, Shape::kBand});
  if (has[1]) figure.legend.push_back({"far longer than others", kInk, Shape::kBlock});
  if (has[2]) figure.legend.push_back({"failed", kTruth, Shape::kBlock});
  figure.caption = fmt::format(
      "A bar from the begin to the end of each call, short ones together; a row for each that was "
      "under way at once{}. The journal does not say which worker made a call.",
      all_rows > rows.size() ? fmt::format(", the first {} of {}", rows.size(), all_rows) : "");
  if (has[1]) {
    figure.caption += fmt::format(" Far longer: more than {}, the median is {}.",
                                  seconds_text(usual.far_longer), seconds_text(usual.median));
  }
  if (!clock.cuts().empty()) figure.caption += " Dashed: the study stood still, which is left out.";
  return {figure};
}

}  // namespace ntune
