#include "ntune/optim/models/n_tuple_model.h"

#include <algorithm>

namespace ntune {

namespace {

// More cells than these of a tuple, or of all tuples together, are held in a hash map.
constexpr double kMostCellsOfTuple = 65'536;
constexpr double kMostCells = 4'000'000;

}  // namespace

NTupleModel::NTupleModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget)
    : weighted_(options.weighted()),
      unseen_is_zero_(options.unseen_is_zero),
      counts_(options, budget),
      points_(space, budget),
      containing_(static_cast<std::size_t>(space.dimensions())) {
  std::vector<int> free;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() > 1) free.push_back(i);
  }
  // Parameters with one value would only repeat a smaller tuple, so that tuples leave them out. A
  // model must hold one tuple at least.
  for (const int size : options.tuples.sizes) hold_subsets(size, space, free);
  for (const std::vector<int>& named : options.tuples.named) {
    std::vector<int> parameters;
    std::ranges::copy_if(named, std::back_inserter(parameters),
                         [&](int i) { return space[i].cardinality() > 1; });
    if (!parameters.empty()) hold(parameters, space);
  }
  if (options.tuples.all || tuples_.empty()) {
    hold(free, space);
    tuples_.back().whole = true;
  }
  // By ascending level, the parts of the level below are known when eq. 6 asks for them.
  std::ranges::stable_sort(tuples_, {}, &Tuple::level);

  double cells = 0.0;
  for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
    Tuple& tuple = tuples_[t];
    double settings = 1.0;
    for (const auto& [parameter, stride] : tuple.strides) {
      settings *= space[parameter].cardinality();
      containing_[parameter].push_back(t);
    }
    if (!tuple.whole && settings <= kMostCellsOfTuple && cells + settings <= kMostCells) {
      tuple.first_cell = static_cast<std::int64_t>(cells);
      cells += settings;
    }
  }
  if (weighted_) link_levels();
  cells_.resize(static_cast<std::size_t>(cells));
  focus_parts_.resize(tuples_.size());
  parts_.resize(tuples_.size());
}

/// Finds what eq. 6 averages: the level below each tuple, and the tuples that are below no other.
void NTupleModel::link_levels() {
  std::vector<bool> is_below(tuples_.size());
  std::uint32_t lower = 0;  // tuples of a lower level
  for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
    // Tuples before `lower` are of a lower level than t: equal levels never hold each other.
    if (tuples_[lower].level < tuples_[t].level) lower = t;
    tuples_[t].below = maximal_subsets(tuples_[t], lower);
    for (const std::uint32_t s : tuples_[t].below) is_below[s] = true;
  }
  for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
    if (!is_below[t]) top_.push_back(t);
  }
}

/// Returns those of the first `lower` tuples that are subsets of this one, but of no other subset
/// of it among them.
std::vector<std::uint32_t> NTupleModel::maximal_subsets(const Tuple& tuple,
                                                        std::uint32_t lower) const {
  std::vector<std::uint32_t> maximal;
  std::size_t higher = 0;  // of them, those of a higher level than the candidate
  int level = tuple.level;
  // From high to low levels, a candidate that lies in a subset found before is not maximal. Only
  // subsets of a higher level can hold it.
  for (std::uint32_t s = lower; s-- > 0;) {
    const Tuple& candidate = tuples_[s];
    if (candidate.level < level) higher = maximal.size();
    level = candidate.level;
    if (!candidate.parameters.is_within(tuple.parameters)) continue;
    const bool covered = std::any_of(
        maximal.begin(), maximal.begin() + static_cast<std::ptrdiff_t>(higher),
        [&](std::uint32_t t) { return candidate.parameters.is_within(tuples_[t].parameters); });
    if (!covered) maximal.push_back(s);
  }
  return maximal;
}

/// Adds a tuple of these parameters. A setting's number is its mixed-radix index, or a random hash
/// where there are too many settings for 64 bits.
void NTupleModel::hold(const std::vector<int>& parameters, const SearchSpace& space) {
  Tuple tuple;
  tuple.level = static_cast<int>(parameters.size());
  double settings = 1.0;
  for (const int parameter : parameters) settings *= space[parameter].cardinality();
  constexpr double kExactSettings = 0x1p63;
  Rng rng(0);  // strides of tuples with more settings are as in SampledPoints
  std::uint64_t radix = 1;
  for (const int parameter : parameters) {
    tuple.parameters.add(parameter);
    const std::uint64_t stride = settings < kExactSettings ? radix : rng() | 1U;
    tuple.strides.emplace_back(static_cast<std::uint16_t>(parameter), stride);
    radix *= static_cast<std::uint64_t>(space[parameter].cardinality());
  }
  tuples_.push_back(std::move(tuple));
}

/// Holds all subsets of this size in lexicographic order: the last position that can move goes on
/// by one, and those after it follow closely.
void NTupleModel::hold_subsets(int size, const SearchSpace& space, const std::vector<int>& free) {
  const auto n = static_cast<int>(free.size());
  if (size > n) return;
  std::vector<int> positions(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) positions[static_cast<std::size_t>(i)] = i;
  while (true) {
    std::vector<int> parameters;
    for (const int position : positions) {
      parameters.push_back(free[static_cast<std::size_t>(position)]);
    }
    hold(parameters, space);
    int i = size - 1;
    while (i >= 0 && positions[static_cast<std::size_t>(i)] == n - size + i) --i;
    if (i < 0) return;
    ++positions[static_cast<std::size_t>(i)];
    for (int j = i + 1; j < size; ++j) {
      positions[static_cast<std::size_t>(j)] = positions[static_cast<std::size_t>(j - 1)] + 1;
    }
  }
}

namespace {

/// Returns the number of the setting that a point has in a tuple of these strides.
std::uint64_t setting_of(const std::vector<std::pair<std::uint16_t, std::uint64_t>>& strides,
                         const Point& point) {
  std::uint64_t setting = 0;
  for (const auto& [parameter, stride] : strides) setting += point[parameter] * stride;
  return setting;
}

}  // namespace

void NTupleModel::add(const Point& point, double payoff) {
  points_.add(point, payoff);
  ++total_;
  update_cells(point, [payoff](Cell& cell) { cell.add(payoff); });
}

void NTupleModel::amend(const Point& point, double before, double now) {
  points_.amend(point, before, now);
  update_cells(point, [before, now](Cell& cell) { cell.amend(before, now); });
}

/// Adds a visit in flight (1) or takes one away (-1).
void NTupleModel::mark(const Point& point, int change) {
  points_.mark(point, change);
  pending_ += change;
  update_cells(point, [change](Cell& cell) { cell.mark(change); });
}

/// Changes the cells of the point's tuples, but for the d-tuple's.
template <class Action>
inline void NTupleModel::update_cells(const Point& point, const Action& action) {
  counts_.set_total(total_ + pending_);
  for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
    const Tuple& tuple = tuples_[t];
    if (tuple.whole) continue;
    const std::uint64_t setting = setting_of(tuple.strides, point);
    if (tuple.first_cell < 0) {
      action(sparse_[{t, setting}]);
    } else {
      action(cells_[static_cast<std::size_t>(tuple.first_cell) + setting]);
    }
  }
  focus_valid_ = false;
}

const Cell& NTupleModel::cell_of(std::uint32_t index, const Point& point) const {
  const Tuple& tuple = tuples_[index];
  if (tuple.whole) return points_.at(point);
  const std::uint64_t setting = setting_of(tuple.strides, point);
  if (tuple.first_cell >= 0) return cells_[static_cast<std::size_t>(tuple.first_cell) + setting];
  static constexpr Cell kEmpty{};
  const auto found = sparse_.find({index, setting});
  return found == sparse_.end() ? kEmpty : found->second;
}

/// Returns a tuple's part in the score of a point. `parts` must hold those of the tuples below.
template <bool kMarked>
inline NTupleModel::Part NTupleModel::part_of(std::uint32_t index, const Point& point,
                                              std::span<const Part> parts) const {
  const Cell& cell = cell_of(index, point);
  const CountTable::Row row = counts_.row_of<kMarked>(cell);
  Part part = {.value = cell.sum * row.reciprocal,
               .exploration = counts_.exploration(row.exploration),
               .seen = row.seen};
  const Tuple& tuple = tuples_[index];
  if (weighted_ && tuple.below.empty() && cell.count == 0) part.value = unseen();
  if (weighted_ && !tuple.below.empty()) {  // eq. 6
    double below = 0.0;
    for (const std::uint32_t t : tuple.below) below += parts[t].value;
    part.value = row.weight * part.value +
                 (1.0 - row.weight) * below / static_cast<double>(tuple.below.size());
  }
  return part;
}

/// Eq. 6 at the top: the mean of V over the tuples that are below no other.
double NTupleModel::top_value(std::span<const Part> parts) const {
  double sum = 0.0;
  for (const std::uint32_t t : top_) sum += parts[t].value;
  return sum / static_cast<double>(top_.size());
}

/// Makes the score from the sums: the mean exploration over all tuples, and eq. 6 (`top`) or the
/// average over the tuples with data (eq. 2).
Score NTupleModel::finish(const Part& sum, double top) const {
  const double exploration =
      sum.exploration * counts_.exploration_factor() / static_cast<double>(tuples_.size());
  if (weighted_) return {top, exploration};
  return {sum.seen > 0.5 ? sum.value / sum.seen : unseen(), exploration};
}

void NTupleModel::sum_parts(const Point& point, std::vector<Part>& parts, Part& sum) const {
  sum = {};
  for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
    parts[t] = pending_ == 0 ? part_of<false>(t, point, parts) : part_of<true>(t, point, parts);
    sum.value += parts[t].value;
    sum.exploration += parts[t].exploration;
    sum.seen += parts[t].seen;
  }
}

Score NTupleModel::score(const Point& point) const {
  std::vector<Part> parts(tuples_.size());
  Part sum;
  sum_parts(point, parts, sum);
  return finish(sum, weighted_ ? top_value(parts) : 0.0);
}

void NTupleModel::focus(const Point& point) {
  if (focus_valid_ && point == focus_) return;
  focus_ = point;
  focus_valid_ = true;
  sum_parts(point, focus_parts_, focus_sum_);
  parts_ = focus_parts_;
}

Score NTupleModel::score_neighbour(Changes changes) {
  return pending_ == 0 ? score_changes<false>(changes) : score_changes<true>(changes);
}

/// Scores a neighbour by replacing the parts of the tuples that hold a changed parameter. `parts_`
/// takes them, for eq. 6 to read, and is restored to the focus' parts after it.
template <bool kMarked>
inline Score NTupleModel::score_changes(Changes changes) {
  Point neighbour = focus_;
  for (const Change& change : changes) neighbour[change.parameter] = change.value;
  Part sum = focus_sum_;
  const auto update = [&](std::uint32_t t) {
    parts_[t] = part_of<kMarked>(t, neighbour, parts_);
    sum.value += parts_[t].value - focus_parts_[t].value;
    sum.exploration += parts_[t].exploration - focus_parts_[t].exploration;
    sum.seen += parts_[t].seen - focus_parts_[t].seen;
  };
  const auto restore = [&](std::uint32_t t) { parts_[t] = focus_parts_[t]; };
  const auto for_each_affected = [&](const auto& action) {
    // Most neighbours change one parameter, whose tuples are listed. For several, every tuple is
    // asked, since the lists overlap.
    if (changes.size() == 1) {
      for (const std::uint32_t t : containing_[changes[0].parameter]) action(t);
    } else {
      for (std::uint32_t t = 0; t < tuples_.size(); ++t) {
        const auto is_changed = [&](const Change& change) {
          return tuples_[t].parameters.has(change.parameter);
        };
        if (std::ranges::any_of(changes, is_changed)) action(t);
      }
    }
  };
  for_each_affected(update);
  const Score result = finish(sum, weighted_ ? top_value(parts_) : 0.0);
  for_each_affected(restore);
  return result;
}

}  // namespace ntune
