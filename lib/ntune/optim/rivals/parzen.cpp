#include "ntune/optim/rivals/parzen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

namespace ntune {

namespace {

constexpr int kLargestTable = 64;   ///< values of a parameter
constexpr std::size_t kBatch = 24;  ///< points whose densities are summed up side by side

/// Returns the spread of kernels for so many points in so many dimensions. By Scott's rule (1992)
/// it is n^(-1 / (d + 4)) times the bandwidth, at most 1.
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
  // The mass of a value is that of its cell from value - 1/2 to value + 1/2, over that of the whole
  // range.
  std::vector<double> below(static_cast<std::size_t>(values_) + 1);
  for (int centre = 0; centre < values_; ++centre) {
    for (int edge = 0; ordered_ && edge <= values_; ++edge) {
      below[static_cast<std::size_t>(edge)] = twice_below(centre, edge);
    }
    for (int value = 0; value < values_; ++value) {
      const auto v = static_cast<std::size_t>(value);
      table_.push_back(ordered_ ? (below[v + 1] - below[v]) / (below.back() - below.front())
                                : unordered_mass(centre, value));
    }
  }
}

double AxisKernel::mass(int centre, int value) const {
  if (!table_.empty()) return table_[static_cast<std::size_t>(centre * values_ + value)];
  if (!ordered_) return unordered_mass(centre, value);
  return (twice_below(centre, value + 1) - twice_below(centre, value)) /
         (twice_below(centre, values_) - twice_below(centre, 0));
}

/// Twice the probability that a normal deviate about the centre lies below the cell of a value.
double AxisKernel::twice_below(int centre, int value) const {
  return std::erfc(-(value - 0.5 - centre) / spread_ / std::numbers::sqrt2);
}

double AxisKernel::unordered_mass(int centre, int value) const {
  if (values_ == 1) return 1.0;
  return centre == value ? 1.0 - spread_ : spread_ / (values_ - 1);
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

ParzenDensity::ParzenDensity(const SearchSpace& space, std::vector<const Point*> points,
                             double bandwidth, bool joint)
    : space_(&space), points_(std::move(points)), joint_(joint) {
  const double spread = spread_of(bandwidth, points_.size(), joint ? space.dimensions() : 1);
  for (int i = 0; i < space.dimensions(); ++i) {
    axes_.push_back({AxisKernel(space[i], spread), {}, 0.0, space[i].cardinality()});
    if (!joint) count(i);
  }
}

/// Counts equal values once with their number, so that a density costs the number of distinct ones.
void ParzenDensity::count(int parameter) {
  std::vector<int> values;
  for (const Point* point : points_) {
    if (space_->is_active(*point, parameter)) values.push_back((*point)[parameter]);
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
  // Each observation has one part of the mixture, and the uniform prior has the last one.
  double left = rng.uniform() * (axis.total + 1.0);
  for (const auto& [value, count] : axis.counts) {
    if (left < count) return axis.kernel.draw(value, rng);
    left -= count;
  }
  return static_cast<int>(rng.below(static_cast<std::uint32_t>(axis.values)));
}

Point ParzenDensity::draw(Rng& rng) const {
  Point point(space_->dimensions());
  // A joint density draws one centre for all parameters; the last number stands for the prior.
  const auto centre = joint_ ? rng.below(static_cast<std::uint32_t>(points_.size()) + 1) : 0;
  for (int i = 0; i < point.size(); ++i) {
    const Axis& axis = axes_[static_cast<std::size_t>(i)];
    const bool prior = centre == points_.size();
    const int value = !joint_ ? draw(i, rng)
                      : prior ? static_cast<int>(rng.below(static_cast<std::uint32_t>(axis.values)))
                              : axis.kernel.draw((*points_[centre])[i], rng);
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

std::vector<double> ParzenDensity::log_densities(std::span<const Point> points) const {
  std::vector<double> result;
  if (!joint_) {
    for (const Point& point : points) {
      double& sum = result.emplace_back(0.0);
      for (int i = 0; i < point.size(); ++i) {
        if (space_->is_active(point, i)) sum += std::log(density(i, point[i]));
      }
    }
    return result;
  }
  double prior = 1.0;
  for (const Axis& axis : axes_) prior /= axis.values;
  result.assign(points.size(), prior);
  for (std::size_t first = 0; first < points.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, points.size() - first);
    add_products(points.subspan(first, count), std::span(result).subspan(first, count));
  }
  for (double& sum : result) {
    // A product of many small masses may underflow to 0, which has no logarithm.
    const double density = sum / (static_cast<double>(points_.size()) + 1.0);
    sum = std::log(std::max(density, std::numeric_limits<double>::min()));
  }
  return result;
}

/// Adds the kernels around all centres, centre by centre. The points of a batch stand side by side
/// in the innermost loop, which the compiler makes vector instructions of.
void ParzenDensity::add_products(std::span<const Point> points, std::span<double> sums) const {
  using Batch = std::array<double, kBatch>;
  std::vector<std::vector<Batch>> masses(axes_.size());  // of few values: a batch for each centre
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    if (axis.values > kLargestTable) continue;
    masses[a].resize(static_cast<std::size_t>(axis.values));
    for (int centre = 0; centre < axis.values; ++centre) {
      for (std::size_t p = 0; p < points.size(); ++p) {
        masses[a][static_cast<std::size_t>(centre)][p] =
            axis.kernel.mass(centre, points[p][static_cast<int>(a)]);
      }
    }
  }
  // Each centre adds the product of its kernels' masses over all parameters.
  Batch totals{};
  std::ranges::copy(sums, totals.begin());
  for (const Point* centre : points_) {
    Batch products;
    products.fill(1.0);
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const int value = (*centre)[static_cast<int>(a)];
      if (!masses[a].empty()) {
        const Batch& factors = masses[a][static_cast<std::size_t>(value)];
        for (std::size_t p = 0; p < kBatch; ++p) products[p] *= factors[p];
      } else {
        for (std::size_t p = 0; p < points.size(); ++p) {
          products[p] *= axes_[a].kernel.mass(value, points[p][static_cast<int>(a)]);
        }
      }
    }
    // A short batch has unused places at the end, whose sums are never read.
    for (std::size_t p = 0; p < kBatch; ++p) totals[p] += products[p];
  }
  std::copy_n(totals.begin(), sums.size(), sums.begin());
}

}  // namespace ntune
