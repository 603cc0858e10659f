#pragma once

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"

namespace ntune {

/// What solvers have said of each instance, whatever the order. May be told from several threads at
/// once.
class SolverAnswers {
 public:
  /// Takes what the evaluation of the request has brought.
  void add(const Request& request, const Outcome& outcome) {
    if (outcome.answer == SolverAnswer::kNone || !outcome.failure.empty()) return;
    const std::string name = request.instance == nullptr ? "" : request.instance->name;
    const std::lock_guard lock(mutex_);
    auto& point = points_[name][outcome.answer == SolverAnswer::kSatisfiable ? 0 : 1];
    if (!point || *request.point < *point) point = *request.point;
  }

  [[nodiscard]] std::vector<Contradiction> contradictions() const {
    std::vector<Contradiction> found;
    const std::lock_guard lock(mutex_);
    for (const auto& [name, points] : points_) {
      if (points[0] && points[1]) found.push_back({name, *points[0], *points[1]});
    }
    return found;
  }

 private:
  mutable std::mutex mutex_;
  /// By instance: the least point that calls it satisfiable, and the least that does not.
  std::map<std::string, std::array<std::optional<Point>, 2>> points_;
};

}  // namespace ntune
