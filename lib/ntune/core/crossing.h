#pragma once

#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

namespace ntune {

/// Where a rising function is 0, between an end at which it is below 0 and one at which it is not.
template <class Function>
double crossing(const Function& function, double low, double high) {
  // A tolerance of 48 bits is far more than an interval needs; the bound on steps only guards
  // against an endless loop.
  std::uintmax_t most = 100;
  const auto [below, above] = boost::math::tools::toms748_solve(
      function, low, high, boost::math::tools::eps_tolerance<double>(48), most);
  return 0.5 * (below + above);
}

}  // namespace ntune
