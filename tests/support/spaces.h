#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/space/search_space.h"
#include "ntune/space/space_yaml.h"

namespace ntune::test {

/// Parameters p0, p1, … with the values 0, 1, ….
inline SearchSpace grid_space(const std::vector<int>& cardinalities) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < cardinalities.size(); ++i) {
    parameters.push_back(make_integers("p" + std::to_string(i), 0, cardinalities[i] - 1));
  }
  return SearchSpace(std::move(parameters));
}

/// A space as in the `space:` of a study file.
inline SearchSpace yaml_space(const std::string& yaml) { return read_space(parse_yaml(yaml)); }

inline Point make_point(std::initializer_list<int> indices) {
  Point point(static_cast<int>(indices.size()));
  int i = 0;
  for (const int index : indices) point[i++] = static_cast<std::uint16_t>(index);
  return point;
}

inline Point mutant(Point point, Changes changes) {
  for (const Change& change : changes) point[change.parameter] = change.value;
  return point;
}

/// `size` changes of different parameters to other values, in random order; fewer where fewer
/// parameters have two values.
inline std::vector<Change> random_changes(const SearchSpace& space, const Point& point, int size,
                                          Rng& rng) {
  std::vector<int> parameters;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() > 1) parameters.push_back(i);
  }
  std::vector<Change> changes;
  while (static_cast<int>(changes.size()) < size && !parameters.empty()) {
    const auto at = rng.below(static_cast<std::uint32_t>(parameters.size()));
    const int i = parameters[at];
    parameters.erase(parameters.begin() + at);
    auto value = rng.below(static_cast<std::uint32_t>(space[i].cardinality() - 1));
    if (value >= point[i]) ++value;
    changes.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(value)});
  }
  return changes;
}

}  // namespace ntune::test
