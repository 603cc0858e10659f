#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/space/constraints.h"
#include "ntune/space/parameter.h"
#include "ntune/space/point.h"

namespace ntune {

/// Number of points of a space.
struct SpaceSize {
  double points = 0.0;  ///< exact up to 2^53; at most the largest number, about 10^308
  /// False where counting the forbidden points would take too long: `points` includes them.
  bool without_forbidden = true;
};

/// An ordered list of parameters with finite values, and constraints. Fixed during a study.
/// 1 to 1,024 parameters, up to 10^30 points and more: nothing enumerates a large space.
/// A point is *canonical* when every inactive parameter has its first value, and *allowed* when it
/// is canonical and no clause forbids it.
class SearchSpace {
 public:
  /// Throws InputError for no parameter or more than 1,024, equal names, or values that do not suit
  /// the kind. So it does for a term out of range, a condition on a later parameter, and a space in
  /// which every point is forbidden.
  explicit SearchSpace(std::vector<Parameter> parameters, std::vector<Clause> forbidden = {});

  [[nodiscard]] int dimensions() const { return static_cast<int>(parameters_.size()); }
  [[nodiscard]] const Parameter& operator[](int i) const {
    return parameters_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Clause>& forbidden() const { return forbidden_; }
  /// Index of the parameter of this name, or -1.
  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;

  /// The value that the parameter has at the point: of an inactive one its default, if it has one.
  [[nodiscard]] const Value& value(const Point& point, int i) const {
    const Parameter& parameter = (*this)[i];
    const bool has_default = !parameter.when.empty() && parameter.default_index;
    return parameter.value(has_default && !is_active(point, i) ? *parameter.default_index
                                                               : point[i]);
  }
  /// "x1 = 0.2, x2 = 0.4": all parameters of a point, for messages.
  [[nodiscard]] std::string text(const Point& point) const;

  [[nodiscard]] SpaceSize size() const { return size_; }
  /// Product of the cardinalities, without regard to constraints.
  [[nodiscard]] double grid_size() const { return grid_size_; }

  /// True if the space has conditions or forbidden clauses.
  [[nodiscard]] bool constrained() const { return constrained_; }
  [[nodiscard]] bool is_active(const Point& point, int i) const;
  [[nodiscard]] bool is_allowed(const Point& point) const;
  /// Allowed, or so but for defaults off the grid. Objectives evaluate these points, optimisers
  /// know the allowed ones alone.
  [[nodiscard]] bool can_be_evaluated(const Point& point) const;
  /// The allowed point with the nearest values on the grid, if that one is allowed.
  [[nodiscard]] std::optional<Point> nearest_on_grid(const Point& point) const;
  /// Sets every inactive parameter to its first value.
  void canonicalise(Point& point) const;

  /// A random allowed point. Parameters are drawn uniformly in order, inactive ones are held,
  /// forbidden points are drawn again. Where almost everything is forbidden, randomised
  /// backtracking finds a point, which is then not uniform.
  [[nodiscard]] Point sample(Rng& rng) const;
  /// After a mutation of `before` into `point`: makes it canonical, and draws a uniform value for
  /// every parameter that has become active.
  void settle(Point& point, const Point& before, Rng& rng) const;

  /// Calls visit for every allowed point in lexicographic order, until it returns false. For spaces
  /// small enough to enumerate.
  void for_each_point(const std::function<bool(const Point&)>& visit) const;

  /// Equal if the parameters and the clauses are equal and in the same order.
  friend bool operator==(const SearchSpace& a, const SearchSpace& b) {
    return a.parameters_ == b.parameters_ && a.forbidden_ == b.forbidden_;
  }

 private:
  class Walk;

  void check_parameters();
  void check_constraints() const;
  void measure();
  void find_example(const LinkedGroup& group);

  [[nodiscard]] bool obeys_constraints(const Point& point) const;
  [[nodiscard]] ParameterSet active_set(const Point& point) const;
  [[nodiscard]] bool is_closed(int i, const Point& point, const ParameterSet& active) const;
  [[nodiscard]] std::uint16_t draw_value(int i, Rng& rng) const;
  bool draw(Point& point, const LinkedGroup& group, Rng& rng) const;
  bool try_draw(Point& point, const LinkedGroup& group, Rng& rng) const;

  std::vector<Parameter> parameters_;
  std::vector<Clause> forbidden_;
  bool constrained_ = false;
  double grid_size_ = 0.0;
  SpaceSize size_;
  Point example_;                          ///< an allowed point
  std::vector<LinkedGroup> groups_;        ///< every parameter is in one
  std::vector<int> conditional_;           ///< parameters with a condition, ascending
  std::vector<std::vector<int>> closing_;  ///< of each parameter, the clauses that it is last in
};

}  // namespace ntune
