#pragma once

#include <cstdint>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/core/statistics.h"
#include "ntune/optim/restarts/restarts.h"

namespace ntune {

struct MultiStartOptions {
  /// What it starts unless the study says something else.
  static constexpr const char* kInner = "ntbea";
  /// Whether what it starts is told payoffs that it did not ask for.
  static constexpr bool kPoolsPayoffs = false;

  double share = 0.2;        ///< share of the budget for the comparison
  double patience = 0.5;     ///< share of a search without a new recommendation that ends it
  double shortest = 0.1;     ///< share of the budget that a search gets at least
  AutoInteger longest = {};  ///< evaluations of a search
  double errors = 2.0;       ///< standard errors behind the leader that rule a candidate out

  void visit(Options& options);
};

/// Splits one budget between searches and a comparison by what has been seen. A search ends when
/// its recommendation has stood for the share `patience` of its evaluations, or after `longest` of
/// them, and another starts from nothing. The share of the budget kept for the comparison then goes
/// into fresh evaluations of what they recommend. Each goes to the candidate with the fewest. A
/// candidate is out when its mean is `errors` standard errors behind the best (successive
/// elimination, Even-Dar, Mannor and Mansour 2006). What is left over then goes into one more
/// search, whose recommendation meets the winner. What is known of failures the searches have in
/// common; a candidate that is likely to fail is out.
class MultiStart final : public Restarts {
 public:
  MultiStart(const MultiStartOptions& options, OptimiserMaker inner,
             const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  /// The search under way has asked for it, before the first ask the first one.
  void adopt(const Point& point, Rng& rng) override;
  using Restarts::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;
  /// Without noise: when every point is known.
  [[nodiscard]] bool done() const override { return all_known(); }

 private:
  struct Candidate {
    Point point;
    double estimate = 0.0;
    RunningStats payoffs = {};  ///< payoffs in the comparison
    std::int64_t asked = 0;     ///< evaluations asked for in the comparison
    bool out = false;           ///< ruled out by the comparison
  };

  void tell_compared(Candidate& candidate, const Point& point, const Report& report);
  void start_next(Rng& rng);
  void advance(Rng& rng);
  /// Notes, every so many payoffs, what the search recommends and since when.
  void watch_recommendation();
  [[nodiscard]] bool ended(const InnerSearch& search) const;
  void add_candidate(const Recommendation& recommendation);
  void rule_out();
  /// Candidates that are not ruled out.
  [[nodiscard]] std::size_t standing() const;
  Point compare();
  /// The candidate with the highest mean in the comparison, or null.
  [[nodiscard]] const Candidate* leader() const;

  MultiStartOptions options_;
  std::vector<Candidate> candidates_;
  std::int64_t shortest_;
  std::int64_t longest_;
  std::int64_t search_until_;  ///< asks when the comparison begins
  bool comparing_ = false;
};

}  // namespace ntune
