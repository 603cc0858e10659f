#include "ntune/plot/axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Adds what a mark covers of one axis.
struct Cover {
  ValueRange& range;
  bool horizontal;

  void add(const Place& place) const {
    const double value = horizontal ? place.x : place.y;
    if (std::isfinite(value)) range.add(value);
  }
  void operator()(const Line& line) const {
    for (const Place& place : line.points) add(place);
  }
  void operator()(const Band& band) const {
    for (const Place& place : band.low) add(place);
    for (const Place& place : band.high) add(place);
  }
  void operator()(const Dot& dot) const { add(dot.at); }
  void operator()(const Scatter& scatter) const {
    for (const Place& place : scatter.points) add(place);
  }
  void operator()(const Whisker& whisker) const {
    add(whisker.from);
    add(whisker.to);
  }
  void operator()(const Block& block) const {
    add(block.from);
    add(block.to);
  }
  void operator()(const Note& note) const { add(note.at); }
};

/// 1, 2 or 5 times a power of ten, so that about `wanted` steps cover the span.
double nice_step(double span, int wanted) {
  // The wanted step is rounded to the nearest of 1, 2, 5 and 10 on a logarithmic scale, about.
  const double rough = span / std::max(1, wanted);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double factor = rough / power;
  return power * (factor < 1.5 ? 1.0 : factor < 3.5 ? 2.0 : factor < 7.5 ? 5.0 : 10.0);
}

/// A tick's number with the decimals that tell it from its neighbours.
std::string tick_text(double value, double step) {
  // A sum of steps may miss 0 by rounding, and "-0.0" would be shown.
  if (std::abs(value) < step * 1e-6) return "0";
  const double size = std::abs(value);
  if (size >= 1e7 || (size < 1e-4 && step < 1e-4)) return fmt::format("{:.3g}", value);
  // The step's first digit gives the decimals; the slack keeps log10 of a power of ten from falling
  // short.
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 8);
  if (decimals == 0) return count_text(std::round(value));
  return fmt::format("{:.{}f}", value, decimals);
}

/// Ticks at multiples of a nice step.
std::vector<Tick> linear_ticks(const Axis& axis, int wanted) {
  const double step = nice_step(axis.high - axis.low, wanted);
  const double slack = step * 1e-9;
  std::vector<Tick> ticks;
  // Each tick is a multiple of the step and not a sum, so that rounding does not grow. The slack
  // keeps ticks at the very ends.
  for (double k = std::ceil((axis.low - slack) / step); k * step <= axis.high + slack; k += 1.0) {
    ticks.push_back({k * step, tick_text(k * step, step)});
  }
  return ticks;
}

/// Ticks at these multiples of powers of ten.
std::vector<Tick> log_ticks_at(const std::vector<double>& factors, const Axis& axis, int every) {
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::floor(std::log10(axis.low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
  for (int power = first; power <= last; power += every) {
    for (const double factor : factors) {
      const double at = factor * std::pow(10.0, power);
      if (at < axis.low * (1 - 1e-9) || at > axis.high * (1 + 1e-9)) continue;
      ticks.push_back({at, short_number(at, 3)});
    }
  }
  return ticks;
}

/// Ticks at powers of ten, with others between them where fewer than 2.5 decades are shown, so that
/// there are three.
std::vector<Tick> log_ticks(const Axis& axis, int wanted) {
  constexpr std::size_t kFewest = 3;
  const double decades = std::log10(axis.high / axis.low);
  // With many decades only every second or third power has room.
  const int every = std::max(1, static_cast<int>(decades / std::max(1, wanted)));
  if (decades >= 2.5) return log_ticks_at({1.0}, axis, every);
  std::vector<Tick> ticks = log_ticks_at({1.0, 2.0, 5.0}, axis, every);
  if (ticks.size() < kFewest) ticks = log_ticks_at({1.0, 2.0, 3.0, 5.0, 7.0}, axis, every);
  return ticks.size() < kFewest ? linear_ticks(axis, wanted) : ticks;
}

}  // namespace

Axis category_axis(std::string label, std::vector<std::string> categories, bool numeric) {
  // Categories stand at 0, 1, …, with half a step of room at both ends.
  Axis axis{.label = std::move(label), .scale = Axis::Scale::kCategories};
  axis.low = -0.5;
  axis.high = static_cast<double>(categories.size()) - 0.5;
  axis.categories = std::move(categories);
  axis.numeric = numeric;
  return axis;
}

std::vector<Tick> number_ticks(const Axis& axis, int wanted) {
  std::vector<Tick> ticks =
      axis.scale == Axis::Scale::kLog ? log_ticks(axis, wanted) : linear_ticks(axis, wanted);
  if (axis.last_tick) {
    std::erase_if(ticks, [&](const Tick& tick) { return tick.at > *axis.last_tick; });
  }
  if (axis.whole) {
    std::erase_if(ticks, [](const Tick& tick) { return tick.at != std::floor(tick.at); });
    for (Tick& tick : ticks) tick.text = count_text(tick.at + 0.0);
  }
  for (Tick& tick : ticks) tick.text += axis.suffix;
  return ticks;
}

Axis fitted(Axis axis, const std::vector<Mark>& marks, bool horizontal) {
  // Ends that are given stay.
  if (axis.low < axis.high) return axis;
  ValueRange range;
  for (const Mark& mark : marks) std::visit(Cover{range, horizontal}, mark);
  // Without any marks an empty axis from 0 to 1 is shown.
  if (range.empty()) range = {0.0, 1.0};
  // Lines may run from edge to edge, ends of whiskers and dots may not lie on it.
  const bool apart = !horizontal || std::ranges::any_of(marks, [](const Mark& mark) {
    return std::holds_alternative<Whisker>(mark);
  });
  constexpr double kRoom = 0.04;
  // On a logarithmic axis the room is a factor, and ends must be positive.
  if (axis.scale == Axis::Scale::kLog) {
    axis.low = std::max(range.low, 1e-300);
    axis.high = std::max(range.high, axis.low * 1.001);
    const double factor = apart ? std::pow(axis.high / axis.low, kRoom) : 1.0;
    axis.low /= factor;
    axis.high *= factor;
    return axis;
  }
  // Equal values get some room on both sides, in proportion to their size.
  if (range.low == range.high) {
    const double around = std::max(1e-9, std::abs(range.low) * 0.1);
    range = {range.low - around, range.high + around};
  }
  const double room = apart ? kRoom * (range.high - range.low) : 0.0;
  axis.low = range.low - room;
  axis.high = range.high + room;
  return axis;
}

double position(const Axis& axis, double value) {
  const double part =
      axis.scale == Axis::Scale::kLog
          ? std::log(std::max(value, 1e-300) / axis.low) / std::log(axis.high / axis.low)
          : (value - axis.low) / (axis.high - axis.low);
  return axis.reversed ? 1.0 - part : part;
}

std::string short_number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const double size = std::abs(value);
  // Numbers of four to seven digits are easier to read with commas than with an exponent.
  if (size >= 1000.0 && size < 1e7) return count_text(std::round(value));
  std::string text = fmt::format("{:.{}g}", value, digits);
  return text;
}

}  // namespace ntune
