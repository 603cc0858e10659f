#pragma once

#include <string>
#include <vector>

namespace ntune {

/// A plain text table: the first column and others named so to the left, numbers to the right.
class TextTable {
 public:
  /// Columns whose title starts with '<' are set to the left (without the sign).
  explicit TextTable(std::vector<std::string> titles);
  void add_row(std::vector<std::string> cells);
  /// A line between groups.
  void add_rule();
  [[nodiscard]] std::string text() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace ntune
