// On which scale a BayesianSearch has the payoffs, and the fit of its model.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ntune/optim/bayesian/bayesian_search.h"

namespace ntune {

/// What is standardised anew must not depend on rows without payoffs, which expect a mean.
std::vector<double> BayesianSearch::expected_payoffs() const {
  std::vector<double> expected(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!by_logarithms_) {
      expected[i] = scale_.raw(known(i).mean);
    } else if (const Cell& cell = points_.cell(i); cell.count > 0) {
      expected[i] = scale_.origin() + cell.mean();
    } else {
      expected[i] = std::clamp(payoff_of(known(i).mean), scale_.lowest(), scale_.highest());
    }
  }
  return expected;
}

void BayesianSearch::fit(int steps) {
  advance_schedule();
  const std::vector<double> expected = expected_payoffs();
  // Coarse payoffs have as few values as a game that is won, drawn or lost.
  const auto values = static_cast<std::int64_t>(points_.few_values().size());
  const bool coarse = noisy_ && values > 0;
  // The unit sets how far k standard deviations reach. Payoffs that all differ are not those of
  // games, however few they are.
  const bool game = coarse && values < scale_.count();
  if (options_.k.automatic && !game) {
    scale_.fit_spread();
  } else {
    scale_.fit();
  }
  Eigen::VectorXd visits(std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    visits[static_cast<Eigen::Index>(i)] = known(i).visits;
  }
  const ScaleFit fit = likelier_fit(expected, coarse, steps);
  by_logarithms_ = fit.by_logarithms;
  model_.reset(fit.parameters, fit.means, visits);
  unsolved_ = false;
  retold_ = 0;
  schedule_.fitted = true;
}

BayesianSearch::ScaleFit BayesianSearch::likelier_fit(std::span<const double> expected, bool coarse,
                                                      int steps) {
  constexpr double kEvidence = 3.0;  // by which logarithms must be ahead
  ScaleFit plain = fit_on(false, expected, coarse, steps);
  linear_ = plain.parameters;
  if (!logarithms_ || coarse || !logarithms_->usable()) return plain;
  logarithms_->fit();
  ScaleFit by_logarithms = fit_on(true, expected, coarse, steps);
  logarithmic_ = by_logarithms.parameters;
  if (by_logarithms.evidence <= plain.evidence + kEvidence) return plain;
  // The model is told the logarithms of means, which its noise has to be known for.
  const double noise = std::exp(by_logarithms.parameters.log_noise);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).count < 2) continue;
    by_logarithms.means[static_cast<Eigen::Index>(i)] = log_mean_of(i, noise);
  }
  return by_logarithms;
}

BayesianSearch::ScaleFit BayesianSearch::fit_on(bool by_logarithms,
                                                std::span<const double> expected, bool coarse,
                                                int steps) const {
  ScaleFit fit = {.by_logarithms = by_logarithms, .means = {}, .parameters = {}};
  fit.means.resize(std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double& mean = fit.means[static_cast<Eigen::Index>(i)];
    if (!by_logarithms) {
      mean = scale_.standard(scale_.shifted(expected[i]));
    } else if (points_.cell(i).count > 0) {
      mean = logarithms_->mean(i);
    } else {
      // What is expected may have another sign than all payoffs.
      mean = logarithms_->standard(std::clamp(expected[i], scale_.lowest(), scale_.highest()));
    }
  }
  const auto most = static_cast<std::size_t>(options_.refit_points);
  const std::vector<Eigen::Index> rows = told_rows(points_, most);
  const double unit = by_logarithms ? logarithms_->unit() : scale_.unit();
  BayesianData data = data_of(rows, points_, model_.codes(), fit.means, unit);
  data.coarse = coarse;
  // A density by standardised payoffs becomes one by payoffs p: each has the unit in the
  // denominator, and where log p is standardised p as well.
  fit.evidence = -data.counts.sum() * std::log(unit);
  if (by_logarithms) {
    data.within = 0.0;
    for (const Eigen::Index row : rows) {
      data.within += logarithms_->within(static_cast<std::size_t>(row));
      fit.evidence -= logarithms_->sum(static_cast<std::size_t>(row));
    }
  }
  // The first fit starts at the priors' centre, later ones at the last result, as little changes.
  const std::optional<BayesianParameters>& last = by_logarithms ? logarithmic_ : linear_;
  const BayesianParameters start = last ? *last : usual_parameters(model_.kernel().axes());
  const FittedParameters found = fit_parameters(model_.kernel(), data, start, steps);
  fit.parameters = found.parameters;
  fit.evidence += found.value;
  return fit;
}

/// Noise about the mean of logarithms adds to the mean of payoffs.
double BayesianSearch::payoff_of(double standard) const {
  if (!by_logarithms_) return scale_.raw(standard);
  return logarithms_->payoff(standard, std::exp(model_.parameters().log_noise));
}

Belief BayesianSearch::belief_of(double mean, double variance) const {
  const double payoff = payoff_of(mean);
  return {.mean = payoff, .sd = unit_at(payoff) * std::sqrt(std::max(0.0, variance))};
}

}  // namespace ntune
