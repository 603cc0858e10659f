#pragma once

#include <cstddef>

#include "ntune/objective/unit.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

/// Where the evaluations of an objective stand in the figure of their history.
class HistoryScale {
 public:
  HistoryScale(const ReportData& data, std::size_t objective);

  /// The height of an evaluation's dot: its value, moved a little where only a few values occur as
  /// with wins and losses; the foot of the figure where it failed.
  [[nodiscard]] double height_of(const SearchEvaluation& evaluation) const;
  [[nodiscard]] bool is_spread() const { return spread_ > 0.0; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double last() const { return last_; }  ///< largest index

 private:
  Unit unit_;
  double last_ = 0.0;
  double spread_ = 0.0;
  double low_ = 0.0;
  double high_ = 1.0;
  double foot_ = 0.0;
};

}  // namespace ntune
