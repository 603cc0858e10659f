#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Throws ParameterFault if the values are more than a parameter may have.
void check_count(double count) {
  if (count <= kMaxValues) return;
  throw ParameterFault(fmt::format("gives {} values, at most {} are allowed",
                                   count < 0x1p63 ? count_text(count) : "too many",
                                   count_text(kMaxValues)));
}

/// Throws ParameterFault unless both ends are finite and in order.
void check_ends(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) {
    throw ParameterFault(fmt::format("is from {} to {}, finite numbers are allowed",
                                     number_text(low), number_text(high)));
  }
  if (low > high) {
    throw ParameterFault(fmt::format("is from {} to {}, the low end may not be above the high end",
                                     number_text(low), number_text(high)));
  }
}

/// The power of ten of the first digit of x; far below all others for 0.
int decimal_exponent(double x) {
  constexpr int kBelowAllDoubles = -400;
  return x == 0.0 ? kBelowAllDoubles : static_cast<int>(std::floor(std::log10(std::abs(x))));
}

/// The multiple of 10^exponent nearest to x, and 0 for all that is smaller than one such unit; x
/// itself where a double cannot tell the difference.
double round_decimal(double x, int exponent) {
  if (x == 0.0) return 0.0;
  const int digits = decimal_exponent(x) - exponent + 1;
  constexpr int kDigitsOfDouble = 17;
  // Below one unit there is only the noise of arithmetic about 0; more than 17 digits change
  // nothing.
  if (digits < 1) return 0.0;
  if (digits > kDigitsOfDouble) return x;
  // Printing and reading back rounds to a decimal exactly, which a division and a product do not.
  return *decimal_number(fmt::format("{:.{}e}", x, digits - 1));
}

/// Removes the rounding noise of arithmetic (0.3 for 0.1 * 3). Rounds to a multiple of 10^exponent,
/// or of a smaller power of ten if the values lie closer together.
double clean(double x, int exponent, double spacing) {
  return round_decimal(x, std::min(exponent, decimal_exponent(spacing) - 4));
}

/// The power of ten to whose multiples values of ranges are rounded: their noise is about 10^-16 of
/// the larger end.
int exponent_between(double low, double high) {
  return decimal_exponent(std::max(std::abs(low), std::abs(high))) - 12;
}

/// The power of ten to whose multiples values of log ranges are rounded: pow leaves a relative
/// noise of up to 10^-13.
int exponent_at(double x) { return decimal_exponent(x) - 11; }

/// The values low …, interior(t) …, high with t in (0, 1) at equal distances.
std::vector<Value> spread(double low, double high, int points, Ends ends,
                          const std::function<double(double t, double distance)>& interior) {
  if (points < 1) throw ParameterFault(fmt::format("has {} points, at least 1 is needed", points));
  check_count(points);
  check_ends(low, high);
  const bool closed = ends.low_included && ends.high_included;
  if (low == high && closed && points == 1) return {low};
  if (low == high) {
    throw ParameterFault(fmt::format("is from {} to {}, which leaves room for {}", number_text(low),
                                     number_text(high), closed ? "one point" : "no point"));
  }
  if (closed && points == 1) {
    throw ParameterFault("has 1 point, at least 2 are needed to include both ends");
  }
  // Each end that is left out is still one step away from the nearest value.
  const int intervals = points + 1 - (ends.low_included ? 1 : 0) - (ends.high_included ? 1 : 0);
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(points));
  for (int i = ends.low_included ? 0 : 1; std::ssize(values) < points; ++i) {
    // The ends are taken as they are, so that they compare equal to what the user wrote.
    if (i == 0 || i == intervals) {
      values.emplace_back(i == 0 ? low : high);
    } else {
      values.emplace_back(interior(static_cast<double>(i) / intervals, 1.0 / intervals));
    }
  }
  return values;
}

/// Throws ParameterFault if rounding has made values equal.
void check_distinct(const std::vector<Value>& values, double low, double high) {
  if (are_ordered(values)) return;
  throw ParameterFault(
      fmt::format("has {} values from {} to {}, which are too close together to tell apart",
                  values.size(), number_text(low), number_text(high)));
}

}  // namespace

std::vector<Value> integer_values(std::int64_t low, std::int64_t high, std::int64_t step) {
  if (step < 1) throw ParameterFault(fmt::format("has the step {}, at least 1 is needed", step));
  if (low > high) {
    throw ParameterFault(
        fmt::format("is from {} to {}, the low end may not be above the high end", low, high));
  }
  // Unsigned arithmetic holds the distance of any two 64-bit integers without overflow.
  const std::uint64_t extent = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t last = extent / static_cast<std::uint64_t>(step);
  check_count(static_cast<double>(last) + 1.0);
  std::vector<Value> values;
  values.reserve(last + 1);
  for (std::uint64_t i = 0; i <= last; ++i) {
    values.emplace_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                                  i * static_cast<std::uint64_t>(step)));
  }
  return values;
}

std::vector<Value> range_values(double low, double high, int points, Ends ends) {
  auto values = spread(low, high, points, ends, [&](double t, double distance) {
    return clean(std::lerp(low, high, t), exponent_between(low, high),
                 high * distance - low * distance);
  });
  check_distinct(values, low, high);
  return values;
}

std::vector<Value> step_values(double low, double high, double step, Ends ends) {
  if (!(step > 0.0) || !std::isfinite(step)) {
    throw ParameterFault(
        fmt::format("has the step {}, a finite number above 0 is needed", number_text(step)));
  }
  check_ends(low, high);
  constexpr double kSlack = 1e-9;
  // Halves keep the difference finite for ends of opposite sign near the largest double.
  const double steps = (high / 2.0 - low / 2.0) / step * 2.0;
  // A step that misses the high end by rounding alone still reaches it.
  check_count(std::floor(steps + kSlack) + 1.0);
  const int last = static_cast<int>(std::floor(steps + kSlack));
  const int exponent = exponent_between(low, high);
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(last) + 1);
  for (int i = 0; i <= last; ++i) {
    const bool at_low = i == 0;
    const bool at_high = i == last && steps - last <= kSlack;
    if ((at_low && !ends.low_included) || (at_high && !ends.high_included)) continue;
    if (at_low || at_high) {
      values.emplace_back(at_low ? low : high);
    } else {
      values.emplace_back(clean(low + i * step, exponent, step));
    }
  }
  if (values.empty()) {
    throw ParameterFault(fmt::format("from {} to {} by {} holds no value: its ends are left out",
                                     number_text(low), number_text(high), number_text(step)));
  }
  check_distinct(values, low, high);
  return values;
}

std::vector<Value> log_range_values(double low, double high, int points, Ends ends) {
  if (!(low > 0.0)) {
    throw ParameterFault(
        fmt::format("has the low end {}, a number above 0 is needed", number_text(low)));
  }
  auto values = spread(low, high, points, ends, [&](double t, double distance) {
    // A product of powers stays finite where high / low would overflow.
    const double x = std::pow(low, 1.0 - t) * std::pow(high, t);
    return clean(x, exponent_at(x), x * (std::log(high) - std::log(low)) * distance);
  });
  check_distinct(values, low, high);
  return values;
}

}  // namespace ntune
