#include "ntune/study/run/answer.h"

#include <vector>

#include "ntune/study/model/study.h"

namespace ntune {

KeptReport Answer::report(const Study& study, std::int64_t left) const {
  std::vector<double> payoffs;
  const bool learns = study.execution.on_failure.learn;
  Report report{.games = evaluated.games, .failed = evaluated.skipped && learns};
  if (study.limits.cost) report.cost = evaluated.cost;
  if (evaluated.ending == Ending::kCapped) {
    report.at_most = evaluated.payoff;
  } else {
    evaluated.for_each(left, [&](double payoff) { payoffs.push_back(payoff); });
  }
  report.payoffs = payoffs;
  return {{.point = point, .opponent = opponent}, report};
}

}  // namespace ntune
