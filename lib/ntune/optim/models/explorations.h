#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ntune {

/// How unexplored a tuple is: a term that falls with its n visits and rises with all N evaluations,
/// those in flight included. Both parts are tabulated apart, so that a term costs a look-up.
struct Exploration {
  /// How the parts make the term: their product, or the root of how much the part of all
  /// evaluations exceeds that of the visits.
  enum class Form { kProduct, kRootOfDifference };

  std::string_view name;  ///< in a study file
  std::string_view help;  ///< one line
  Form form;
  double (*of_visits)(double n, double epsilon);
  double (*of_all)(double all);

  /// The term by its definition.
  [[nodiscard]] double term(double n, double all, double epsilon) const {
    const double visits = of_visits(n, epsilon);
    return form == Form::kProduct ? of_all(all) * visits
                                  : std::sqrt(std::max(0.0, of_all(all) - visits));
  }
};

/// All explorations, the default first. A line here makes one known everywhere, as for weightings.
inline constexpr std::array kExplorations = {
    Exploration{"ucb1", "sqrt(ln(1 + N) / (epsilon + n)) (eq. 5)", Exploration::Form::kProduct,
                [](double n, double epsilon) { return 1.0 / std::sqrt(n + epsilon); },
                [](double all) { return std::sqrt(std::log1p(all)); }},
    Exploration{"ratio", "sqrt(ln((1 + N) / (epsilon + n))) (as in TAG)",
                Exploration::Form::kRootOfDifference,
                [](double n, double epsilon) { return std::log(n + epsilon); },
                [](double all) { return std::log1p(all); }},
    Exploration{"square_root", "sqrt(sqrt(N) / (epsilon + n)) (Tolpin and Shimony 2012)",
                Exploration::Form::kProduct,
                [](double n, double epsilon) { return 1.0 / std::sqrt(n + epsilon); },
                [](double all) { return std::sqrt(std::sqrt(all)); }}};

}  // namespace ntune
