#include "apps/ntune/live.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/study/run/run_view.h"

namespace ntune::cli {

namespace {

/// A recommendation costs more than an ask: often enough for a reader, too seldom to slow a study.
constexpr std::int64_t kLookEveryMs = 400;
constexpr std::int64_t kRowsPerRun = 10;

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
  std::int64_t next = next_look_ms_.load(std::memory_order_relaxed);
  return now >= next && next_look_ms_.compare_exchange_strong(next, now + kLookEveryMs);
}

void LiveRecommendations::look(const Request& request, std::int64_t iterations) {
  if (request.view == nullptr || !request.view->has_measured()) return;
  const bool with_row = wants_row(request, iterations);
  if (!with_row && !is_due()) return;
  const Recommendation recommendation = request.view->recommend();
  const double estimate = request.objective->unit().value_of(recommendation.estimate);
  const SearchSpace& space = request.objective->space();
  const std::lock_guard lock(mutex_);
  order_by_change(recommendation.point);
  text_ = fmt::format("run {}: {:.4g}", request.key.run, estimate);
  for (const int i : order_) {
    text_ += fmt::format("{} {} = {}", i == order_.front() ? "" : ",", printable(space[i].name, 40),
                         printable(value_text(space.value(recommendation.point, i)), 40));
  }
  if (with_row) add_row(request, estimate, space.text(recommendation.point));
}

void LiveRecommendations::order_by_change(const Point& point) {
  if (!shown_ || shown_->size() != point.size()) {
    order_.resize(static_cast<std::size_t>(point.size()));
    std::iota(order_.begin(), order_.end(), 0);
  } else {
    std::stable_partition(order_.begin(), order_.end(),
                          [&](int i) { return point[i] != (*shown_)[i]; });
  }
  shown_ = point;
}

void LiveRecommendations::add_row(const Request& request, double estimate,
                                  const std::string& point) {
  constexpr std::size_t kMostWaiting = 1000;
  if (rows_.size() >= kMostWaiting) return;
  const auto row = [this](const auto& seconds, const auto& cell, const auto& repeat,
                          const auto& run, const auto& evaluations, const auto& value,
                          const std::string& text) {
    const std::string place = cells_ ? fmt::format(" {:>4} {:>6}", cell, repeat) : "";
    rows_.push_back(fmt::format("{:>7}{} {:>4} {:>11} {:>9}  {}", seconds, place, run, evaluations,
                                value, text));
  };
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
