#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A point of a search space as an Optuna trial: `params` and `distributions` of a JournalFile
/// record (Optuna 3 to 5). Integers are IntDistribution, ranges FloatDistribution, all others
/// CategoricalDistribution, whose internal value is the index; inactive parameters are left out.
class TrialText {
 public:
  explicit TrialText(const SearchSpace& space);

  /// Appends `"params":{…},"distributions":{…}`.
  void append(std::string& line, const Point& point) const;

  /// The same by parameter, for tables.
  [[nodiscard]] double internal_value(int parameter, int value) const;
  [[nodiscard]] const Json& distribution(int parameter) const;
  [[nodiscard]] bool is_written(const Point& point, int parameter) const;

 private:
  struct Column {
    std::string name;                 ///< as a JSON key with colon
    std::vector<std::string> values;  ///< internal values
    Json distribution;
    std::string distribution_text;  ///< the JSON in a JSON string
  };

  const SearchSpace* space_;
  std::vector<Column> columns_;
};

/// Appends the shortest text that reads back as the number, with a point or an exponent, so that
/// Python takes it for a float.
void append_float(std::string& text, double value);

/// "2026-11-21T09:15:02.123456", local time, as Optuna writes it; with ' ' in place of T for SQL.
std::string time_text(std::chrono::system_clock::time_point time, char separator = 'T');

}  // namespace ntune
