#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Writes points of a search space as Optuna trials (JournalFile records of Optuna 3 to 5).
/// Integers are IntDistribution, ranges FloatDistribution, all others CategoricalDistribution,
/// whose internal value is the index; inactive parameters are left out.
class TrialText {
 public:
  explicit TrialText(const SearchSpace& space);

  /// Appends the members of a record that makes a finished trial, from the number of its operation
  /// to `"distributions":{…}`. Without a value the trial has failed. Times as `time_text` gives
  /// them.
  void append_finished(std::string& line, std::size_t study, std::optional<double> value,
                       std::string_view start, std::string_view complete, const Point& point,
                       OptunaState without_value = OptunaState::kFailed) const;

  /// Parts of a trial for tables.
  [[nodiscard]] double internal_value(int parameter, int value) const;
  [[nodiscard]] const Json& distribution(int parameter) const;
  [[nodiscard]] bool is_written(const Point& point, int parameter) const;

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
