#include "ntune/study/instances/instance_effects.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>

#include <fmt/format.h>

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
  // Sums of squares within the instances and between them (one-way analysis of variance).
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
  // The variance between is shown where F is two standard errors above 1.
  const double mean_square = between / free_between;
  const double error = std::sqrt(2.0 / free_between + 2.0 / free_within);
  if (mean_square <= (1.0 + kStandardErrors * error) * found.within) return found;
  found.between = (mean_square - found.within) * free_between / (total - squares / total);
  return found;
}

/// From one to the next the model and the effects fit each other better.
constexpr int kFits = 3;

/// The place of every instance, in order of their names.
std::map<std::string, std::size_t> instance_places(const ForeignObservations& data) {
  std::map<std::string, std::size_t> places;
  for (const ForeignObservation& observation : data.observations) {
    if (observation.instance) places.emplace(*observation.instance, 0);
  }
  std::size_t next = 0;
  for (auto& [name, place] : places) place = next++;
  return places;
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
    // Each mean shrinks by its share of noise; then the weighted mean is taken out.
    const double share = count / (count + variances.within / variances.between);
    if (count > 0.0) effects[i] = share * (groups[i].mean() - all.mean());
    sum += weights[i] * effects[i];
  }
  const double centre = sum / std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& effect : effects) effect -= centre;
  return effects;
}

void take_out_instances(ForeignObservations& data, const SearchSpace& space,
                        const std::vector<Point>& points, const OptimiserMaker& model) {
  const auto places = instance_places(data);
  if (places.size() < 2) return;
  // Model and effects in turns: what the model leaves gives effects, without which it is told anew.
  const std::int64_t count = std::ssize(points);
  std::vector<double> effects(places.size(), 0.0);
  const auto effect_of = [&](const ForeignObservation& observation) {
    return observation.instance ? effects[places.at(*observation.instance)] : 0.0;
  };
  for (int round = 0; round < kFits; ++round) {
    std::vector<double> payoffs;
    for (const auto& observation : data.observations) {
      payoffs.push_back(observation.payoff - effect_of(observation));
    }
    const auto optimiser = model({.space = &space, .budget = count, .common_budget = count});
    optimiser->tell_all(points, payoffs);
    std::vector<InstanceResidual> residuals;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ForeignObservation& observation = data.observations[i];
      if (!observation.instance) continue;
      const auto belief = optimiser->belief(points[i]);
      residuals.push_back(
          {places.at(*observation.instance), observation.payoff - (belief ? belief->mean : 0.0)});
    }
    effects = instance_effects(residuals, std::vector<double>(places.size(), 1.0));
  }
  // Where no effects are shown, nothing is said.
  const auto [least, most] = std::ranges::minmax(effects);
  if (least == most) return;
  for (ForeignObservation& observation : data.observations) {
    observation.payoff -= effect_of(observation);
  }
  data.notes.push_back(
      fmt::format("the effects of {} instances, from {:.4g} to {:.4g}, are taken out of the values",
                  places.size(), data.minimise ? -most : least, data.minimise ? -least : most));
}

}  // namespace ntune
