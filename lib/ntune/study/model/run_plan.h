#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ntune/core/yaml.h"

namespace ntune {

/// One way to spend evaluations: independent runs, then the comparison of what they recommend, then
/// fresh evaluations of the winner.
struct RunPlan {
  std::int64_t runs = 10;
  std::int64_t iterations = 1000;  ///< evaluations of one run
  std::int64_t re_evaluation = 0;  ///< evaluations that compare the recommendations, at most
  std::int64_t hold_out = 0;       ///< evaluations of the final pick (or of each run's, see Study)
  /// Searches and comparison share the iterations of one run, as MultiStart decides.
  bool adaptive = false;

  [[nodiscard]] std::int64_t search() const { return runs * iterations; }
  /// "10 x 2,000 + 500": runs, iterations, re-evaluation; or "adaptive 2,500".
  [[nodiscard]] std::string label() const;
};

/// What a study file says about a plan; the rest follows from the budget and from defaults.
struct PlanRequest {
  std::int64_t runs = 10;
  bool fits_runs = false;  ///< `runs` is as many as budget and iterations suggest instead
  std::optional<std::int64_t> iterations = {};
  std::optional<std::int64_t> budget = {};  ///< of all evaluations, hold-out included
  /// What does not divide by the runs goes into re-evaluation or hold-out, where they are open.
  bool uses_all = true;
  std::optional<std::int64_t> re_evaluation = {};
  std::optional<std::int64_t> hold_out = {};
  bool noisy = true;                    ///< two evaluations of a point may differ
  bool compares_runs = true;            ///< false: no re-evaluation at all
  bool holds_out_runs = false;          ///< hold-out of each run, not of the final pick
  bool holds_out_incumbent = false;     ///< as many evaluations of the declared default
  std::int64_t held_out_instances = 0;  ///< an open hold-out is a multiple of them; 0: none
  bool compares_leaders = false;        ///< the best points of a single run are compared
  double share = 0.2;                   ///< share of the budget less hold-out for re-evaluation
  /// Hold-out where the file says nothing: a tenth of the search (of the run, if each run is held
  /// out), at least 30; or one; or none.
  enum class AutoHoldOut { kTenth, kOne, kNone } auto_hold_out = AutoHoldOut::kTenth;
  /// Where the file says them, for messages.
  const YamlNode* budget_place = nullptr;
  const YamlNode* hold_out_place = nullptr;
};

/// A hold-out that visits every instance equally often: the multiple of them nearest to `wanted`
/// that is at most `most`. Where that is none, or they are more than twice as many, as many as
/// were wanted.
std::int64_t in_whole_visits(const PlanRequest& request, std::int64_t wanted, std::int64_t most);

/// Most evaluations of a study, well within the exact integers of a double.
inline constexpr std::int64_t kMostEvaluations = 1'000'000'000'000'000;
/// Whether a study may have made so many of something.
inline bool is_count(std::int64_t value) { return value >= 0 && value <= kMostEvaluations; }

/// Fills a plan in. Throws InputError at the node when the budget cannot hold it, or when it makes
/// more than kMostEvaluations.
RunPlan make_plan(const PlanRequest& request, const YamlNode& node);

}  // namespace ntune
