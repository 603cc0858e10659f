#pragma once

#include <cstddef>
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
  /// Adds a line that names the rows that follow.
  void add_heading(const std::string& heading);
  [[nodiscard]] std::string text() const;
  /// The table in at most so many columns of a terminal. Words of a last column on the left go on
  /// below each other. A table that is still wider is broken into several, each with the first
  /// column, whose long names lose their middle.
  [[nodiscard]] std::string text_within(std::size_t columns = 80) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string text_of(const std::vector<std::size_t>& shown) const;
  void wrap_last(std::size_t columns);

  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule, a short one a heading
};

}  // namespace ntune
