#include "ntune/core/time_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

using Wall = std::chrono::system_clock;

constexpr std::int64_t kMicros = 1'000'000;

/// Microseconds of the second that a time lies in.
std::int64_t fraction_of(std::int64_t micros) { return ((micros % kMicros) + kMicros) % kMicros; }

/// The time by a calendar of the C library, which takes seconds apart.
std::string text_of(Wall::time_point time, std::tm* (*calendar)(const std::time_t*, std::tm*)) {
  const std::int64_t micros = micros_of(time);
  const std::int64_t fraction = fraction_of(micros);
  const std::time_t seconds = (micros - fraction) / kMicros;
  std::tm parts{};
  calendar(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     fraction);
}

}  // namespace

std::string local_time_text(Wall::time_point time) { return text_of(time, localtime_r); }

std::string universal_time_text(Wall::time_point time) { return text_of(time, gmtime_r) + 'Z'; }

std::optional<Wall::time_point> read_time(std::string_view text) {
  constexpr std::size_t kLength = std::string_view("2026-11-21T09:15:02.123456").size();
  const std::string begin(text.substr(0, kLength));
  std::tm parts{};
  int fraction = 0;
  if (std::sscanf(begin.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%6d", &parts.tm_year, &parts.tm_mon,
                  &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &fraction) != 7) {
    return std::nullopt;
  }
  constexpr int kFirstYear = 1900;
  constexpr int kLastYear = 2200;  // what a clock of 64 bits can tell
  if (parts.tm_year < kFirstYear || parts.tm_year > kLastYear) return std::nullopt;
  parts.tm_year -= kFirstYear;
  parts.tm_mon -= 1;
  parts.tm_isdst = -1;
  const bool universal = text.substr(begin.size()).starts_with('Z');
  const std::time_t seconds = universal ? timegm(&parts) : std::mktime(&parts);
  return Wall::from_time_t(seconds) + std::chrono::microseconds(fraction);
}

namespace {

constexpr double kMinute = 60.0;
constexpr double kHour = 3600.0;
constexpr double kDay = 24.0 * kHour;

/// The names of units that a duration may have, with their seconds.
constexpr std::array<std::pair<std::string_view, double>, 15> kUnits = {{{"ms", 1e-3},
                                                                         {"s", 1.0},
                                                                         {"sec", 1.0},
                                                                         {"second", 1.0},
                                                                         {"seconds", 1.0},
                                                                         {"m", kMinute},
                                                                         {"min", kMinute},
                                                                         {"minute", kMinute},
                                                                         {"minutes", kMinute},
                                                                         {"h", kHour},
                                                                         {"hour", kHour},
                                                                         {"hours", kHour},
                                                                         {"d", kDay},
                                                                         {"day", kDay},
                                                                         {"days", kDay}}};

constexpr const char* kNone = "none";

/// Takes blanks off the beginning of the text.
void skip_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

/// The number that the text begins with, which is taken off.
std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || text.front() == '-') return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// The seconds of the unit that the text begins with, which is taken off.
std::optional<double> take_unit(std::string_view& text) {
  // The whole word is compared, so that "mins" is not read as "m".
  std::size_t length = 0;
  while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
  for (const auto& [name, seconds] : kUnits) {
    if (name != text.substr(0, length)) continue;
    text.remove_prefix(length);
    return seconds;
  }
  return std::nullopt;
}

/// The seconds of an option, or a failure at its node with the forms that are allowed.
double read_option(const YamlNode& node, const Bounds& bounds) {
  const auto seconds = node.is_scalar() ? read_duration(node.text()) : std::nullopt;
  if (!seconds || !bounds.contain(*seconds)) {
    node.fail(fmt::format("is {}, a duration such as 5 s, 10 min or 2h30m is allowed, {} seconds",
                          node.describe(), bounds.text()));
  }
  return *seconds;
}

/// The JSON Schema of a duration: a number of seconds or a text with units.
Json duration_schema(const Json& fallback) {
  Json schema = {{"type", {"number", "string"}}};
  if (!fallback.is_null()) schema["default"] = fallback;
  return schema;
}

}  // namespace

std::optional<double> read_duration(std::string_view text) {
  double seconds = 0.0;
  double last_unit = 0.0;
  skip_blanks(text);
  do {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    skip_blanks(text);
    // A number alone, with no unit before it, is seconds; "2 h 30" is no duration.
    if (text.empty() && last_unit == 0.0) return *number;
    const auto unit = take_unit(text);
    // Larger units come first: "30 m 2 h" is a slip.
    if (!unit || (last_unit > 0.0 && *unit >= last_unit)) return std::nullopt;
    last_unit = *unit;
    seconds += *number * *unit;
    skip_blanks(text);
  } while (!text.empty());
  return seconds;
}

std::string duration_text(double seconds) {
  // Each unit is used up to twice the next larger one, so that a number has two digits at least.
  constexpr double kSmall = 10.0;
  if (seconds < kSmall) return fmt::format("{:.2g} s", seconds);
  if (seconds < 2.0 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2.0 * kHour) return fmt::format("{:.1f} min", seconds / kMinute);
  if (seconds < 2.0 * kDay) return fmt::format("{:.1f} h", seconds / kHour);
  return fmt::format("{:.1f} days", seconds / kDay);
}

std::string exact_duration_text(double seconds) {
  // Fractions are not split into units: "0.25 s" reads back exactly.
  if (seconds < kMinute || seconds != std::floor(seconds)) return number_text(seconds) + " s";
  std::string text;
  // What is left after each unit is below one of it, so the text has each unit at most once.
  for (const auto& [unit, name] :
       {std::pair(kDay, "d"), {kHour, "h"}, {kMinute, "min"}, {1.0, "s"}}) {
    const double count = std::floor(seconds / unit);
    seconds -= count * unit;
    if (count > 0.0) text += fmt::format("{}{:.0f} {}", text.empty() ? "" : " ", count, name);
  }
  return text;
}

CustomOption duration_option(double& seconds, Bounds bounds) {
  return {.read = [&seconds, bounds](const YamlNode& node) { seconds = read_option(node, bounds); },
          .write = [&seconds] { return Json(seconds); },
          .schema = [&seconds] { return duration_schema(seconds); }};
}

CustomOption duration_option(std::optional<double>& seconds, Bounds bounds) {
  return {.read =
              [&seconds, bounds](const YamlNode& node) {
                // An absent value must replace one that an earlier reading has set.
                seconds = {};
                if (node.is_scalar() && node.text() == kNone) return;
                seconds = read_option(node, bounds);
              },
          .write = [&seconds] { return seconds ? Json(*seconds) : Json(kNone); },
          .schema = [] { return duration_schema(kNone); }};
}

}  // namespace ntune
