#include "ntune/plot/sample_box.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ntune {

double sorted_quantile(const std::vector<double>& sorted, double p) {
  assert(!sorted.empty());
  // Hyndman and Fan 1996, type 7: the place is p (n - 1), counted from 0.
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return std::lerp(sorted[low], sorted[high], place - static_cast<double>(low));
}

SampleBox sample_box(std::vector<double> values) {
  constexpr double kReach = 1.5;
  std::ranges::sort(values);
  SampleBox box{.first = sorted_quantile(values, 0.25),
                .median = sorted_quantile(values, 0.5),
                .third = sorted_quantile(values, 0.75)};
  const double reach = kReach * (box.third - box.first);
  box.low = box.first;
  box.high = box.third;
  // The whiskers end at the last values that are not outside, and not at the reach itself.
  for (const double value : values) {
    if (value < box.first - reach || value > box.third + reach) {
      box.outside.push_back(value);
    } else {
      box.low = std::min(box.low, value);
      box.high = std::max(box.high, value);
    }
  }
  return box;
}

}  // namespace ntune
