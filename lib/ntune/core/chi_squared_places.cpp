#include "ntune/core/chi_squared_places.h"

#include <cmath>

#include <boost/math/distributions/chi_squared.hpp>

namespace ntune {

std::vector<ChiSquaredPlace> chi_squared_places(double degrees, int count) {
  constexpr double kTail = 1e-12;
  const boost::math::chi_squared squares(degrees);
  const double first = std::log(quantile(squares, kTail));
  const double last = std::log(quantile(complement(squares, kTail)));
  std::vector<ChiSquaredPlace> places;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    const double square = std::exp(first + (last - first) * i / (count - 1));
    places.push_back({.square = square, .weight = square * pdf(squares, square)});
    sum += places.back().weight;
  }
  for (ChiSquaredPlace& place : places) place.weight /= sum;
  return places;
}

}  // namespace ntune
