#include "ntune/report/data/intervals.h"

#include "ntune/study/evaluation.h"

namespace ntune {

std::optional<Interval> interval_of(const Objective& objective, std::int64_t n, double mean,
                                    double sd) {
  if (n < 1) return std::nullopt;
  const double unit = objective.unit().size();
  const double payoff = objective.unit().payoff_of(mean);
  const double squares = sd * sd / unit / unit * static_cast<double>(n - 1);
  return hold_out_interval(
      objective,
      RunningStats(RunningStats::State{
          .count = n, .mean = payoff, .squares = squares, .min = payoff, .max = payoff}));
}

}  // namespace ntune
