#pragma once

#include <optional>

#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"

namespace ntune {

// Fields of result.json, which may be absent or null.

std::optional<double> number_at(const Json& json, const char* key);
/// An array of two numbers; null in place of one: there it has no end.
std::optional<Interval> interval_at(const Json& json, const char* key);

}  // namespace ntune
