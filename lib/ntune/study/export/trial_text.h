#pragma once

#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/space/search_space.h"
#include "ntune/study/export/export_optuna.h"

namespace ntune {

/// Writes points of a search space as Optuna trials (JournalFile records of Optuna 3 to 5).
/// Integers are IntDistribution, ranges FloatDistribution, all others CategoricalDistribution,
/// whose internal value is the index; inactive parameters are left out.
class TrialText {
 public:
  explicit TrialText(const SearchSpace& space);

  /// Appends a record that makes the trial, finished, as a line.
  void append_line(std::string& text, const OptunaTrial& trial) const;

  /// Parts of a trial for tables.
  [[nodiscard]] double internal_value(int parameter, int value) const;
  [[nodiscard]] const Json& distribution(int parameter) const;

 private:
  /// Appends `"params":{…},"distributions":{…}`.
  void append(std::string& line, const Point& point) const;

  struct Column {
    std::string name;                 ///< as a JSON key with its colon
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

}  // namespace ntune
