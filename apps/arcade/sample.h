#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/result_table.h"
#include "ntune/core/json.h"
#include "ntune/core/statistics.h"

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

/// Adds a sample to a table: a row with its `measure`, and a line with its title.
void add_sample(cli::ResultTable& table, const std::string& measure, const std::string& title,
                const Sample& sample, int decimals);

}  // namespace ntune::arcade
