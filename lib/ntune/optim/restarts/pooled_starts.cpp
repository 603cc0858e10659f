#include "ntune/optim/restarts/pooled_starts.h"

#include <algorithm>
#include <utility>

namespace ntune {

PooledStarts::PooledStarts(const PooledStartsOptions& options, OptimiserMaker inner,
                           const OptimiserContext& context)
    : Restarts(std::move(inner), context, true),
      starts_(static_cast<std::size_t>(options.starts)),
      length_(
          std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(context.budget) *
                                                              options.share / options.starts))) {}

void PooledStarts::adopt(const Point& point, Rng& rng) {
  if (searches_.empty()) start_next(rng);
  adopt_in_search(point);
  // A start that adopts beyond its own length uses up the asks of starts to come, so one of these
  // is dropped per length.
  if (!pooled() && searches_.back().asked > length_ &&
      (searches_.back().asked - 1) % length_ == 0 && starts_ > searches_.size()) {
    --starts_;
  }
}

Proposal PooledStarts::ask(Rng& rng) {
  if (searches_.empty() || (!pooled() && searches_.back().asked >= length_)) start_next(rng);
  return ask_search();
}

/// After all starts the last search begins, for the whole budget: it is told all reports of the
/// starts first.
void PooledStarts::start_next(Rng& rng) {
  const bool last = searches_.size() == starts_;
  start_search(last ? context_.budget : length_, rng);
  if (!last) return;
  for (const KeptReport& kept : reports_) searches_.back().tell(kept.asked, kept.report());
  reports_.clear();
}

void PooledStarts::tell(const Proposal& asked, const Report& report) {
  Restarts::tell(asked, report);
  searches_[asker_.index].tell(asked, report);
  if (!pooled()) {
    reports_.emplace_back(asked, report);
  } else if (asker_.index < starts_) {
    // Reports that a start is still owed once the last search runs go to both.
    searches_.back().tell(asked, report);
  }
}

const InnerSearch& PooledStarts::best_search() const {
  return pooled() ? searches_.back() : *highest_search();
}

Recommendation PooledStarts::recommend() const {
  Recommendation best = best_search().optimiser->recommend();
  best.evaluations = points_.at(best.point).count;
  return best;
}

PayoffsByPoint PooledStarts::told() const {
  PayoffsByPoint told = best_search().optimiser->told();
  if (pooled()) return told;
  told.set_aside = 0;
  for (const InnerSearch& search : searches_) told.set_aside += search.optimiser->told().set_aside;
  return told;
}

std::optional<Belief> PooledStarts::belief(const Point& point) const {
  return best_search().optimiser->belief(point);
}

bool PooledStarts::done() const {
  return (pooled() && searches_.back().optimiser->done()) || all_known();
}

}  // namespace ntune
