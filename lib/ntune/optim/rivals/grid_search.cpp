#include "ntune/optim/rivals/grid_search.h"

#include <algorithm>
#include <set>

namespace ntune {

namespace {

/// Values kept per parameter: grown in turn while the grid stays within `most` points.
std::vector<int> grid_levels(const SearchSpace& space, double most) {
  std::vector<int> levels(static_cast<std::size_t>(space.dimensions()), 1);
  double points = 1.0;
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < space.dimensions(); ++i) {
      int& level = levels[static_cast<std::size_t>(i)];
      const double larger = points / level * (level + 1);
      if (level == space[i].cardinality() || larger > most) continue;
      points = larger;
      ++level;
      grown = true;
    }
  }
  return levels;
}

/// The k-th of `levels` evenly spaced indices of `values`; the middle one if there is one level.
std::uint16_t level_value(int k, int levels, int values) {
  if (levels == 1) return static_cast<std::uint16_t>((values - 1) / 2);
  const std::int64_t scaled = std::int64_t{k} * (values - 1) + (levels - 1) / 2;
  return static_cast<std::uint16_t>(scaled / (levels - 1));
}

}  // namespace

GridSearch::GridSearch(const GridSearchOptions& options, const OptimiserContext& context)
    : PointSearch(context) {
  const auto most =
      static_cast<double>(std::max<std::int64_t>(1, context.budget / options.repeats));
  const std::vector<int> levels = grid_levels(*space_, most);
  // The digits count through the grid like an odometer. Points that become equal in canonical form
  // are held once.
  std::vector<int> digits(levels.size(), 0);
  std::set<Point> points;
  for (bool more = true; more;) {
    Point point(space_->dimensions());
    for (int i = 0; i < point.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      point[i] = level_value(digits[at], levels[at], (*space_)[i].cardinality());
    }
    space_->canonicalise(point);
    if (space_->is_allowed(point)) points.insert(point);
    more = false;
    for (std::size_t i = digits.size(); i-- > 0 && !more;) {
      more = ++digits[i] < levels[i];
      if (!more) digits[i] = 0;
    }
  }
  if (space_->constrained()) fill_up(points, most);
  grid_.assign(points.begin(), points.end());
}

/// Where clauses forbid points of the grid, others take their place: all that the space has, or as
/// many drawn ones.
void GridSearch::fill_up(std::set<Point>& points, double most) const {
  if (space_->size().points <= most) {
    space_->for_each_point([&](const Point& point) {
      points.insert(point);
      return true;
    });
    return;
  }
  constexpr int kTries = 10;  // for each point that is wanted
  Rng rng(0);
  const auto wanted = static_cast<std::size_t>(most);
  for (std::size_t tries = kTries * wanted; tries > 0 && points.size() < wanted; --tries) {
    points.insert(space_->sample(rng));
  }
}

Proposal GridSearch::ask(Rng& rng) {
  if (grid_.empty()) grid_.push_back(space_->sample(rng));
  // Points that fail are passed over, unless a whole turn finds no other. An adopted point is
  // passed over as often as it was adopted.
  for (std::size_t passed = 0;; ++passed) {
    const Point& point = grid_[next_++ % grid_.size()];
    if (passed < grid_.size() && left_out(point)) continue;
    const auto known = adopted_.find(point);
    if (known == adopted_.end() || known->second-- <= 0) return {.point = point};
  }
}

bool GridSearch::left_out(const Point& point) const {
  if (failures_.refused(point)) return true;
  return next_ > grid_.size() && !failures_.reliable(point);
}

Recommendation GridSearch::recommend() const {
  return failures_.highest([this](std::size_t i, const Point& /*point*/) {
    const double mean = points_.cell(i).mean();
    return Failures::Rated{{mean, 0.0}, mean};
  });
}

}  // namespace ntune
