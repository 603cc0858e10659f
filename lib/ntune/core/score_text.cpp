#include "ntune/core/score_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ntune {

namespace {

/// What the last digit of score_text is worth.
double resolution_of(double value) {
  const double size = std::abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) {
    return std::pow(10.0, std::floor(std::log10(size)) - 3.0);
  }
  return size >= 1000 ? 0.1 : size >= 10 ? 0.01 : 1e-4;
}

}  // namespace

std::string score_text(double value, const std::optional<Interval>& interval) {
  const double length = interval ? interval->high - interval->low : 0.0;
  const double largest =
      interval ? std::max(std::abs(interval->low), std::abs(interval->high)) : 0.0;
  constexpr double kRounding = 1e-12;  // what it leaves of a mean of 0
  if (!std::isfinite(length) || !std::isfinite(value)) return score_text(value);
  // An interval of another value, on a larger scale, says nothing of what rounding leaves here.
  const bool within = interval && interval->low <= value && value <= interval->high;
  if (within && std::abs(value) < kRounding * length) return score_text(0.0);
  if (interval && length == 0.0 && std::abs(value) >= 1e5) return fmt::format("{:.15g}", value);
  constexpr double kMostLost = 1.0 / 3.0;
  if (!(length > 0.0) || resolution_of(value) <= kMostLost * length) return score_text(value);
  constexpr int kMostDigits = 15;
  const double orders = std::floor(std::log10(std::max(largest, std::abs(value)) / length));
  return fmt::format("{:.{}g}", value, std::clamp(static_cast<int>(orders) + 3, 4, kMostDigits));
}

std::string signed_score_text(double value, const std::optional<Interval>& interval) {
  return (value >= 0 ? "+" : "") + score_text(value, interval);
}

std::string score_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.1f}", value);
  if (size >= 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4f}", value + 0.0);  // never -0
}

std::string signed_score_text(double value) { return (value >= 0 ? "+" : "") + score_text(value); }

std::string score_interval_text(const Interval& interval) {
  return fmt::format("[{}, {}]", score_text(interval.low, interval),
                     score_text(interval.high, interval));
}

std::string score_interval_text(const std::optional<Interval>& interval) {
  return interval ? score_interval_text(*interval) : "-";
}

}  // namespace ntune
