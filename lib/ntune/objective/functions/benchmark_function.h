#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// A deterministic function to be maximised, most of them probabilities of a win. Immutable: all
/// members may be called from several threads at once.
class BenchmarkFunction {
 public:
  virtual ~BenchmarkFunction() = default;

  /// The true value at x: one number per parameter, in the order of `parameters`, each within
  /// `domain`.
  [[nodiscard]] virtual double value(std::span<const double> x) const = 0;

  /// The default grid.
  [[nodiscard]] virtual std::vector<Parameter> parameters() const = 0;

  /// The numbers that parameter i (from 0) may take, on finer or coarser grids too.
  [[nodiscard]] virtual Bounds domain(int i) const = 0;

  /// Bounds of `value` over the whole domain; an infinite one is not known.
  [[nodiscard]] virtual Bounds range() const { return between(0.0, 1.0); }

  /// The largest value over the default grid, where it follows from the definition.
  [[nodiscard]] virtual std::optional<double> optimum() const { return {}; }

  /// Name and what sets it apart, for reports: "nk (d = 20, k = 3, …)".
  [[nodiscard]] virtual std::string description() const = 0;
};

/// Options of a function that has none.
struct NoOptions {
  void visit(Options&) {}
};

/// Option of functions that are negative somewhere. The true value is max(0, p), a probability, or
/// p itself, as the programs of Goodman and Lucas 2020 recorded it.
struct FloorOptions {
  bool floor = true;

  void visit(Options& options);
  [[nodiscard]] double apply(double p) const { return floor && p < 0.0 ? 0.0 : p; }
  [[nodiscard]] Bounds range() const;
  /// "(true value floored at 0)"
  [[nodiscard]] std::string text() const;
};

/// Parameters x1, x2, … with the given number of equally spaced values each; `low` is a value,
/// `high` is not.
std::vector<Parameter> half_open_parameters(int dimensions, double low, double high, int points);

/// Parameters x1, x2, … with the values 0 … values - 1.
std::vector<Parameter> integer_parameters(int dimensions, int values);

}  // namespace ntune
