#include "ntune/core/text_table.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>
#include <utility>

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

void TextTable::add_heading(const std::string& heading) { rows_.push_back({heading}); }

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    if (row.size() != left_.size()) continue;
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_columns(row[i]));
  }
  return widths;
}

std::string TextTable::text() const {
  std::vector<std::size_t> all(left_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return text_of(all);
}

/// The table of these columns.
std::string TextTable::text_of(const std::vector<std::size_t>& shown) const {
  const std::vector<std::size_t> wide = widths();
  std::string text;
  for (const auto& row : rows_) {
    const bool is_heading = !row.empty() && row.size() != left_.size();
    std::string line = is_heading ? row.front() : "";
    for (const std::size_t i : shown) {
      if (is_heading) break;
      if (i != shown.front()) line += "  ";
      if (row.empty()) {
        line += std::string(wide[i], '-');
        continue;
      }
      const std::string padding(wide[i] - text_columns(row[i]), ' ');
      line += left_[i] ? row[i] + padding : padding + row[i];
    }
    // Trailing blanks would only show in a comparison of files.
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

/// Breaks words of the last column into lines, where it has room for some.
void TextTable::wrap_last(std::size_t columns) {
  constexpr std::size_t kLeast = 24;
  const std::vector<std::size_t> wide = widths();
  const std::size_t others =
      std::accumulate(wide.begin(), wide.end() - 1, 2 * (wide.size() - 1), std::plus());
  if (!left_.back() || others + wide.back() <= columns || others + kLeast > columns) return;
  std::vector<std::vector<std::string>> rows;
  for (std::vector<std::string>& row : rows_) {
    const bool has_cells = row.size() == left_.size();
    std::istringstream lines(has_cells ? wrapped(row.back(), 0, columns - others) : "");
    if (has_cells) std::getline(lines, row.back());
    rows.push_back(std::move(row));
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back(left_.size()).back() = line;
    }
  }
  rows_ = std::move(rows);
}

std::string TextTable::text_within(std::size_t columns) const {
  // Names have half of the columns at most.
  TextTable table = *this;
  for (auto& row : table.rows_) {
    if (row.empty()) continue;
    const bool is_heading = row.size() != left_.size();
    row.front() = without_middle(row.front(), is_heading ? columns : columns / 2);
  }
  table.wrap_last(columns);
  const std::vector<std::size_t> wide = table.widths();
  std::string text;
  std::vector<std::size_t> shown = {0};
  std::size_t used = wide[0];
  for (std::size_t i = 1; i < wide.size(); ++i) {
    if (shown.size() > 1 && used + 2 + wide[i] > columns) {
      text += table.text_of(shown) + '\n';
      shown = {0};
      used = wide[0];
    }
    shown.push_back(i);
    used += 2 + wide[i];
  }
  return text + table.text_of(shown);
}

}  // namespace ntune
