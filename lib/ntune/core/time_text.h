#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ntune/core/options.h"

namespace ntune {

/// "2026-11-21T09:15:02.123456", local time.
std::string local_time_text(std::chrono::system_clock::time_point time);
/// "2026-11-21T09:15:02.123456Z", universal time.
std::string universal_time_text(std::chrono::system_clock::time_point time);
/// The time that such a text begins with, if it does: universal where it has a Z, else local.
std::optional<std::chrono::system_clock::time_point> read_time(std::string_view text);

/// Microseconds from the begin of 1970 on, rounded down.
inline std::int64_t micros_of(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

/// The seconds of "90", "5 s", "250 ms", "2h30m", "1 h 15 min", "3 days"; nothing if the text is no
/// duration. Units are ms, s, m or min, h, d and their English words; a number alone is seconds.
std::optional<double> read_duration(std::string_view text);

/// About that many seconds for a reader: "0.25 s", "42 s", "11.5 min", "8.6 h", "3.2 days".
std::string duration_text(double seconds);

/// Writes the seconds without rounding, as a study file has them: "5 s", "2 h 30 min", "0.25 s".
std::string exact_duration_text(double seconds);

/// An option that is a duration, written back in seconds. Bounds are of its seconds.
CustomOption duration_option(double& seconds, Bounds bounds);
/// An option that is a duration or `none`, where `none` is the default.
CustomOption duration_option(std::optional<double>& seconds, Bounds bounds);

}  // namespace ntune
