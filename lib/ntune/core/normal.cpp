#include "ntune/core/normal.h"

#include <boost/math/distributions/normal.hpp>

namespace ntune {

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

}  // namespace ntune
