#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/objective/functions/functions.h"

namespace ntune {

/// How a payoff is drawn from the true value p:
///   win or loss  +1 with probability p (held within 0 and 1), else -1; values are (payoff + 1) / 2
///   gaussian     p plus sigma times a standard normal deviate
///   none         p
struct Noise {
  enum class Kind { kWinLoss, kGaussian, kNone };
  Kind kind = Kind::kWinLoss;
  double sigma = 0.0;  ///< above 0 for gaussian, else unused

  /// The option `noise`: win_loss, none or {gaussian: sigma}.
  void visit(Options& options);
  /// "win or loss", "gaussian noise of 0.5", "no noise".
  [[nodiscard]] std::string text() const;
};

/// A benchmark function behind noise; the true value is known everywhere. The function may leave
/// [0, 1] where the noise is win or loss. The true value then is that of the function; the mean of
/// the payoffs is that of the probability held within [0, 1].
class FunctionObjective final : public Objective, public KnownTruth {
 public:
  /// On the function's default grid, or on another one over its parameters, in its order. Throws
  /// InputError if a value is a word or outside the function's domain, if the number of parameters
  /// differs, or if sigma is not a number above 0.
  explicit FunctionObjective(BenchmarkFunction function, Noise noise = {},
                             std::optional<SearchSpace> space = {});

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override;
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  [[nodiscard]] double true_value(const Point& point) const override { return truth(point); }
  /// Found by enumeration up to 2^20 points, at the first call; else by the function, if it knows
  /// and the grid is its default.
  [[nodiscard]] std::optional<double> optimum() const override;

  [[nodiscard]] const BenchmarkFunction& function() const { return function_; }

 private:
  [[nodiscard]] double truth(const Point& point) const;
  [[nodiscard]] double compute(const Point& point) const;
  [[nodiscard]] std::optional<double> find_optimum() const;
  void check() const;
  [[nodiscard]] const std::vector<double>& table() const;
  [[nodiscard]] std::vector<double> tabulate() const;

  BenchmarkFunction function_;
  Noise noise_;
  SearchSpace space_;
  std::vector<std::vector<double>> numbers_;  ///< every value of every parameter
  std::vector<std::size_t> strides_;          ///< step in the table per value of a parameter
  bool is_small_ = false;                     ///< at most 2^16 points, which are then tabulated
  mutable std::once_flag table_once_;
  mutable std::atomic<bool> tabulated_ = false;
  mutable std::vector<double> table_;  ///< true values of a small grid, once one is asked for
  mutable std::once_flag optimum_once_;
  mutable std::optional<double> optimum_;
};

/// Why the function cannot take a value of its i-th parameter; empty if it can take all.
std::string domain_problem(const BenchmarkFunction& function, int i, const Parameter& parameter);

}  // namespace ntune
