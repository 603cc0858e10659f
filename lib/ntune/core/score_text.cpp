#include "ntune/core/score_text.h"

#include <cmath>

#include <fmt/format.h>

namespace ntune {

std::string score_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.1f}", value);
  if (size >= 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4f}", value);
}

std::string signed_score_text(double value) { return (value >= 0 ? "+" : "") + score_text(value); }

std::string score_interval_text(const Interval& interval) {
  return fmt::format("[{}, {}]", score_text(interval.low), score_text(interval.high));
}

std::string score_interval_text(const std::optional<Interval>& interval) {
  return interval ? score_interval_text(*interval) : "-";
}

}  // namespace ntune
