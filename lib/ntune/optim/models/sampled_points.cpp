#include "ntune/optim/models/sampled_points.h"

#include <algorithm>
#include <bit>

namespace ntune {

namespace {

/// 64 KiB of slots: below, setting up the table costs less than a few runs' worth of collisions.
constexpr double kLargestDirectSpace = 4096;

}  // namespace

SampledPoints::SampledPoints(const SearchSpace& space, std::int64_t expected)
    : dimensions_(static_cast<std::size_t>(space.dimensions())),
      strides_(dimensions_),
      direct_(space.grid_size() <= kLargestDirectSpace) {
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
  const auto slots = direct_ ? static_cast<std::size_t>(space.grid_size()) : 2 * reserve + 2;
  resize_table(std::bit_ceil(std::max<std::size_t>(slots, 16)));
}

/// The rank of a point, which is added without payoffs where it is new.
inline std::uint32_t SampledPoints::hold(const Point& point) {
  const std::uint64_t wanted = key(point);
  std::size_t slot = home(wanted);
  while (slots_[slot].rank != 0 && slots_[slot].key != wanted) slot = (slot + 1) & mask_;
  if (slots_[slot].rank != 0) return slots_[slot].rank;
  cells_.emplace_back();
  const auto rank = static_cast<std::uint32_t>(cells_.size());
  slots_[slot] = {.key = wanted, .rank = rank};
  const auto indices = point.indices();
  indices_.insert(indices_.end(), indices.begin(), indices.end());
  if (!direct_ && 2 * cells_.size() > slots_.size()) resize_table(2 * slots_.size());
  return rank;
}

std::uint32_t SampledPoints::add(const Point& point, double payoff) {
  const std::uint32_t rank = hold(point);
  cells_[rank - 1].add(payoff);
  return rank;
}

std::uint32_t SampledPoints::amend(const Point& point, double before, double now) {
  const std::uint32_t rank = hold(point);
  cells_[rank - 1].amend(before, now);
  return rank;
}

void SampledPoints::shift(double by) {
  for (Cell& cell : cells_) {
    if (cell.count == 0) continue;
    cell.sum -= by * cell.count;
    cell.sum_squares = cell.sum * cell.mean();
  }
}

std::uint32_t SampledPoints::mark(const Point& point, int change) {
  const std::uint32_t rank = hold(point);
  cells_[rank - 1].mark(change);
  return rank;
}

Point SampledPoints::point(std::size_t index) const {
  return Point(std::span(indices_).subspan(index * dimensions_, dimensions_));
}

void SampledPoints::resize_table(std::size_t slots) {
  slots_.assign(slots, {});
  mask_ = slots - 1;
  if (direct_) {
    multiplier_ = 1;
    for (std::size_t slot = 0; slot < slots; ++slot) slots_[slot].key = slot;
    return;
  }
  shift_ = 64 - std::countr_zero(slots);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::uint64_t wanted = key(point(i));
    std::size_t slot = home(wanted);
    while (slots_[slot].rank != 0) slot = (slot + 1) & mask_;
    slots_[slot] = {.key = wanted, .rank = static_cast<std::uint32_t>(i + 1)};
  }
}

}  // namespace ntune
