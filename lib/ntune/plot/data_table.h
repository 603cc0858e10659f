#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ntune {

/// Numbers and words in rows, for a CSV file.
struct DataTable {
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};

  [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// A number whole, or an empty field.
std::string data_text(double value);
std::string data_text(const std::optional<double>& value);

/// The table as a CSV file with a line of names.
std::string csv_text(const DataTable& table);

}  // namespace ntune
