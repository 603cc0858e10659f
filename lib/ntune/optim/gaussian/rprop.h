#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Core>

namespace ntune {

/// Strides of Rprop, in natural logarithms of hyperparameters.
struct RpropOptions {
  double first = 0.2;
  double longest = 1.0;
  double longer = 1.2;   ///< factor where two slopes have one sign
  double shorter = 0.5;  ///< factor where the sign has changed, as a maximum was passed
  bool rests = true;     ///< after a change of sign for one step (iRprop-: Igel and Huesken 2000)
  double flat = 0.0;     ///< a slope below moves nothing, as its sign may be due to rounding
};

/// Climbs by the signs of slopes alone (Riedmiller and Braun 1993; for Gaussian processes Blum and
/// Riedmiller 2013). Each hyperparameter has a stride of its own.
class Rprop {
 public:
  Rprop(Eigen::Index size, const RpropOptions& options)
      : options_(options),
        strides_(Eigen::VectorXd::Constant(size, options.first)),
        signs_(Eigen::VectorXd::Zero(size)) {}

  /// By how much to move hyperparameter i, whose value has this slope.
  double move(Eigen::Index i, double slope) {
    double sign = slope > 0.0 ? 1.0 : slope < 0.0 ? -1.0 : 0.0;
    if (sign * signs_[i] > 0.0) {
      strides_[i] = std::min(options_.longer * strides_[i], options_.longest);
    } else if (sign * signs_[i] < 0.0) {
      strides_[i] *= options_.shorter;
      if (options_.rests) sign = 0.0;
    }
    signs_[i] = sign;
    return std::abs(slope) < options_.flat ? 0.0 : sign * strides_[i];
  }

 private:
  RpropOptions options_;
  Eigen::VectorXd strides_;
  Eigen::VectorXd signs_;
};

}  // namespace ntune
