#include "ntune/optim/models/sampled_points.h"

#include <algorithm>
#include <bit>

namespace ntune {

namespace {

/// 64 KiB of slots: below, setting up the table costs less than a few runs' worth of collisions.
constexpr double kLargestDirectSpace = 4096;

}  // namespace

void Cell::add_with_deviation(double payoff) {
  const double apart = count > 0 ? payoff - mean() : 0.0;
  add(payoff);
  deviations += apart * (payoff - mean());  // Welford 1962
}

/// Replacing x by y changes the sum of squared deviations by (y - x) (y - new mean + x - old mean).
void Cell::amend_with_deviation(double before, double now) {
  const double apart = before - mean();
  amend(before, now);
  const double change = (now - before) * (now - mean() + apart);
  deviations = std::max(0.0, deviations + change);
}

RunningStats Cell::statistics() const {
  return RunningStats(
      {.count = count, .mean = mean(), .squares = deviations, .min = mean(), .max = mean()});
}

SampledPoints::SampledPoints(const SearchSpace& space, std::int64_t expected)
    : dimensions_(static_cast<std::size_t>(space.dimensions())), strides_(dimensions_) {
  // Values off the grid have keys of their own, with which no point of the grid is found.
  double keys = 1.0;
  for (const Parameter& parameter : space.parameters()) keys *= parameter.known_values();
  constexpr double kExactKeys = 0x1p63;
  // Keys are mixed-radix numbers in which the last parameter has stride 1. Where 64 bits are too
  // few, strides are random and odd.
  const bool exact = keys < kExactKeys;
  direct_ = keys <= kLargestDirectSpace;
  Rng rng(0);
  std::uint64_t radix = 1;
  for (int i = space.dimensions() - 1; i >= 0; --i) {
    strides_[static_cast<std::size_t>(i)] = exact ? radix : rng() | 1U;
    radix *= static_cast<std::uint64_t>(space[i].known_values());
  }
  constexpr double kLargestReserve = 65'536;
  const auto reserve = static_cast<std::size_t>(
      std::min({static_cast<double>(expected), space.grid_size(), kLargestReserve}));
  cells_.reserve(reserve);
  indices_.reserve(reserve * dimensions_);
  // At most half of the slots are taken, so that a search for a free one is short.
  const auto slots = direct_ ? static_cast<std::size_t>(keys) : 2 * reserve + 2;
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
  cells_[rank - 1].add_with_deviation(payoff);
  ++count_;
  sum_ += payoff;
  note_value(payoff);
  return rank;
}

/// Counts a payoff under its value. Up to one value more than `few_values` shows is held.
void SampledPoints::note_value(double payoff) {
  const auto found = std::ranges::find(values_, payoff);
  if (found != values_.end()) {
    ++value_counts_[static_cast<std::size_t>(found - values_.begin())];
  } else if (values_.size() <= kFewValues) {
    values_.push_back(payoff);
    value_counts_.push_back(1);
  } else {
    ++other_values_;
  }
}

/// Takes one payoff away; its value stays while another payoff has it.
void SampledPoints::forget_value(double payoff) {
  const auto found = std::ranges::find(values_, payoff);
  if (found == values_.end()) {
    // A shift may have rounded the value away from what is forgotten now.
    if (other_values_ > 0) --other_values_;
    return;
  }
  const auto count = value_counts_.begin() + (found - values_.begin());
  if (--*count > 0) return;
  value_counts_.erase(count);
  values_.erase(found);
}

std::uint32_t SampledPoints::amend(const Point& point, double before, double now) {
  const std::uint32_t rank = hold(point);
  cells_[rank - 1].amend_with_deviation(before, now);
  sum_ += now - before;
  forget_value(before);
  note_value(now);
  return rank;
}

void SampledPoints::clear_payoffs() {
  for (Cell& cell : cells_) cell = {.pending = cell.pending};
  count_ = 0;
  sum_ = 0.0;
  values_.clear();
  value_counts_.clear();
  other_values_ = 0;
}

void SampledPoints::shift(double by) {
  for (Cell& cell : cells_) {
    if (cell.count == 0) continue;
    cell.sum -= by * cell.count;
    // The shift has a size beside which earlier deviations are rounding.
    cell.deviations = 0.0;
  }
  sum_ -= by * static_cast<double>(count_);
  for (double& value : values_) value -= by;
}

std::uint32_t SampledPoints::mark(const Point& point, int change) {
  const std::uint32_t rank = hold(point);
  cells_[rank - 1].mark(change);
  return rank;
}

Point SampledPoints::point(std::size_t index) const {
  return Point(std::span(indices_).subspan(index * dimensions_, dimensions_));
}

/// Makes a table of so many slots, a power of two, and enters all points. In a direct table every
/// key has the slot of its own number, so that the first look always ends the search.
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

RunningStats payoffs_of(const SampledPoints& points) {
  RunningStats all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.cell(i).count > 0) all.merge(points.cell(i).statistics());
  }
  return all;
}

}  // namespace ntune
