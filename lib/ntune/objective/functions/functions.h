#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// A deterministic function to be maximised, most of them probabilities of a win. Immutable: it may
/// be called from several threads at once.
struct BenchmarkFunction {
  /// Name and what sets it apart, for reports: "nk (d = 20, k = 3, …)".
  std::string description;
  /// The default grid.
  std::vector<Parameter> parameters;
  /// The numbers that each parameter may take, on finer or coarser grids too.
  std::vector<Bounds> domains;
  /// The true value at x: one number per parameter, in the order of `parameters`, each within its
  /// domain.
  std::function<double(std::span<const double> x)> value;
  /// Bounds of `value` over the whole domain; an infinite one is not known.
  Bounds range = between(0.0, 1.0);
  /// The largest value over the default grid, where it follows from the definition.
  std::function<std::optional<double>()> optimum = [] { return std::nullopt; };
};

/// Option of functions that are negative somewhere. The true value is max(0, p), a probability, or
/// p itself, as the programs of Goodman and Lucas 2020 recorded it.
struct FloorOptions {
  bool floor = true;

  void visit(Options& options);
};

/// Options of a function that has none.
struct NoOptions {
  void visit(Options&) {}
};

/// Branin's function f on [-5, 10] x [0, 15] (Dixon and Szegö 1978) as the probability of a win
/// p = (10 - f) / 12, floored at 0 (Goodman and Lucas 2020, section 4.1). Default grid: 20 x 20,
/// upper ends excluded.
BenchmarkFunction make_branin(const FloorOptions& options = {});

/// Goldstein and Price's function f on [-2, 2]^2 (Dixon and Szegö 1978) as the probability of a win
/// p = (400 - f) / 500, floored at 0 (Goodman and Lucas 2020, section 4.1). Default grid: 20 x 20,
/// upper ends excluded.
BenchmarkFunction make_goldstein_price(const FloorOptions& options = {});

/// Hartmann's functions on [0, 1]^d (Dixon and Szegö 1978), as probabilities of a win (Goodman and
/// Lucas 2020, section 4.1): sum_i alpha_i exp(-sum_j A_ij (x_j - P_ij)^2) / 4.
/// Default grid: d = 3 with 10 values, d = 6 with 5 values per parameter.
BenchmarkFunction make_hartmann3(const NoOptions& options = {});
BenchmarkFunction make_hartmann6(const NoOptions& options = {});
/// Hartmann-6 with P[2][0] = 0.2548, as the framework TAG has it, for 0.2348 of the literature.
BenchmarkFunction make_hartmann6_tag(const NoOptions& options = {});

struct OneMaxOptions {
  int dimensions = 10;
  int values = 2;  ///< per parameter: 0 … values - 1

  void visit(Options& options);
};

/// OneMax for any number of values: the mean of x_i / (values - 1). Optimum 1, where all parameters
/// have their last value.
BenchmarkFunction make_one_max(const OneMaxOptions& options = {});

struct TrapOptions {
  int dimensions = 12;
  int block = 4;  ///< parameters per trap; divides `dimensions`

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// Deceptive traps (Ackley 1987; Deb and Goldberg 1993): a mean over consecutive blocks of b
/// parameters, of which u are one. A block counts 1 if u = b, else (b - 1 - u) / b. So every step
/// but the last leads away from the optimum 1. A value of at least 0.5 counts as one. Throws
/// InputError if `block` does not divide `dimensions`.
BenchmarkFunction make_trap(const TrapOptions& options = {});

/// Which k other loci a locus depends on.
enum class NkNeighbours {
  kAdjacent,  ///< the next k, the first follows the last
  kRandom     ///< k distinct ones, drawn from the seed
};

struct NkOptions {
  int dimensions = 10;
  int k = 2;  ///< neighbours per locus; below `dimensions`
  int values = 2;
  NkNeighbours neighbours = NkNeighbours::kAdjacent;
  std::int64_t seed = 1;

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// NK landscape (Kauffman and Levin 1987): the mean over loci (parameters) of a contribution,
/// uniform in [0, 1). It is drawn for every combination of the values of the locus and its k
/// neighbours. Nothing is tabulated. The contribution of locus i to the values v_0 … v_k (itself
/// first) is a hash mix(c_i + sum_j m_ij mix(v_j)) with random numbers c and m of the seed. Any
/// numbers may be values. The optimum is known for adjacent neighbours where dynamic programming
/// around the ring is cheap: dimensions * values^(2 k + 1) up to 2^22. Throws InputError if k is
/// not below `dimensions`.
BenchmarkFunction make_nk(const NkOptions& options = {});

/// Correlation of two points at distance r (in length scales) along one parameter.
enum class LandscapeKernel {
  kMatern52,  ///< (1 + a + a^2 / 3) exp(-a), a = sqrt(5) r: twice differentiable
  kGaussian   ///< exp(-r^2 / 2): smooth
};

struct GaussianLandscapeOptions {
  int dimensions = 4;
  int values = 10;            ///< per parameter: 0 … values - 1
  double length_scale = 0.2;  ///< as a share of the diagonal
  double length_spread = 0.0;
  double main_effects = 0.0;  ///< share of the variance
  double pairs = 0.0;         ///< share of the variance
  LandscapeKernel kernel = LandscapeKernel::kMatern52;
  double amplitude = 0.5;
  double shift = 0.0;
  std::int64_t seed = 1;

  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;
};

/// A random Gaussian-process landscape over ordered parameters: Phi(shift + amplitude * g(x)) with
/// the normal distribution function Phi. The function g has mean 0 and variance 1. It is a sum of
/// functions of one parameter each, of functions of two, and of one of all, with the stated shares
/// of the variance. The last has the rest. Each has a product of one-dimensional kernels over
/// parameters from 0 to 1. A function of k parameters has the length scale length_scale * sqrt(k),
/// along each parameter times exp(length_spread * z) with z normal.
///
/// A function is drawn by random Fourier features (Rahimi and Recht 2007): 512 cosines with random
/// frequencies, Rayleigh amplitudes and phases. It is exactly Gaussian at every point over the
/// frequencies given. Its covariance is that of the kernel on average over seeds. Functions of one
/// or two parameters share the features in turn: with more than 32 parameters 512 random pairs have
/// a function. Throws InputError if the shares exceed 1.
BenchmarkFunction make_gaussian_landscape(const GaussianLandscapeOptions& options = {});

/// Parameters x1, x2, … with the given number of equally spaced values each; `low` is a value,
/// `high` is not.
std::vector<Parameter> half_open_parameters(int dimensions, double low, double high, int points);

/// Parameters x1, x2, … with the values 0 … values - 1.
std::vector<Parameter> integer_parameters(int dimensions, int values);

/// As many times the same domain.
inline std::vector<Bounds> domains_of(int dimensions, Bounds domain) {
  return std::vector<Bounds>(static_cast<std::size_t>(dimensions), domain);
}

}  // namespace ntune
