#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"

namespace ntune::cli {

/// Results for people and for programs: lines of text and rows of data. Each column is named once,
/// by its title in the text (TextTable) and by its key in JSON and CSV.
class ResultTable {
 public:
  /// Begins a row and its line, a line alone, or a row alone.
  ResultTable& row() { return line().entry(); }
  ResultTable& line();
  ResultTable& entry();
  /// A line of dashes below what there is so far.
  void rule();
  /// The same where the next row differs from the last one in the value of `key`.
  void rule_between(const char* key, const Json& next);

  /// Adds a value to the row alone, or a text to the line alone.
  ResultTable& data(const std::string& key, Json value);
  ResultTable& text(const std::string& title, std::string text);
  /// Adds a value to both; the text shows it in this format.
  template <class Value>
  ResultTable& both(const std::string& key, const std::string& title, const Value& value,
                    const char* format = "{}") {
    return data(key, value).text(title, fmt::format(fmt::runtime(format), value));
  }
  /// Adds a number as number_text, or as count_text, writes it.
  ResultTable& number(const std::string& key, const std::string& title, double value);
  ResultTable& count(const std::string& key, const std::string& title, std::int64_t value);
  /// Adds KEY_low and KEY_high; and with them the interval, or the estimate and the interval.
  ResultTable& ends(const std::string& key, const Interval& interval);
  ResultTable& interval(const std::string& key, const std::string& title, const Interval& interval);
  ResultTable& estimate(const std::string& key, const std::string& title, double value,
                        const Interval& interval, const char* format = "{:.3f} [{:.3f}, {:.3f}]");
  /// Adds all values of an object to the row.
  ResultTable& data_of(const Json& object);

  [[nodiscard]] const std::vector<Json>& rows() const { return rows_; }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> titles_;              ///< of the first line
  std::vector<std::vector<std::string>> lines_;  ///< an empty one is a rule
  std::vector<Json> rows_;
};

}  // namespace ntune::cli
