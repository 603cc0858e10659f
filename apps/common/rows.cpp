#include "apps/common/rows.h"

#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace {

std::string field(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    return std::isfinite(number) ? number_text(number) : "";
  }
  return csv_field(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

std::string csv_text(const std::vector<Json>& rows) {
  std::string text;
  const auto add_line = [&](const Json& row, auto cell) {
    std::string line;
    for (const auto& [key, value] : row.items()) line += "," + cell(key, value);
    text += line.substr(1) + '\n';
  };
  if (rows.empty()) return text;
  add_line(rows.front(), [](const std::string& key, const Json&) { return csv_field(key); });
  for (const Json& row : rows) {
    add_line(row, [](const std::string&, const Json& value) { return field(value); });
  }
  return text;
}

void print_result(std::ostream& out, Format format, const Json& json, const std::vector<Json>& rows,
                  const std::string& text) {
  switch (format) {
    case Format::kText:
      out << text;
      break;
    case Format::kJson:
      out << json.dump(2) << '\n';
      break;
    case Format::kCsv:
      out << csv_text(rows);
      break;
  }
}

std::string interval_text(double value, const Interval& interval) {
  if (std::isnan(value)) return "-";
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", value, interval.low, interval.high);
}

}  // namespace ntune::cli
