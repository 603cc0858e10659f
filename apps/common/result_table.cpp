#include "apps/common/result_table.h"

#include <utility>

#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::cli {

ResultTable& ResultTable::line() {
  lines_.emplace_back();
  return *this;
}

ResultTable& ResultTable::entry() {
  rows_.push_back(Json::object());
  return *this;
}

void ResultTable::rule() { lines_.emplace_back(); }

void ResultTable::rule_between(const char* key, const Json& next) {
  if (!rows_.empty() && rows_.back()[key] != next) rule();
}

ResultTable& ResultTable::data(const std::string& key, Json value) {
  rows_.back()[key] = std::move(value);
  return *this;
}

ResultTable& ResultTable::text(const std::string& title, std::string text) {
  if (lines_.size() == 1) titles_.push_back(title);
  lines_.back().push_back(std::move(text));
  return *this;
}

ResultTable& ResultTable::number(const std::string& key, const std::string& title, double value) {
  return data(key, value).text(title, number_text(value));
}

ResultTable& ResultTable::count(const std::string& key, const std::string& title,
                                std::int64_t value) {
  return data(key, value).text(title, count_text(value));
}

ResultTable& ResultTable::ends(const std::string& key, const Interval& interval) {
  return data(key + "_low", interval.low).data(key + "_high", interval.high);
}

ResultTable& ResultTable::interval(const std::string& key, const std::string& title,
                                   const Interval& interval) {
  return ends(key, interval)
      .text(title, fmt::format("[{:.3f}, {:.3f}]", interval.low, interval.high));
}

ResultTable& ResultTable::estimate(const std::string& key, const std::string& title, double value,
                                   const Interval& interval, const char* format) {
  return data(key, value)
      .ends(key, interval)
      .text(title, fmt::format(fmt::runtime(format), value, interval.low, interval.high));
}

ResultTable& ResultTable::data_of(const Json& object) {
  rows_.back().update(object);
  return *this;
}

std::string ResultTable::text() const {
  if (lines_.empty()) return "";
  TextTable table(titles_);
  for (const std::vector<std::string>& line : lines_) {
    if (line.empty()) {
      table.add_rule();
    } else {
      table.add_row(line);
    }
  }
  return table.text();
}

}  // namespace ntune::cli
