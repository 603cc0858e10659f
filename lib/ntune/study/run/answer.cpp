#include "ntune/study/run/answer.h"

#include "ntune/study/model/study.h"

namespace ntune {

Report Answer::report(const Study& study, std::int64_t left, std::vector<double>& payoffs) const {
  payoffs.clear();
  const bool learns = study.execution.on_failure.learn;
  Report report{
      .games = evaluated.games,
      .failed = learns && (evaluated.skipped || (evaluated.failed() && study.learn_from_penalties)),
      .cut_off = evaluated.ending == Ending::kCutOff};
  if (study.limits.cost) report.cost = evaluated.cost;
  if (evaluated.ending == Ending::kCapped) {
    report.at_most = evaluated.payoff;
  } else {
    evaluated.for_each(left, [&](double payoff) { payoffs.push_back(payoff); });
  }
  report.payoffs = payoffs;
  report.goals = evaluated.goals;
  return report;
}

KeptReport Answer::kept_report(const Study& study, std::int64_t left) const {
  std::vector<double> payoffs;
  const Report report = this->report(study, left, payoffs);
  return {{.point = point, .opponent = opponent}, report};
}

}  // namespace ntune
