#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"

namespace ntune {

/// How the recommendation of a study fared on an instance, and the default beside it, in the
/// reported unit.
struct InstanceRow {
  std::string name;
  bool test = false;                         ///< the search has not seen it
  std::int64_t n = 0;                        ///< payoffs
  std::int64_t failures = 0;                 ///< evaluations of the hold-out without a payoff
  std::optional<double> value = {};          ///< nothing where all failed
  std::optional<Interval> interval = {};     ///< 95 %, from five payoffs on, or of games
  std::optional<double> default_value = {};  ///< from as many evaluations with the same seeds
  std::int64_t default_failures = 0;
};

/// By fresh evaluations of the hold-out, in order of the list; where that has other instances,
/// those of the comparison behind them. An instance that was not visited has no row.
std::vector<InstanceRow> instance_rows(const Study& study, const Pick& pick);

}  // namespace ntune
