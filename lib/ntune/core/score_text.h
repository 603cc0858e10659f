#pragma once

#include <optional>
#include <string>

#include "ntune/core/statistics.h"

namespace ntune {

/// A score for a person: four significant digits, four decimals for numbers below ten.
std::string score_text(double value);

/// The same with its sign, "+" included.
std::string signed_score_text(double value);

/// A score beside its interval: with more digits where the interval would be lost in fewer. A large
/// one that is known exactly has all its digits.
std::string score_text(double value, const std::optional<Interval>& interval);
std::string signed_score_text(double value, const std::optional<Interval>& interval);

/// "[1.2000, 3.4000]", with the digits that the length of the interval needs.
std::string score_interval_text(const Interval& interval);
/// The same, or "-".
std::string score_interval_text(const std::optional<Interval>& interval);

}  // namespace ntune
