#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/space/point.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

/// What fresh evaluations say of a setting in one goal, in the reported unit.
struct GoalValue {
  std::string goal = {};  ///< its name
  double mean = 0.0;
  double sd = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %
  /// Of a goal with a limit: whether it is kept. Both are shown with 95 % for all settings at once.
  std::optional<bool> keeps_limit = {};  ///< nothing: it is not shown
  /// Of a goal in an order that others follow: whether it is level with the best, which is to say
  /// not shown to be worse, with 95 % for all settings at once. Nothing: it was out before.
  std::optional<bool> is_level = {};
  /// Less the default's, over the calls that both had.
  std::optional<double> difference = {};
  std::optional<Interval> difference_interval = {};  ///< 95 %
  /// 95 %, of the mean over the default's, where it is judged by logarithms: then in place of that.
  std::optional<Interval> factor_interval = {};
  /// Against the default, with 95 % for all settings at once.
  IncumbentFinding finding = IncumbentFinding::kNotShown;

  /// Whether it is shown to be worse than the default's. Without noise it may be the same.
  [[nodiscard]] bool is_worse() const {
    return finding == IncumbentFinding::kKeep && difference && *difference != 0.0;
  }
};

/// A setting that was measured for the front, or the default.
struct FrontMember {
  Point point = {};
  bool is_default = false;
  std::int64_t n = 0;                 ///< fresh evaluations with values
  std::int64_t failures = 0;          ///< fresh evaluations that failed
  std::vector<GoalValue> goals = {};  ///< empty where all have failed
  bool on_front = false;              ///< by the means no other beats it
  bool is_sure = false;  ///< with 95 % none of the others is at least as good in all goals

  /// The value of a goal, or nullptr.
  [[nodiscard]] const GoalValue* find(std::string_view goal) const;
  /// Whether it has values, and fails no more often than a recommendation may: this share.
  [[nodiscard]] bool is_reliable(double fail_limit) const {
    return n > 0 && static_cast<double>(failures) <= fail_limit * static_cast<double>(n + failures);
  }
  /// Whether it fails more often than another of as many evaluations, which does not always fail.
  [[nodiscard]] bool fails_more_than(const FrontMember& other) const {
    return other.n > 0 && failures > other.failures;
  }
  /// Whether it is shown to keep all limits.
  [[nodiscard]] bool keeps_limits(std::span<const Goal> all) const;
};

/// What a study of several goals has found.
struct GoalFront {
  /// The default first where there is one, then by the first goal, the best first.
  std::vector<FrontMember> members = {};
  /// With limits: the first goal without one. With an order: the first.
  std::optional<std::string> sought = {};
  std::vector<std::string> then = {};  ///< the others of an order
  /// The best in what is sought, of those that are shown to keep all limits.
  std::optional<std::size_t> chosen = {};

  /// All goals in which one setting is sought, in their order.
  [[nodiscard]] std::vector<std::string> all_sought() const;
  /// The goal in which the chosen setting is shown to be better than the default: the first of
  /// those that are sought in which they are shown to differ. Nullptr: there is none.
  [[nodiscard]] const GoalValue* gain() const;
  /// The default, or nullptr.
  [[nodiscard]] const FrontMember* today() const {
    return !members.empty() && members.front().is_default ? &members.front() : nullptr;
  }
};

struct Study;
/// Throws InputError, in one line, where a study has several goals; `what` knows one alone.
void refuse_goals(const Study& study, const std::string& what);

/// How many settings share so many fresh evaluations, at most; the default is one more.
std::int64_t most_front_members(std::span<const Goal> goals, std::int64_t evaluations);

}  // namespace ntune
