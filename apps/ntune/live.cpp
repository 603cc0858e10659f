#include "apps/ntune/live.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/study/run/run_view.h"

namespace ntune::cli {

namespace {

/// A recommendation costs more than an ask: often enough for a reader, too seldom to slow a study.
constexpr std::int64_t kLookEveryMs = 400;
constexpr std::int64_t kRowsPerRun = 10;
constexpr std::size_t kLongestName = 40;

/// A value as the live line shows it.
std::string shown_value(const Value& value) { return printable(value_text(value), kLongestName); }

/// Four decimals, unless the number is too large or too small for them.
std::string estimate_text(double value) {
  const double size = std::abs(value);
  const bool fits = size == 0.0 || (size >= 1e-3 && size < 1e4);
  return fits ? fmt::format("{:.4f}", value) : score_text(value);
}

}  // namespace

/// True where a tenth of the run is over and rows are wanted.
bool LiveRecommendations::wants_row(const Request& request, std::int64_t iterations) const {
  const std::int64_t step = std::max<std::int64_t>(1, iterations / kRowsPerRun);
  return rows_wanted_ && request.key.index > 0 && request.key.index % step == 0;
}

/// True where the last look is a while ago.
bool LiveRecommendations::is_due() {
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
  // Of several threads that find it due, one takes the look.
  std::int64_t next = next_look_ms_.load(std::memory_order_relaxed);
  return now >= next && next_look_ms_.compare_exchange_strong(next, now + kLookEveryMs);
}

void LiveRecommendations::look(const Request& request, std::int64_t iterations) {
  if (request.view == nullptr || !request.view->has_measured()) return;
  const bool with_row = wants_row(request, iterations);
  if (!with_row && !is_due()) return;
  // A recommendation is made outside the lock, as it may take long.
  const Recommendation recommendation = request.view->recommend();
  const double estimate = request.objective->unit().value_of(recommendation.estimate);
  const SearchSpace& space = request.objective->space();
  const std::lock_guard lock(mutex_);
  // The line and the rows are read by other threads.
  find_widths(space);
  text_ = fmt::format("run {}: {:>7}", request.key.run, estimate_text(estimate));
  // Each parameter has the room of its longest value.
  for (int i = 0; i < space.dimensions(); ++i) {
    const bool active = space.is_active(recommendation.point, i);
    text_ += fmt::format("  {} {:<{}}", printable(space[i].name, kLongestName),
                         active ? shown_value(space.value(recommendation.point, i)) : "-",
                         widths_[static_cast<std::size_t>(i)]);
  }
  if (with_row) add_row(request, estimate, space.text(recommendation.point));
}

/// Finds the room of each parameter's longest value, so that no value moves the others.
void LiveRecommendations::find_widths(const SearchSpace& space) {
  constexpr std::size_t kWidest = 12;
  if (std::ssize(widths_) == space.dimensions()) return;
  widths_.assign(static_cast<std::size_t>(space.dimensions()), 1);
  for (int i = 0; i < space.dimensions(); ++i) {
    std::size_t& width = widths_[static_cast<std::size_t>(i)];
    for (const Value& value : space[i].values) {
      width = std::max(width, std::min(kWidest, shown_value(value).size()));
    }
  }
}

void LiveRecommendations::add_row(const Request& request, double estimate,
                                  const std::string& point) {
  constexpr std::size_t kMostWaiting = 1000;
  // Rows that nobody fetches do not grow without end.
  if (rows_.size() >= kMostWaiting) return;
  const auto row = [this](const auto& seconds, const auto& cell, const auto& repeat,
                          const auto& run, const auto& evaluations, const auto& value,
                          const std::string& text) {
    const std::string place = cells_ ? fmt::format(" {:>4} {:>6}", cell, repeat) : "";
    rows_.push_back(fmt::format("{:>7}{} {:>4} {:>11} {:>9}  {}", seconds, place, run, evaluations,
                                value, text));
  };
  // The names of the columns stand above the first row.
  if (!std::exchange(has_header_, true)) {
    row("seconds", "cell", "repeat", "run", "evaluations", "estimate", "recommendation");
  }
  row(fmt::format("{:.1f}", seconds_since(start_)), request.key.cell, request.key.repeat,
      request.key.run, count_text(request.key.index), fmt::format("{:.4g}", estimate),
      printable(point, 200));
}

std::string LiveRecommendations::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

std::vector<std::string> LiveRecommendations::take_rows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(rows_, {});
}

}  // namespace ntune::cli
