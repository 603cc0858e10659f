#pragma once

#include <span>
#include <vector>

#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Kernel of one parameter around an observed value. Ordered: a normal distribution over the
/// indices of the values, each value with the mass of its unit cell, cut off at the ends.
/// Unordered: the value itself with probability 1 - spread, else one of the others (Aitchison and
/// Aitken 1976). `spread` is the standard deviation as a share of the number of values, 0 to 1.
class AxisKernel {
 public:
  AxisKernel(const Parameter& parameter, double spread);

  /// Probability of a value around a centre; sums to 1 over the values.
  [[nodiscard]] double mass(int centre, int value) const;
  [[nodiscard]] int draw(int centre, Rng& rng) const;

 private:
  [[nodiscard]] double twice_below(int centre, int value) const;
  [[nodiscard]] double unordered_mass(int centre, int value) const;

  int values_;
  bool ordered_;
  double spread_;              ///< of an ordered parameter in values
  std::vector<double> table_;  ///< masses of every pair of few values
};

/// Density of a set of points: the mean of the kernels around them and of one uniform
/// distribution, the prior (Bergstra et al. 2011, section 4). It is taken of each parameter by
/// itself, over the points in which it is active, or of all parameters jointly, as a mixture of
/// products. The spread of the kernels falls with the number n of points: bandwidth *
/// n^(-1 / (k + 4)) with k = 1 for one parameter and k = d for all.
class ParzenDensity {
 public:
  /// The points must outlive the density.
  ParzenDensity(const SearchSpace& space, std::vector<const Point*> points, double bandwidth,
                bool joint);

  /// A point from the density, perhaps one that is not allowed.
  [[nodiscard]] Point draw(Rng& rng) const;
  /// A value of one parameter from its density; not for a joint density.
  [[nodiscard]] int draw(int parameter, Rng& rng) const;
  /// Density of one value of a parameter; not for a joint density.
  [[nodiscard]] double density(int parameter, int value) const;
  /// Logarithms of the density at several points: over the active parameters of each, or as a
  /// whole.
  [[nodiscard]] std::vector<double> log_densities(std::span<const Point> points) const;

 private:
  /// An observed value, and how often; not counted for a joint density.
  struct Count {
    int value = 0;
    double count = 0.0;
  };
  struct Axis {
    AxisKernel kernel;
    std::vector<Count> counts;
    double total = 0.0;  ///< points in which it is active
    int values = 1;
  };

  void count(int parameter);
  void add_products(std::span<const Point> points, std::span<double> sums) const;

  const SearchSpace* space_;
  std::vector<const Point*> points_;
  bool joint_;
  std::vector<Axis> axes_;
};

}  // namespace ntune
