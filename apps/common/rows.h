#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "apps/common/arguments.h"
#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"

namespace ntune::cli {

/// The rows, objects of the same keys, as CSV with a header; null is an empty field.
std::string csv_text(const std::vector<Json>& rows);

/// A result in the form that is asked for: JSON as it is, rows as CSV, or the text.
void print_result(std::ostream& out, Format format, const Json& json, const std::vector<Json>& rows,
                  const std::string& text);

/// "0.463 [0.433, 0.493]"; "-" for NaN.
std::string interval_text(double value, const Interval& interval);

}  // namespace ntune::cli
