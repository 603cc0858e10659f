#pragma once

#include <string>
#include <vector>

namespace ntune {

/// A table in plain text with aligned columns, a title row and rules between groups of rows.
class TextTable {
 public:
  /// Columns are aligned to the right; those whose title begins with '<' to the left, and the sign
  /// is not shown.
  explicit TextTable(std::vector<std::string> titles);
  void add_row(std::vector<std::string> cells);
  /// Adds a line of dashes.
  void add_rule();
  [[nodiscard]] std::string text() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace ntune
