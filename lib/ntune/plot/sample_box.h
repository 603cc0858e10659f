#pragma once

#include <vector>

namespace ntune {

/// Tukey's box of a sample: quartiles (linear interpolation, Hyndman and Fan 1996, type 7), and
/// whiskers to the last values within 1.5 box lengths.
struct SampleBox {
  double low = 0.0;
  double first = 0.0;
  double median = 0.0;
  double third = 0.0;
  double high = 0.0;
  std::vector<double> outside = {};
};

/// The values need not be sorted; at least one.
SampleBox sample_box(std::vector<double> values);

/// Quantile of sorted values, 0 <= p <= 1.
double sorted_quantile(const std::vector<double>& sorted, double p);

}  // namespace ntune
