#include "ntune/optim/parzen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace ntune {

namespace {

constexpr int kLargestTable = 64;  ///< values of a parameter

/// Probability that a standard normal deviate lies between a and b.
double normal_mass(double a, double b) {
  return 0.5 * (std::erfc(-b / std::numbers::sqrt2) - std::erfc(-a / std::numbers::sqrt2));
}

double spread_of(double bandwidth, std::size_t points, int dimensions) {
  const double n = std::max(1.0, static_cast<double>(points));
  return std::min(1.0, bandwidth * std::pow(n, -1.0 / (dimensions + 4.0)));
}

}  // namespace

AxisKernel::AxisKernel(const Parameter& parameter, double spread)
    : values_(parameter.cardinality()),
      ordered_(parameter.ordered),
      spread_(ordered_ ? std::max(spread * values_, 0.05) : spread * (1.0 - 1.0 / values_)) {
  if (values_ > kLargestTable) return;
  std::vector<double> table;
  for (int centre = 0; centre < values_; ++centre) {
    for (int value = 0; value < values_; ++value) table.push_back(compute(centre, value));
  }
  table_ = std::move(table);
}

double AxisKernel::compute(int centre, int value) const {
  if (values_ == 1) return 1.0;
  if (!ordered_) return centre == value ? 1.0 - spread_ : spread_ / (values_ - 1);
  const auto scaled = [&](double x) { return (x - centre) / spread_; };
  return normal_mass(scaled(value - 0.5), scaled(value + 0.5)) /
         normal_mass(scaled(-0.5), scaled(values_ - 0.5));
}

int AxisKernel::draw(int centre, Rng& rng) const {
  if (values_ == 1) return 0;
  if (!ordered_) {
    if (!rng.bernoulli(spread_)) return centre;
    const auto other = static_cast<int>(rng.below(static_cast<std::uint32_t>(values_ - 1)));
    return other + (other >= centre ? 1 : 0);
  }
  for (;;) {  // at least one deviate in five lies within: spread is at most the number of values
    const double x = std::round(centre + spread_ * rng.normal());
    if (x >= 0.0 && x < values_) return static_cast<int>(x);
  }
}

ParzenDensity::ParzenDensity(const SearchSpace& space, std::vector<Point> points, double bandwidth,
                             bool joint)
    : space_(&space), points_(std::move(points)), joint_(joint) {
  const double spread = spread_of(bandwidth, points_.size(), joint ? space.dimensions() : 1);
  for (int i = 0; i < space.dimensions(); ++i) {
    axes_.push_back({AxisKernel(space[i], spread), {}, 0.0, space[i].cardinality()});
    if (!joint) count(i);
  }
}

void ParzenDensity::count(int parameter) {
  std::vector<int> values;
  for (const Point& point : points_) {
    if (space_->is_active(point, parameter)) values.push_back(point[parameter]);
  }
  std::ranges::sort(values);
  Axis& axis = axes_[static_cast<std::size_t>(parameter)];
  axis.total = static_cast<double>(values.size());
  for (const int value : values) {
    if (axis.counts.empty() || axis.counts.back().value != value) axis.counts.push_back({value});
    ++axis.counts.back().count;
  }
}

int ParzenDensity::draw(int parameter, Rng& rng) const {
  const Axis& axis = axes_[static_cast<std::size_t>(parameter)];
  double left = rng.uniform() * (axis.total + 1.0);
  for (const auto& [value, count] : axis.counts) {
    if (left < count) return axis.kernel.draw(value, rng);
    left -= count;
  }
  return static_cast<int>(rng.below(static_cast<std::uint32_t>(axis.values)));
}

Point ParzenDensity::draw(Rng& rng) const {
  Point point(space_->dimensions());
  const auto centre = joint_ ? rng.below(static_cast<std::uint32_t>(points_.size()) + 1) : 0;
  for (int i = 0; i < point.size(); ++i) {
    const Axis& axis = axes_[static_cast<std::size_t>(i)];
    const bool prior = centre == points_.size();
    const int value = !joint_ ? draw(i, rng)
                      : prior ? static_cast<int>(rng.below(static_cast<std::uint32_t>(axis.values)))
                              : axis.kernel.draw(points_[centre][i], rng);
    point[i] = static_cast<std::uint16_t>(value);
  }
  return point;
}

double ParzenDensity::density(int parameter, int value) const {
  const Axis& axis = axes_[static_cast<std::size_t>(parameter)];
  double sum = 1.0 / axis.values;
  for (const auto& [centre, count] : axis.counts) sum += count * axis.kernel.mass(centre, value);
  return sum / (axis.total + 1.0);
}

double ParzenDensity::log_density(const Point& point) const {
  if (!joint_) {
    double sum = 0.0;
    for (int i = 0; i < point.size(); ++i) {
      if (space_->is_active(point, i)) sum += std::log(density(i, point[i]));
    }
    return sum;
  }
  double prior = 1.0;
  for (const Axis& axis : axes_) prior /= axis.values;
  double sum = prior;
  for (const Point& centre : points_) {
    double product = 1.0;
    for (int i = 0; i < point.size(); ++i) {
      product *= axes_[static_cast<std::size_t>(i)].kernel.mass(centre[i], point[i]);
    }
    sum += product;
  }
  const double density = sum / (static_cast<double>(points_.size()) + 1.0);
  return std::log(std::max(density, std::numeric_limits<double>::min()));
}

}  // namespace ntune
