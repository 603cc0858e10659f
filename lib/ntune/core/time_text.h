#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ntune {

/// "2026-11-21T09:15:02.123456", local time; with ' ' in place of T for SQL.
std::string local_time_text(std::chrono::system_clock::time_point time, char separator = 'T');
/// "2026-11-21T09:15:02.123456Z", universal time.
std::string universal_time_text(std::chrono::system_clock::time_point time);
/// The time that such a text begins with, if it does: universal where it has a Z, else local.
std::optional<std::chrono::system_clock::time_point> read_time(std::string_view text);

/// Microseconds from the begin of 1970 on, rounded down.
inline std::int64_t micros_of(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace ntune
