#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ntune {

/// How much a tuple's own mean counts against the level below it (Goodman and Lucas 2020, eq. 6).
struct Weighting {
  std::string_view name;  ///< in a study file
  std::string_view help;  ///< one line
  /// Weight in [0, 1] of a tuple with n payoffs, for the horizon T > 0. Null: there are no levels,
  /// and a point's mean is the plain average over its tuples with data (eq. 2).
  double (*weight)(double n, double t);
};

/// All weightings, the default first. A line here makes a weighting known everywhere: to studies,
/// the models, `ntune list`, the schema and the tests.
inline constexpr std::array kWeightings = {
    Weighting{"none", "plain average over the tuples with data (vanilla NTBEA, eq. 2)", nullptr},
    Weighting{"linear", "w = min(n / T, 1) (eq. 7)",
              [](double n, double t) { return std::min(n / t, 1.0); }},
    Weighting{"inverse", "w = 1 - T / (n + T) (eq. 9)",
              [](double n, double t) { return 1.0 - t / (n + t); }},
    Weighting{"inverse_root", "w = 1 - sqrt(T / (n + T)) (eq. 8)",
              [](double n, double t) { return 1.0 - std::sqrt(t / (n + t)); }},
    Weighting{"exponential", "w = 1 - exp(-n / T) (eq. 10)",
              [](double n, double t) { return 1.0 - std::exp(-n / t); }}};

}  // namespace ntune
