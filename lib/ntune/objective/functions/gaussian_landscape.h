#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ntune/objective/functions/benchmark_function.h"

namespace ntune {

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
std::unique_ptr<BenchmarkFunction> make_gaussian_landscape(
    const GaussianLandscapeOptions& options = {});

}  // namespace ntune
