#include "ntune/optim/bayesian/payoff_logarithms.h"

#include <algorithm>

#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// log |p|; of 0, which has none, any number, as it is not used.
double log_size(double payoff) { return payoff == 0.0 ? 0.0 : std::log(std::abs(payoff)); }

}  // namespace

void PayoffLogarithms::count(double payoff, int change) {
  (payoff > 0.0 ? positive_ : payoff < 0.0 ? negative_ : zeros_) += change;
}

void PayoffLogarithms::note(double payoff) {
  if (times_worst_ == 0 || payoff < worst_) {
    worst_ = payoff;
    times_worst_ = 0;
  }
  if (payoff == worst_) ++times_worst_;
}

void PayoffLogarithms::add(std::uint32_t rank, double payoff) {
  count(payoff, 1);
  cells_.resize(std::max<std::size_t>(cells_.size(), rank));
  cells_[rank - 1].add_with_deviation(log_size(payoff));
}

void PayoffLogarithms::amend(std::uint32_t rank, double before, double now) {
  count(before, -1);
  count(now, 1);
  cells_[rank - 1].amend_with_deviation(log_size(before), log_size(now));
}

void PayoffLogarithms::fit() {
  RunningStats all;
  for (const Cell& cell : cells_) {
    if (cell.count > 0) all.merge(cell.statistics());
  }
  sign_ = positive_ > 0 ? 1.0 : -1.0;
  centre_ = all.mean();
  unit_ = all.sd() > 0.0 ? all.sd() : 1.0;
}

}  // namespace ntune
