#include "ntune/study/instances/instance_effects.h"

#include <cmath>
#include <numeric>

#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// Mean squares of a one-way analysis of variance.
struct InstanceVariances {
  double within = 0.0;
  double between = 0.0;  ///< of the effects; 0: not shown
};

InstanceVariances variances_by_instance(const std::vector<RunningStats>& groups,
                                        const RunningStats& all) {
  constexpr double kStandardErrors = 2.0;
  double within = 0.0;
  double between = 0.0;
  double squares = 0.0;  // of the counts
  double visited = 0.0;
  for (const RunningStats& group : groups) {
    if (group.count() == 0) continue;
    const auto count = static_cast<double>(group.count());
    const double distance = group.mean() - all.mean();
    within += group.state().squares;
    between += count * distance * distance;
    squares += count * count;
    ++visited;
  }
  const auto total = static_cast<double>(all.count());
  const double free_within = total - visited;
  const double free_between = visited - 1.0;
  if (free_within < 1.0 || free_between < 1.0) return {};
  InstanceVariances found{.within = within / free_within};
  const double mean_square = between / free_between;
  const double error = std::sqrt(2.0 / free_between + 2.0 / free_within);
  if (mean_square <= (1.0 + kStandardErrors * error) * found.within) return found;
  found.between = (mean_square - found.within) * free_between / (total - squares / total);
  return found;
}

}  // namespace

std::vector<double> instance_effects(std::span<const InstanceResidual> residuals,
                                     std::span<const double> weights) {
  std::vector<RunningStats> groups(weights.size());
  RunningStats all;
  for (const InstanceResidual& one : residuals) {
    groups[one.instance].add(one.residual);
    all.add(one.residual);
  }
  std::vector<double> effects(weights.size(), 0.0);
  const InstanceVariances variances = variances_by_instance(groups, all);
  if (!(variances.between > 0.0)) return effects;
  double sum = 0.0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto count = static_cast<double>(groups[i].count());
    const double share = count / (count + variances.within / variances.between);
    if (count > 0.0) effects[i] = share * (groups[i].mean() - all.mean());
    sum += weights[i] * effects[i];
  }
  const double centre = sum / std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& effect : effects) effect -= centre;
  return effects;
}

}  // namespace ntune
