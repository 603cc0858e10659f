#pragma once

#include <algorithm>
#include <vector>

#include "support/reference_model.h"

namespace ntune::test {

/// The reference model with evaluations in flight. By definition they are payoffs like others to
/// the exploration term and unknown to the mean: two reference models, one with them, one without.
class PendingReference {
 public:
  PendingReference(const SearchSpace& space, const ModelOptions& options)
      : told_(space, options), visited_(told_) {}

  void add(const Point& point, double payoff) {
    told_.add(point, payoff);
    visited_.add(point, payoff);
  }
  void add_pending(const Point& point) {
    pending_.push_back(point);
    visited_.add(point, 0.0);
  }
  void remove_pending(const Point& point) {
    pending_.erase(std::ranges::find(pending_, point));
    visited_ = told_;
    for (const Point& other : pending_) visited_.add(other, 0.0);
  }

  [[nodiscard]] Score score(const Point& point) const {
    return {.mean = told_.score(point).mean, .exploration = visited_.score(point).exploration};
  }
  void focus(const Point& point) { focus_ = point; }
  [[nodiscard]] Score score_neighbour(Changes changes) const {
    Point neighbour = focus_;
    for (const Change& change : changes) neighbour[change.parameter] = change.value;
    return score(neighbour);
  }

  /// Points with payoffs.
  [[nodiscard]] const auto& points() const { return told_.points(); }
  [[nodiscard]] const std::vector<Point>& pending() const { return pending_; }

 private:
  ReferenceModel told_;
  ReferenceModel visited_;
  std::vector<Point> pending_;  ///< in the order of their marks
  Point focus_;
};

}  // namespace ntune::test
