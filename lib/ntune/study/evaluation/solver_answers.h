#pragma once

#include <array>
#include <cstdint>
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
    InstanceAnswers answers{.instance = request.instance == nullptr ? "" : request.instance->name};
    (outcome.answer == SolverAnswer::kSatisfiable ? answers.satisfiable : answers.unsatisfiable) =
        *request.point;
    add(request.key, answers);
  }
  /// Takes an answer of the run that the key names, which may have been made elsewhere or before.
  void add(const EvaluationKey& key, const InstanceAnswers& answers) {
    const std::lock_guard lock(mutex_);
    InstanceAnswers& all = runs_[{key.cell, key.repeat, key.run}][answers.instance];
    all.instance = answers.instance;
    merge(answers, all);
  }

  /// Those of the run that the key names.
  [[nodiscard]] std::vector<InstanceAnswers> of_run(const EvaluationKey& key) const {
    std::vector<InstanceAnswers> list;
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find({key.cell, key.repeat, key.run});
    if (found == runs_.end()) return list;
    for (const auto& [name, answers] : found->second) list.push_back(answers);
    return list;
  }
  [[nodiscard]] std::vector<Contradiction> contradictions() const {
    std::map<std::string, InstanceAnswers> all;
    const std::lock_guard lock(mutex_);
    for (const auto& [run, instances] : runs_) {
      for (const auto& [name, answers] : instances) merge(answers, all[name]);
    }
    std::vector<Contradiction> found;
    for (const auto& [name, answers] : all) {
      if (answers.satisfiable && answers.unsatisfiable) {
        found.push_back({name, *answers.satisfiable, *answers.unsatisfiable});
      }
    }
    return found;
  }

 private:
  /// Of several points the least one stands for all.
  static void merge(const InstanceAnswers& some, InstanceAnswers& all) {
    const auto keep_least = [](const std::optional<Point>& point, std::optional<Point>& least) {
      if (point && (!least || *point < *least)) least = point;
    };
    keep_least(some.satisfiable, all.satisfiable);
    keep_least(some.unsatisfiable, all.unsatisfiable);
  }

  mutable std::mutex mutex_;
  /// By cell, repeat and run, and by the name of the instance.
  std::map<std::array<std::int64_t, 3>, std::map<std::string, InstanceAnswers>> runs_;
};

}  // namespace ntune
