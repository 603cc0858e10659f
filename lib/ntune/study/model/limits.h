#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/run_plan.h"

namespace ntune {

struct Study;

/// What a study may use up beside a number of evaluations.
struct Limits {
  std::optional<double> cost = {};     ///< sum of what evaluations report as their cost
  std::optional<double> seconds = {};  ///< wall clock while ntune runs

  [[nodiscard]] bool any() const { return cost || seconds; }
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// A decision of a study with limits on how many evaluations it makes. It follows from costs or
/// from the clock, and is kept, so that a study that goes on takes none of them twice.
struct PlannedStep {
  EvaluationKey key;             ///< stage, repeat and run that it is of; `index` counts its steps
  std::int64_t evaluations = 0;  ///< of a search: made when it was taken; else: to be made
  std::int64_t horizon = 0;      ///< of a search: iterations planned from here on; 0: it ends
  Limits limits = {};            ///< under which it was taken
};

/// How a study with limits is planned once durations or costs of evaluations are known.
struct LimitedPlan {
  PlanRequest request;  ///< what the file says
  RunPlan whole;        ///< what it asks for at most
  bool open = true;     ///< it says no number of evaluations
};

/// Iterations of a run whose number is open, until they are known.
inline constexpr std::int64_t kOpenIterations = 1'000'000'000;

/// The plan of a study with limits if it could make so many evaluations in all: its own plan where
/// that needs no more.
RunPlan plan_within(const Study& study, std::int64_t evaluations);

/// The plan for as many evaluations in all as lead to a search of this length.
RunPlan plan_after_search(const Study& study, std::int64_t search);

/// Evaluations of a plan of one repeat.
std::int64_t evaluations_of(const Study& study, const RunPlan& plan);

/// "2 h 30 min of wall clock and a cost of 1,000".
std::string limits_text(const Limits& limits);

}  // namespace ntune
