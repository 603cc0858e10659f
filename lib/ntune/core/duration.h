#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ntune/core/options.h"

namespace ntune {

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
