#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "ntune/core/error.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Backtracking over some parameters of a point while the others keep their values. Visits every
/// setting that no clause forbids, in lexicographic order or starting from random values.
class SearchSpace::Walk {
 public:
  enum class End { kStopped, kExhausted, kLimit };
  using Visit = std::function<bool(const Point&)>;

  Walk(const SearchSpace& space, std::span<const int> parameters, Point& point, Rng* rng,
       std::int64_t node_limit)
      : space_(space), parameters_(parameters), point_(point), rng_(rng), nodes_(node_limit) {}

  /// Goes on until visit returns false; the point then keeps its setting.
  End run(const Visit& visit) {
    if (descend(0, {}, visit)) return End::kExhausted;
    return nodes_ < 0 ? End::kLimit : End::kStopped;
  }

 private:
  bool descend(std::size_t depth, ParameterSet active, const Visit& visit) {
    // With all parameters set, the visitor decides whether the walk goes on.
    if (depth == parameters_.size()) return visit(point_);
    const int i = parameters_[depth];
    const Parameter& parameter = space_[i];
    // An inactive parameter has one setting, its first value.
    if (!condition_holds(parameter, point_, active)) {
      point_[i] = 0;
      return descend(depth + 1, active, visit);
    }
    active.add(i);
    const auto values = static_cast<std::uint32_t>(parameter.cardinality());
    // A random walk begins at a random value and goes round, so it still sees each value once.
    const std::uint32_t first = rng_ == nullptr ? 0 : space_.draw_value(i, *rng_);
    for (std::uint32_t k = 0; k < values; ++k) {
      if (--nodes_ < 0) return false;
      point_[i] = static_cast<std::uint16_t>((first + k) % values);
      // A clause that closes here forbids everything below, so the branch is cut.
      if (space_.is_closed(i, point_, active)) continue;
      if (!descend(depth + 1, active, visit)) return false;
    }
    return true;
  }

  const SearchSpace& space_;
  std::span<const int> parameters_;
  Point& point_;
  Rng* rng_;
  std::int64_t nodes_;
};

ParameterSet SearchSpace::active_set(const Point& point) const {
  ParameterSet active = ParameterSet::all();
  // Conditions are looked at in order: a parent that drops out takes its children with it.
  for (const int i : conditional_) {
    if (!condition_holds((*this)[i], point, active)) active.remove(i);
  }
  return active;
}

/// True if a clause whose last parameter is i forbids the point.
bool SearchSpace::is_closed(int i, const Point& point, const ParameterSet& active) const {
  return std::ranges::any_of(closing_[static_cast<std::size_t>(i)], [&](int clause) {
    return all_hold(forbidden_[static_cast<std::size_t>(clause)], point, active);
  });
}

bool SearchSpace::is_active(const Point& point, int i) const {
  return (*this)[i].when.empty() || active_set(point).has(i);
}

bool SearchSpace::is_allowed(const Point& point) const {
  if (point.size() != dimensions()) return false;
  for (int i = 0; i < dimensions(); ++i) {
    if (point[i] >= (*this)[i].cardinality()) return false;
  }
  return obeys_constraints(point);
}

bool SearchSpace::can_be_evaluated(const Point& point) const {
  if (point.size() != dimensions()) return false;
  for (int i = 0; i < dimensions(); ++i) {
    if (point[i] >= (*this)[i].known_values()) return false;
  }
  return obeys_constraints(point);
}

std::optional<Point> SearchSpace::nearest_on_grid(const Point& point) const {
  Point near = point;
  for (int i = 0; i < dimensions(); ++i) near[i] = (*this)[i].nearest_on_grid(point[i]);
  // Rounding may change which conditions hold, so inactive parameters are reset.
  canonicalise(near);
  if (!is_allowed(near)) return std::nullopt;
  return near;
}

/// True if the point is canonical and no clause forbids it.
bool SearchSpace::obeys_constraints(const Point& point) const {
  if (!constrained_) return true;
  const ParameterSet active = active_set(point);
  for (const int i : conditional_) {
    if (point[i] != 0 && !active.has(i)) return false;
  }
  return std::ranges::none_of(
      forbidden_, [&](const Clause& clause) { return all_hold(clause, point, active); });
}

void SearchSpace::canonicalise(Point& point) const {
  const ParameterSet active = active_set(point);
  for (const int i : conditional_) {
    if (!active.has(i)) point[i] = 0;
  }
}

void SearchSpace::settle(Point& point, const Point& before, Rng& rng) const {
  const ParameterSet active_before = active_set(before);
  // Parameters are judged in order, with the values that were just drawn for their parents.
  ParameterSet active = ParameterSet::all();
  for (const int i : conditional_) {
    if (!condition_holds((*this)[i], point, active)) {
      active.remove(i);
      point[i] = 0;
    } else if (!active_before.has(i)) {
      point[i] = draw_value(i, rng);
    }
  }
}

std::uint16_t SearchSpace::draw_value(int i, Rng& rng) const {
  const auto values = static_cast<std::uint32_t>((*this)[i].cardinality());
  return values == 1 ? std::uint16_t{0} : static_cast<std::uint16_t>(rng.below(values));
}

/// One attempt at a uniform setting of the group; false if it is forbidden.
bool SearchSpace::try_draw(Point& point, const LinkedGroup& group, Rng& rng) const {
  ParameterSet active;
  for (const int i : group.parameters) {
    if (!condition_holds((*this)[i], point, active)) {
      point[i] = 0;
      continue;
    }
    active.add(i);
    point[i] = draw_value(i, rng);
    if (is_closed(i, point, active)) return false;
  }
  return true;
}

/// Draws by rejection, then by randomised backtracking with restarts; false if both find nothing.
bool SearchSpace::draw(Point& point, const LinkedGroup& group, Rng& rng) const {
  // Rejection is uniform and nearly always succeeds. Only then comes the search, which is not
  // uniform.
  constexpr int kRejections = 1000;
  for (int i = 0; i < kRejections; ++i) {
    if (try_draw(point, group, rng)) return true;
  }
  constexpr int kRestarts = 20;
  constexpr std::int64_t kNodes = 10'000;
  // A restart leaves a part of the tree in which there is nothing; the limit bounds its cost.
  for (int i = 0; i < kRestarts; ++i) {
    Walk walk(*this, group.parameters, point, &rng, kNodes);
    if (walk.run([](const Point&) { return false; }) == Walk::End::kStopped) return true;
  }
  return false;
}

Point SearchSpace::sample(Rng& rng) const {
  Point point(dimensions());
  // The groups are independent of each other, so each is drawn alone.
  for (const LinkedGroup& group : groups_) {
    if (draw(point, group, rng)) continue;
    for (const int i : group.parameters) point[i] = example_[i];
  }
  return point;
}

/// Finds an allowed setting of a group that is too large to count.
void SearchSpace::find_example(const LinkedGroup& group) {
  // A fixed seed makes the result the same in every run.
  Rng rng(0);
  if (draw(example_, group, rng)) return;
  // The systematic walk can prove that there is no allowed point, if the tree is small enough.
  constexpr std::int64_t kNodes = 300'000;
  Walk walk(*this, group.parameters, example_, nullptr, kNodes);
  switch (walk.run([](const Point&) { return false; })) {
    case Walk::End::kStopped:
      return;
    case Walk::End::kExhausted:
      throw InputError("every point is forbidden");
    case Walk::End::kLimit:
      throw InputError(
          "no allowed point was found: the forbidden combinations leave hardly any, or none");
  }
}

void SearchSpace::for_each_point(const std::function<bool(const Point&)>& visit) const {
  std::vector<int> all(parameters_.size());
  std::iota(all.begin(), all.end(), 0);
  Point point(dimensions());
  Walk walk(*this, all, point, nullptr, std::numeric_limits<std::int64_t>::max());
  walk.run(visit);
}

}  // namespace ntune
