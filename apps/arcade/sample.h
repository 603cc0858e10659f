#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text_table.h"

namespace ntune::arcade {

/// What many games brought.
struct Sample {
  RunningStats stats;
  std::optional<Interval> interval;  ///< 95 %, of the mean; nothing for a single result
  double median = 0.0;
};

/// Summary of any results, with Student's interval; `paired`: of the means of results 2 i and
/// 2 i + 1.
Sample sample_of(const std::vector<double>& results, bool paired = false);
/// Summary of results +1, 0 and -1, with the interval of results of games (MeanConfidence).
Sample win_loss_sample_of(const std::vector<double>& results, bool paired = false);

/// {"n": …, "mean": …, "sd": …, "low": …, "high": …, "min": …, "median": …, "max": …}.
Json sample_json(const Sample& sample);

/// A table of samples, a row each: name, n, mean, sd, interval, min, median, max.
class SampleTable {
 public:
  SampleTable();
  void add(const std::string& name, const Sample& sample, int decimals);
  [[nodiscard]] std::string text() const { return table_.text(); }

 private:
  TextTable table_;
};

}  // namespace ntune::arcade
