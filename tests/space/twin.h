#pragma once

#include <vector>

#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// What a space is made of.
struct SpaceParts {
  std::vector<Parameter> parameters;
  std::vector<Clause> forbidden;
};

/// Up to 6 parameters of all kinds with up to 6 values, conditions and clauses; perhaps no allowed
/// point.
SpaceParts random_parts(Rng& rng);

/// Rules of activity and of allowed points, straight from their definitions.
bool slow_is_active(const SpaceParts& parts, const Point& point, int i);
bool slow_is_allowed(const SpaceParts& parts, const Point& point);
/// All points of the grid in lexicographic order, allowed or not.
std::vector<Point> slow_grid(const SpaceParts& parts);
std::vector<Point> slow_allowed_points(const SpaceParts& parts);

/// All points that for_each_point visits.
std::vector<Point> visited_points(const SearchSpace& space);

}  // namespace ntune
