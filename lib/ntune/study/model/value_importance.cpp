#include "ntune/study/model/value_importance.h"

#include <algorithm>
#include <cstdint>

#include "ntune/core/json.h"

namespace ntune {

void GroupedPayoffs::add(const Moments& group) {
  if (group.count == 0.0) return;
  if (means_.count > 0.0) freedom_ += 1.0;
  means_.merge({.count = group.count, .mean = group.mean});
  inner_ += group.squares;
}

double GroupedPayoffs::within() const {
  const double rest = means_.count - freedom_ - 1.0;
  return rest > 0.0 ? inner_ / rest : 0.0;
}

double GroupedPayoffs::share() const {
  return omega_squared(between(), freedom(), within(), total());
}

double omega_squared(double squares, double freedom, double within, double total) {
  // omega^2 = (SS - df MS_within) / (SS_total + MS_within), Hays 1963.
  if (total <= 0.0) return 0.0;
  return std::clamp((squares - freedom * within) / (total + within), 0.0, 1.0);
}

PayoffsByValue::PayoffsByValue(const SearchSpace& space) {
  for (const Parameter& parameter : space.parameters()) {
    groups_.emplace_back(std::min(parameter.values.size(), kMostValueGroups));
  }
}

void PayoffsByValue::add(const SearchSpace& space, const Point& point, double payoff) {
  for (int i = 0; i < space.dimensions(); ++i) {
    const std::size_t values = space[i].values.size();
    // A default may have a value that is not among those to be asked for.
    if (point[i] >= values || (space.constrained() && !space.is_active(point, i))) continue;
    groups_[static_cast<std::size_t>(i)][group_of_value(point[i], values)].merge(
        {.count = 1.0, .mean = payoff});
  }
}

void PayoffsByValue::merge(const PayoffsByValue& other) {
  if (!is_known() || other.groups_.size() != groups_.size()) {
    groups_.clear();
    return;
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (std::size_t g = 0; g < std::min(groups_[i].size(), other.groups_[i].size()); ++g) {
      groups_[i][g].merge(other.groups_[i][g]);
    }
  }
}

std::vector<std::optional<double>> PayoffsByValue::importance() const {
  std::vector<std::optional<double>> shares;
  for (const std::vector<Moments>& parameter : groups_) {
    GroupedPayoffs payoffs;
    for (const Moments& group : parameter) payoffs.add(group);
    shares.push_back(parameter.size() > 1 ? std::optional(payoffs.share()) : std::nullopt);
  }
  return shares;
}

Json PayoffsByValue::to_json() const {
  Json parameters = Json::array();
  for (const std::vector<Moments>& parameter : groups_) {
    Json groups = Json::array();
    for (const Moments& group : parameter) {
      groups.push_back({static_cast<std::int64_t>(group.count), group.mean, group.squares});
    }
    parameters.push_back(std::move(groups));
  }
  return parameters;
}

PayoffsByValue PayoffsByValue::of_json(const Json& json) {
  PayoffsByValue read;
  try {
    for (const Json& parameter : json) {
      auto& groups = read.groups_.emplace_back();
      for (const Json& group : parameter) {
        groups.push_back({.count = group.at(0), .mean = group.at(1), .squares = group.at(2)});
      }
    }
  } catch (const Json::exception&) {
    return {};
  }
  return read;
}

}  // namespace ntune
