#include "ntune/core/text_table.h"

#include <algorithm>

#include "ntune/core/text.h"

namespace ntune {

TextTable::TextTable(std::vector<std::string> titles) {
  for (std::string& title : titles) {
    left_.push_back(title.starts_with('<'));
    if (left_.back()) title.erase(0, 1);
  }
  rows_.push_back(std::move(titles));
  add_rule();
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(left_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_columns(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (i > 0) line += "  ";
      if (row.empty()) {
        line += std::string(widths[i], '-');
        continue;
      }
      const std::string padding(widths[i] - text_columns(row[i]), ' ');
      line += left_[i] ? row[i] + padding : padding + row[i];
    }
    // Trailing blanks would only show in a comparison of files.
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace ntune
