#include "ntune/optim/models/smoothed_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ntune {

namespace {

/// Smaller weights are taken for 0.
constexpr double kLeastWeight = 0.05;
/// The largest weight of another value.
constexpr double kMostShared = 1.0 - std::numeric_limits<double>::epsilon();
constexpr std::size_t kMostNear = 64;  ///< values on either side
constexpr std::size_t kMostCellsOfSmoothedPair = 65'536;
constexpr std::size_t kMostSmoothedCells = 4'000'000;

/// exp(-(distance / bandwidth)^2 / 2) by distance, as far as it is at least kLeastWeight. Only the
/// value itself has a weight of 1, even where another one would be rounded to it.
std::vector<double> shared_weights(const Parameter& parameter, double bandwidth) {
  std::vector<double> weights = {1.0};
  if (!parameter.ordered || bandwidth <= 0.0) return weights;
  const auto cardinality = static_cast<std::size_t>(parameter.cardinality());
  while (weights.size() < std::min(cardinality, kMostNear + 1)) {
    const double distance =
        static_cast<double>(weights.size()) / static_cast<double>(cardinality - 1) / bandwidth;
    const double weight = std::min(std::exp(-0.5 * distance * distance), kMostShared);
    if (weight < kLeastWeight) break;
    weights.push_back(weight);
  }
  return weights;
}

}  // namespace

SmoothedModel::SmoothedModel(const SearchSpace& space, const ModelOptions& options,
                             std::int64_t budget)
    : horizon_(options.horizon),
      unseen_is_zero_(options.unseen_is_zero),
      counts_(options, budget),
      points_(space, budget) {
  std::size_t cells = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    axis_of_.push_back(parameter.cardinality() > 1 ? static_cast<int>(axes_.size()) : -1);
    if (parameter.cardinality() < 2) continue;
    axes_.push_back({.parameter = static_cast<std::uint16_t>(i),
                     .cardinality = static_cast<std::size_t>(parameter.cardinality()),
                     .first_cell = cells,
                     .weights = shared_weights(parameter, options.bandwidth)});
    cells += axes_.back().cardinality;
  }
  tuples_ = static_cast<double>(axes_.size()) + 1.0;
  first_pair_cell_.assign(axes_.size() * axes_.size(), kNoCell);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (std::size_t j = i + 1; j < axes_.size(); ++j) {
      const std::size_t pair = axes_[i].cardinality * axes_[j].cardinality;
      if (pair > kMostCellsOfSmoothedPair || cells + pair > kMostSmoothedCells) continue;
      first_pair_cell_[i * axes_.size() + j] = cells;
      cells += pair;
      tuples_ += 1.0;
    }
  }
  // Cells of 1-tuples come first, then those of the pairs that are held. `tuples_` counts these and
  // the d-tuple.
  cells_.resize(cells);
  parts_.assign(cells, part_of({}));
}

/// Shared payoffs fade as T / (T + n) with the cell's own n payoffs. A mark that is taken away may
/// leave visits a little below 0 by rounding.
SmoothedModel::Part SmoothedModel::part_of(const SharedCell& cell) const {
  const double share = horizon_ / (horizon_ + cell.here.count);
  const double count = cell.here.count + share * cell.near.count;
  const double visits = std::max(0.0, count + cell.here.pending + share * cell.near.pending);
  const double seen = std::min(count, 1.0);
  return {.value = count > 0.0 ? seen * (cell.here.sum + share * cell.near.sum) / count : 0.0,
          .exploration = counts_.exploration_entry(visits),
          .seen = seen};
}

/// The value itself is visited too, with the weight 1.
template <class Visit>
inline void SmoothedModel::for_each_near(const Axis& axis, std::size_t value, const Visit& visit) {
  const std::size_t reach = axis.weights.size() - 1;
  const std::size_t low = value > reach ? value - reach : 0;
  const std::size_t high = std::min(value + reach, axis.cardinality - 1);
  for (std::size_t near = low; near <= high; ++near) {
    visit(near, axis.weights[near > value ? near - value : value - near]);
  }
}

/// A weight of 1 is that of the point's own values; nearby cells have smaller ones.
void SmoothedModel::change_cell(std::size_t index, double weight, const Tally& tally) {
  SharedCell& cell = cells_[index];
  (weight == 1.0 ? cell.here : cell.near).add(tally, weight);
  parts_[index] = part_of(cell);
}

/// Adds to all cells of the point's tuples and to those nearby.
void SmoothedModel::change(const Point& point, const Tally& tally) {
  total_ += static_cast<std::int64_t>(tally.count + tally.pending);
  counts_.set_total(total_);
  focus_valid_ = false;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const Axis& first = axes_[i];
    for_each_near(first, point[first.parameter], [&](std::size_t value, double weight) {
      change_cell(first.first_cell + value, weight, tally);
      for (std::size_t j = i + 1; j < axes_.size(); ++j) {
        if (pair_cell(i, j) == kNoCell) continue;
        const Axis& second = axes_[j];
        const std::size_t row = pair_cell(i, j) + value * second.cardinality;
        for_each_near(second, point[second.parameter], [&](std::size_t other, double other_weight) {
          const double both = weight * other_weight;
          if (both >= kLeastWeight) change_cell(row + other, both, tally);
        });
      }
    });
  }
}

/// The exploration term depends on the total of evaluations, so it is finished when it is read.
inline SmoothedModel::Part SmoothedModel::read(std::size_t cell) const {
  Part part = parts_[cell];
  part.exploration = counts_.exploration(part.exploration);
  return part;
}

SmoothedModel::Part SmoothedModel::whole_part(const Point& point) const {
  const Cell& cell = points_.at(point);
  const CountTable::Row row = counts_.row_of<true>(cell);
  return {.value = cell.sum * row.reciprocal,
          .exploration = counts_.exploration(row.exploration),
          .seen = row.seen};
}

SmoothedModel::Part SmoothedModel::sum_parts(const Point& point) const {
  Part sum;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::size_t value = point[axes_[i].parameter];
    sum.add(read(axes_[i].first_cell + value), 1.0);
    for (std::size_t j = i + 1; j < axes_.size(); ++j) {
      if (pair_cell(i, j) == kNoCell) continue;
      sum.add(read(pair_cell(i, j) + value * axes_[j].cardinality + point[axes_[j].parameter]),
              1.0);
    }
  }
  return sum;
}

Score SmoothedModel::finish(Part sum, const Part& whole) const {
  sum.add(whole, 1.0);
  const double unseen = unseen_is_zero_ ? 0.0 : points_.mean();
  return {.mean = sum.seen > 1e-6 ? sum.value / sum.seen : unseen,
          .exploration = sum.exploration * counts_.exploration_factor() / tuples_};
}

Score SmoothedModel::score(const Point& point) const {
  return finish(sum_parts(point), whole_part(point));
}

void SmoothedModel::focus(const Point& point) {
  if (focus_valid_ && point == focus_) return;
  focus_ = point;
  focus_sum_ = sum_parts(point);
  focus_valid_ = true;
}

/// Scores a neighbour from the sum of the focus. Parts of tuples with a changed parameter are
/// replaced: those at the neighbour's values are added, those at the focus' taken away.
Score SmoothedModel::score_neighbour(Changes changes) const {
  Point neighbour = focus_;
  for (const Change& change : changes) neighbour[change.parameter] = change.value;
  Part sum = focus_sum_;
  ParameterSet done;  // their tuples are counted
  for (const Change& change : changes) {
    if (axis_of_[change.parameter] < 0) continue;
    const auto i = static_cast<std::size_t>(axis_of_[change.parameter]);
    const Axis& axis = axes_[i];
    done.add(change.parameter);
    sum.add(read(axis.first_cell + neighbour[axis.parameter]), 1.0);
    sum.add(read(axis.first_cell + focus_[axis.parameter]), -1.0);
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      // A pair of two changed parameters belongs to the first of them alone.
      if (done.has(static_cast<int>(axes_[j].parameter))) continue;
      const std::size_t low = std::min(i, j);
      const std::size_t high = std::max(i, j);
      const std::size_t begin = pair_cell(low, high);
      if (begin == kNoCell) continue;
      const auto cell = [&](const Point& point) {
        return begin + point[axes_[low].parameter] * axes_[high].cardinality +
               point[axes_[high].parameter];
      };
      sum.add(read(cell(neighbour)), 1.0);
      sum.add(read(cell(focus_)), -1.0);
    }
  }
  return finish(sum, whole_part(neighbour));
}

}  // namespace ntune
