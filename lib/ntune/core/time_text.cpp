#include "ntune/core/time_text.h"

#include <cstdio>
#include <ctime>

#include <fmt/format.h>

namespace ntune {

namespace {

using Wall = std::chrono::system_clock;

constexpr std::int64_t kMicros = 1'000'000;

/// Microseconds of the second that a time lies in.
std::int64_t fraction_of(std::int64_t micros) { return ((micros % kMicros) + kMicros) % kMicros; }

std::string text_of(const std::tm& parts, std::int64_t fraction, char separator) {
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}.{:06}", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, separator, parts.tm_hour, parts.tm_min,
                     parts.tm_sec, fraction);
}

}  // namespace

std::string local_time_text(Wall::time_point time, char separator) {
  const std::int64_t micros = micros_of(time);
  const std::time_t seconds = (micros - fraction_of(micros)) / kMicros;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return text_of(parts, fraction_of(micros), separator);
}

std::string universal_time_text(Wall::time_point time) {
  const std::int64_t micros = micros_of(time);
  const std::time_t seconds = (micros - fraction_of(micros)) / kMicros;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return text_of(parts, fraction_of(micros), 'T') + 'Z';
}

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

}  // namespace ntune
