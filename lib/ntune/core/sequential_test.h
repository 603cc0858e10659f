#pragma once

#include <cstdint>
#include <span>

#include "ntune/core/statistics.h"

namespace ntune {

/// Wald's bounds for a log-likelihood ratio (Wald 1947): accept H1 from log((1 - beta) / alpha) on,
/// H0 from log(beta / (1 - alpha)) down. With a true likelihood ratio the rates of wrong decisions
/// are at most alpha / (1 - beta) under H0 and beta / (1 - alpha) under H1.
struct SprtBounds {
  double low = 0.0;
  double high = 0.0;
};
/// 0 < alpha, beta < 1/2.
SprtBounds sprt_bounds(double alpha, double beta);

/// What a test of two points asks by default: is the first better by so many normalised Elo, or by
/// this share of the standard deviation of a difference, or level?
inline constexpr double kTestedElo = 20.0;
inline constexpr double kTestedEffect = 0.1;
inline constexpr double kTestError = 0.05;

/// About how many normal observations such a test needs (Wald): their mean is `effect` standard
/// deviations, the hypotheses are 0 and `effect1`, and either decision is wrong as often as
/// `error` says.
double expected_observations(double effect, double effect1, double error = kTestError);

/// How often each of a few scores was seen. A generalised likelihood ratio compares the best
/// multinomial distributions on these scores that each hypothesis allows (GSPRT; Van den Bergh,
/// "A practical introduction to the GSPRT" and "Normalized Elo"). Scores that were never seen count
/// as 0.001 times, as in fishtest.
struct ScoreFrequencies {
  std::span<const double> scores;        ///< ascending
  std::span<const std::int64_t> counts;  ///< as many; at least one is above 0
};

/// log L(mean = mean1) - log L(mean = mean0); both strictly between the smallest and the largest
/// score.
double gsprt_of_mean(const ScoreFrequencies& seen, double mean0, double mean1);

/// The same of two values of t = (mean - reference) / sd. They may be so far from what was seen
/// that the iteration of the paper leaves the distributions. Then the normal form is used.
double gsprt_of_t(const ScoreFrequencies& seen, double reference, double t0, double t1);

/// The normal form, of n observations with that t: n / 2 * log((1 + (t - t0)^2) / (1 + (t -
/// t1)^2)).
double normal_t_ratio(double n, double t, double t0, double t1);

/// The sequential t-test of Hajnal (1961; Schnuerch and Erdfelder 2020): the logarithm of a
/// likelihood ratio between two effects (mean / sd). It is of the t statistic of n >= 2 normal
/// observations: noncentral t with n - 1 degrees of freedom and noncentrality effect * sqrt(n). A
/// true likelihood ratio of the invariant statistic: for normal observations Wald's bounds hold
/// whatever the sd.
double sequential_t_ratio(std::int64_t n, double mean, double sd, double effect0, double effect1);

/// The same of differences of payoffs that may be skewed, of `first` less `second`, drawn towards 0
/// by what allow_for_skew moves the ends of their interval. For the first the sd counts as larger
/// by the square of that, as a sample that lacks what is dear has too small an sd too, and the
/// ratio as half. The other way its logarithm is divided. Without skew it is the ratio itself.
double skewed_t_ratio(const RunningStats& differences, const RunningStats& first,
                      const RunningStats& second, double effect0, double effect1);

}  // namespace ntune
