#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ntune {

class Objective;

/// True if an evaluation may be ended when its candidate can no longer win: its cost is its time,
/// which grows while it lasts.
bool can_be_capped(const Objective& objective);

/// Which times a candidate must not exceed to stay among the best of a comparison (adaptive
/// capping, Hutter, Hoos, Leyton-Brown and Stuetzle 2009, for equally many evaluations of all). All
/// costs are in the reported unit and at least 0.
class CapBound {
 public:
  /// `stay`: how many candidates stay; `evaluations`: of each, when all are done.
  CapBound(std::size_t stay, std::int64_t evaluations) : stay_(stay), evaluations_(evaluations) {}

  /// Takes the mean cost of a candidate whose evaluations are all done.
  void add_whole(double mean);
  /// How much more a candidate may cost, which has cost `sum` and lost so many evaluations by
  /// failures: beyond that its mean cannot be among the best, and 0 or less says that it is so
  /// already. Infinite while fewer than `stay` candidates are done.
  [[nodiscard]] double left(double sum, std::int64_t lost) const;

 private:
  std::size_t stay_;
  std::int64_t evaluations_;
  std::vector<double> means_;  ///< the least ones, in order
};

}  // namespace ntune
