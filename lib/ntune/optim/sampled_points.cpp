#include "ntune/optim/sampled_points.h"

#include <algorithm>

namespace ntune {

SampledPoints::SampledPoints(const SearchSpace& space, std::int64_t expected)
    : dimensions_(static_cast<std::size_t>(space.dimensions())), strides_(dimensions_) {
  constexpr double kExactKeys = 0x1p63;
  const bool exact = space.grid_size() < kExactKeys;
  Rng rng(0);
  std::uint64_t radix = 1;
  for (int i = space.dimensions() - 1; i >= 0; --i) {
    strides_[static_cast<std::size_t>(i)] = exact ? radix : rng() | 1U;
    radix *= static_cast<std::uint64_t>(space[i].cardinality());
  }
  constexpr double kLargestReserve = 65'536;
  const auto reserve = static_cast<std::size_t>(
      std::min({static_cast<double>(expected), space.grid_size(), kLargestReserve}));
  cells_.reserve(reserve);
  indices_.reserve(reserve * dimensions_);
  rehash(std::bit_ceil(std::max<std::size_t>(2 * reserve + 2, 16)));
}

void SampledPoints::add(const Point& point, double payoff) {
  const std::uint64_t wanted = key(point);
  std::size_t slot = home(wanted);
  while (slots_[slot].index >= 0 && slots_[slot].key != wanted) slot = (slot + 1) & mask_;
  if (slots_[slot].index < 0) {
    slots_[slot] = {.key = wanted, .index = static_cast<std::int32_t>(cells_.size())};
    cells_.emplace_back();
    const auto indices = point.indices();
    indices_.insert(indices_.end(), indices.begin(), indices.end());
  }
  cells_[static_cast<std::size_t>(slots_[slot].index)].add(payoff);
  if (2 * cells_.size() > slots_.size()) rehash(2 * slots_.size());
}

Point SampledPoints::point(std::size_t index) const {
  return Point(std::span(indices_).subspan(index * dimensions_, dimensions_));
}

void SampledPoints::rehash(std::size_t slots) {
  slots_.assign(slots, {});
  mask_ = slots - 1;
  shift_ = 64 - std::countr_zero(slots);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::uint64_t wanted = key(point(i));
    std::size_t slot = home(wanted);
    while (slots_[slot].index >= 0) slot = (slot + 1) & mask_;
    slots_[slot] = {.key = wanted, .index = static_cast<std::int32_t>(i)};
  }
}

}  // namespace ntune
