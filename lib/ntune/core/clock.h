#pragma once

#include <chrono>
#include <cstdint>

namespace ntune {

/// The clock of durations and deadlines.
using Clock = std::chrono::steady_clock;

/// Seconds that have gone by since `begin`.
double seconds_since(Clock::time_point begin);

/// The deadline some seconds from now; a huge number means none.
Clock::time_point seconds_from_now(double seconds);

/// Nanoseconds on the clock, for differences.
std::int64_t clock_nanoseconds();

/// Processor time of this thread in seconds.
double thread_seconds();

}  // namespace ntune
