#include "ntune/plot/data_table.h"

#include <cmath>

#include "ntune/core/csv.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Appends a record with its line end.
void append_record(std::string& text, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(fields[i]);
  }
  text += '\n';
}

}  // namespace

std::string data_text(double value) { return std::isfinite(value) ? number_text(value) : ""; }

std::string data_text(const std::optional<double>& value) {
  return value ? data_text(*value) : std::string();
}

std::string csv_text(const DataTable& table) {
  std::string text;
  append_record(text, table.columns);
  for (const std::vector<std::string>& row : table.rows) append_record(text, row);
  return text;
}

}  // namespace ntune
