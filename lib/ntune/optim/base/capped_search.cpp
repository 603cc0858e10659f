#include "ntune/optim/base/capped_search.h"

namespace ntune {

void CappedSearch::tell(const Point& point, double payoff) {
  told_ = true;
  costs_.add(-payoff);
  search_->tell(point, payoff);
}

void CappedSearch::tell_all(std::span<const Point> points, std::span<const double> payoffs) {
  told_ = told_ || !payoffs.empty();
  for (const double payoff : payoffs) costs_.add(-payoff);
  search_->tell_all(points, payoffs);
}

double CappedSearch::losing_payoff() const {
  return told_ ? -costs_.losing(-search_->recommend().estimate) : Optimiser::losing_payoff();
}

void CappedSearch::tell_at_most(const Point& point, double payoff) {
  const std::optional<Belief> belief = told_ ? search_->belief(point) : std::nullopt;
  std::optional<double> mean;
  if (belief) mean = -belief->mean;
  told_ = true;
  search_->tell(point, -costs_.imputed(mean, -payoff));
}

}  // namespace ntune
