#include "ntune/study/instances/observed_instances.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/study/instances/instance_effects.h"

namespace ntune {

namespace {

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

void take_out_instances(ForeignObservations& data, const SearchSpace& space,
                        const std::vector<Point>& points, const OptimiserMaker& model) {
  const auto places = instance_places(data);
  if (places.size() < 2) return;
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
