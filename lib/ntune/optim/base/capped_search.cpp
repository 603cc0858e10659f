#include "ntune/optim/base/capped_search.h"

namespace ntune {

Proposal CappedSearch::ask(Rng& rng) {
  Proposal proposal = search_->ask(rng);
  if (!told_) return proposal;
  const double best = -search_->recommend().estimate;
  if (ends_leaders_ || !leads(proposal.point, best)) {
    proposal.losing_payoff = -costs_.losing(best);
  }
  return proposal;
}

/// Tells whether a point is believed to cost hardly more than the best one.
bool CappedSearch::leads(const Point& point, double best) const {
  constexpr double kNear = 2.0;
  const std::optional<Belief> belief = search_->belief(point);
  return belief && -belief->mean <= kNear * best;
}

/// Tells the inner search of an ended evaluation as if it had come to the cost that is expected on
/// average. Payoffs are negative costs.
void CappedSearch::tell(const Proposal& asked, const Report& report) {
  if (report.at_most) {
    const std::optional<Belief> belief = told_ ? search_->belief(asked.point) : std::nullopt;
    std::optional<double> mean;
    if (belief) mean = -belief->mean;
    told_ = true;
    const double imputed = -costs_.imputed(mean, -*report.at_most);
    Report whole = report;
    whole.at_most.reset();
    whole.payoffs = std::span(&imputed, 1);
    search_->tell(asked, whole);
    return;
  }
  // An inner search can recommend only after a first payoff, which `ask` needs.
  told_ = told_ || !report.payoffs.empty();
  for (const double payoff : report.payoffs) {
    if (report.cut_off && !ends_leaders_) {
      costs_.add_penalty(-payoff);
    } else {
      costs_.add(-payoff);
    }
  }
  search_->tell(asked, report);
}

}  // namespace ntune
