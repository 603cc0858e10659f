#include "ntune/report/intervals.h"

#include <cmath>

#include "ntune/study/evaluation.h"

namespace ntune {

double payoff_of(const Objective& objective, double value) {
  const double zero = objective.value_of(0.0);
  return (value - zero) / (objective.value_of(1.0) - zero);
}

std::optional<Interval> interval_of(const Objective& objective, std::int64_t n, double mean,
                                    double sd) {
  if (n < 1) return std::nullopt;
  const double unit = std::abs(objective.value_of(1.0) - objective.value_of(0.0));
  const double payoff = payoff_of(objective, mean);
  const double squares = sd * sd / unit / unit * static_cast<double>(n - 1);
  return hold_out_interval(
      objective,
      RunningStats(RunningStats::State{
          .count = n, .mean = payoff, .squares = squares, .min = payoff, .max = payoff}));
}

}  // namespace ntune
