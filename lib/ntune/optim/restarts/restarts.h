#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "ntune/optim/base/point_search.h"

namespace ntune {

/// One of several searches in a run, with a stream of its own.
struct InnerSearch {
  /// The search of that index in a run of context `whole`, for `evaluations` >= 1 of its own.
  InnerSearch(const OptimiserMaker& make, const OptimiserContext& whole, std::int64_t evaluations,
              const Rng& run, std::size_t index);

  void tell(const Proposal& proposal, const Report& report);

  Rng rng;
  std::unique_ptr<Optimiser> optimiser;
  std::int64_t asked = 0;
  std::int64_t told = 0;
  std::int64_t next_watch = 1;  ///< payoffs when its recommendation is looked at next
  Point recommended = {};       ///< when it was last watched
  std::int64_t since = 0;       ///< payoffs when `recommended` came up
};

/// The frame of an optimiser that makes several searches within one run. Each has its own random
/// numbers and its own payoffs; what is known of failures they have in common.
class Restarts : public PointSearch {
 public:
  void pending(const Point& point, bool is_in_flight) override;

 protected:
  /// `as_told` as in PointSearch.
  Restarts(OptimiserMaker inner, const OptimiserContext& context, bool as_told);

  /// Makes the next search, for so many evaluations.
  void start_search(std::int64_t evaluations, Rng& rng);
  /// Asks the last search.
  Proposal ask_search();
  /// The last search has asked for a point.
  void adopt_in_search(const Point& point);
  /// The search that recommends at the highest estimate; null where none has a payoff.
  [[nodiscard]] const InnerSearch* highest_search() const;
  /// Who asked: a search, or the optimiser itself for one of its candidates.
  struct Asker {
    bool is_search = true;
    std::size_t index = 0;
  };

  OptimiserContext context_;  ///< what each search gets
  std::vector<InnerSearch> searches_;
  Asker asker_;  ///< who asked for what is told next

 private:
  OptimiserMaker inner_;      ///< makes each search
  std::deque<Asker> askers_;  ///< in the order of the asks
};

}  // namespace ntune
