#include "ntune/optim/models/pair_model.h"

#include <algorithm>
#include <cassert>

namespace ntune {

namespace {

constexpr double kMostPairCells = 3'000'000;

/// Parameters that can change at all.
std::vector<std::uint16_t> free_parameters(const SearchSpace& space) {
  std::vector<std::uint16_t> parameters;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() > 1) parameters.push_back(static_cast<std::uint16_t>(i));
  }
  return parameters;
}

}  // namespace

template <bool kWeighted>
bool PairModel<kWeighted>::fits(const SearchSpace& space, const TupleSet& tuples) {
  const auto parameters = free_parameters(space);
  double values = 0.0;
  for (const int i : parameters) values += space[i].cardinality();
  const bool has_pairs = std::ranges::count(tuples.sizes, 2) == 1;
  const bool only_singles_and_pairs =
      std::ranges::all_of(tuples.sizes, [](int size) { return size == 1 || size == 2; });
  return parameters.size() >= 2 && has_pairs && only_singles_and_pairs && tuples.named.empty() &&
         values * values <= kMostPairCells;
}

template <bool kWeighted>
PairModel<kWeighted>::PairModel(const SearchSpace& space, const ModelOptions& options,
                                std::int64_t budget)
    : singles_(std::ranges::count(options.tuples.sizes, 1) > 0),
      all_(options.tuples.all),
      ratio_(options.exploration->form == Exploration::Form::kRootOfDifference),
      parameters_(free_parameters(space)),
      first_value_(static_cast<std::size_t>(space.dimensions())),
      counts_(options, budget),
      points_(space, budget),
      focus_values_(parameters_.size()),
      focus_value_(first_value_.size()),
      in_parameter_(parameters_.size()) {
  assert(fits(space, options.tuples));
  Eigen::Index cells = 0;
  for (const std::uint16_t i : parameters_) {
    const Eigen::Index cardinality = space[i].cardinality();
    parameter_of_.insert(parameter_of_.end(), static_cast<std::size_t>(cardinality),
                         static_cast<std::uint16_t>(cardinalities_.size()));
    cardinalities_.push_back(cardinality);
    first_value_[i] = values_;
    values_ += cardinality;
    for (const std::uint16_t j : parameters_) {
      first_cell_.push_back(cells);
      if (j > i) cells += cardinality * space[j].cardinality();
    }
  }
  const auto d = static_cast<double>(parameters_.size());
  const double pairs = d * (d - 1.0) / 2.0;
  pair_share_ = 1.0 / pairs;
  tuple_share_ = 1.0 / (pairs + (singles_ ? d : 0.0) + (all_ ? 1.0 : 0.0));

  single_cells_.resize(static_cast<std::size_t>(values_));
  pair_cells_.resize(static_cast<std::size_t>(cells));
  singles_terms_.setZero(4, values_);
  single_means_.setZero(values_);
  pairs_.resize(4, values_ * values_);
  const Part empty = part_of<false>({});
  pairs_.colwise() = Terms(empty.mean, empty.exploration, empty.third, 0.0);
  if (singles_) singles_terms_.row(1) = empty.exploration;
  for (const std::uint16_t i : parameters_) {
    const Eigen::Index cardinality = space[i].cardinality();
    for (Eigen::Index v = 0; v < cardinality; ++v) {
      pairs_.middleCols((first_value_[i] + v) * values_ + first_value_[i], cardinality).setZero();
    }
  }
  whole_terms_.reserve(points_.capacity() + 1);
  whole_terms_.push_back(whole_terms_of({}));
  rows_.resize(4, values_);
  parts_.setZero(4, values_);
  exploration_factor_ = counts_.exploration_factor() * tuple_share_;
}

template <bool kWeighted>
template <bool kMarked>
inline typename PairModel<kWeighted>::Part PairModel<kWeighted>::part_of(const Cell& cell) const {
  const CountTable::Row row = counts_.row_of<kMarked>(cell);
  const double mean = cell.sum * row.reciprocal;
  if constexpr (!kWeighted) return {mean, row.exploration, row.seen};
  if (!singles_) return {mean, row.exploration, 0.0};
  return {row.weight * mean, row.exploration, (1.0 - row.weight) / 2.0};
}

/// With two parameters the d-tuple is a 2-tuple: eq. 6 then ends at the 2-tuple itself.
template <bool kWeighted>
typename PairModel<kWeighted>::Terms PairModel<kWeighted>::whole_terms_of(const Cell& cell) const {
  const CountTable::Row row = counts_.row_of<true>(cell);
  const double mean = cell.sum * row.reciprocal;
  if constexpr (!kWeighted) return {mean, row.exploration, row.seen, 0.0};
  const double weight = parameters_.size() > 2 ? row.weight : 0.0;
  return {weight * mean, row.exploration, 1.0 - weight, 0.0};
}

/// What changes with a point's cell and the number of evaluations; the focus moves to the point.
template <bool kWeighted>
inline void PairModel<kWeighted>::begin_update(const Point& point, std::uint32_t rank) {
  if (rank == whole_terms_.size()) whole_terms_.emplace_back(Terms::Zero());
  whole_terms_[rank] = whole_terms_of(points_.cell(rank - 1));
  counts_.set_total(total_ + pending_);
  exploration_factor_ = counts_.exploration_factor() * tuple_share_;
  move_focus(point);
}

template <bool kWeighted>
void PairModel<kWeighted>::add(const Point& point, double payoff) {
  ++total_;
  begin_update(point, points_.add(point, payoff));
  const auto add = [payoff](Cell& cell) { cell.add(payoff); };
  if (pending_ == 0) {
    update_cells<false>(add);
  } else {
    update_cells<true>(add);
  }
  finish_rows();
}

/// Adds a visit in flight (1) or takes one away (-1).
template <bool kWeighted>
void PairModel<kWeighted>::mark(const Point& point, int change) {
  pending_ += change;
  begin_update(point, points_.mark(point, change));
  update_cells<true>([change](Cell& cell) { cell.mark(change); });
  finish_rows();
}

template <bool kWeighted>
void PairModel<kWeighted>::focus(const Point& point) {
  if (point == focus_) return;
  move_focus(point);
  finish_rows();
}

/// Brings rows_ to a new focus: only the tuples with a changed parameter differ.
template <bool kWeighted>
void PairModel<kWeighted>::move_focus(const Point& point) {
  const auto matrix_row = [&](Eigen::Index value) {
    return pairs_.middleCols(value * values_, values_);
  };
  const bool first = focus_.size() == 0;
  if (first) rows_ = singles_terms_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::uint16_t parameter = parameters_[i];
    const Eigen::Index value = first_value_[parameter] + point[parameter];
    if (first) {
      rows_ += matrix_row(value);
    } else if (value != focus_values_[i]) {
      rows_ += matrix_row(value) - matrix_row(focus_values_[i]);
    }
    focus_values_[i] = value;
    focus_value_[parameter] = value;
    in_parameter_[i] = point[parameter];
  }
  focus_ = point;
  focus_key_ = points_.key(point);
}

/// Changes the cells of the focused point's tuples, and sums its rows anew, free of rounding.
template <bool kWeighted>
template <bool kMarked, class Action>
inline void PairModel<kWeighted>::update_cells(const Action& action) {
  const std::size_t d = parameters_.size();
  for (const Eigen::Index value : focus_values_) {
    Cell& cell = single_cells_[static_cast<std::size_t>(value)];
    action(cell);
    if (singles_) {
      const CountTable::Row row = counts_.row_of<kMarked>(cell);
      single_means_[value] = cell.sum * row.reciprocal;
      singles_terms_.col(value) = Terms(kWeighted ? 0.0 : single_means_[value], row.exploration,
                                        kWeighted ? 0.0 : row.seen, 0.0);
    }
    rows_.col(value) = singles_terms_.col(value);
  }
  const Eigen::Index* focused = focus_values_.data();
  const Eigen::Index* in_parameter = in_parameter_.data();
  const Eigen::Index* cardinality = cardinalities_.data();
  const Eigen::Index values = values_;
  double* sums = rows_.data();
  for (std::size_t i = 0; i < d; ++i) {
    const Eigen::Index value = focused[i];
    const Eigen::Index own_value = in_parameter[i];
    const Eigen::Index* first_cell = first_cell_.data() + i * d;
    Cell* cells = pair_cells_.data();
    double* row = pairs_.col(value * values_).data();
    double* column = pairs_.col(value).data();
    Part own;
    for (std::size_t j = i + 1; j < d; ++j) {
      Cell& cell = cells[first_cell[j] + own_value * cardinality[j] + in_parameter[j]];
      action(cell);
      const Part part = part_of<kMarked>(cell);
      part.store(row + kLanes * focused[j]);
      part.store(column + kLanes * focused[j] * values);
      part.add_to(sums + kLanes * focused[j]);
      own += part;
    }
    own.add_to(sums + kLanes * value);
  }
}

template <bool kWeighted>
void PairModel<kWeighted>::finish_rows() {
  if constexpr (kWeighted) sum_weighted_means();
  if (ratio_) sum_ratio_exploration();
  const double* parts = this->parts().data();
  Part sum;
  for (const Eigen::Index value : focus_values_) {
    const double* row = parts + kLanes * value;
    const Part single = single_part(value);
    sum += {row[0] + single.mean, row[1] + single.exploration, row[2] + single.third};
  }
  focus_sum_ = Terms(0.5 * sum.mean, 0.5 * sum.exploration, 0.5 * sum.third, 0.0);
}

/// Eq. 6 for rows: the sum over pairs of w * mean + (1 - w) * (m + m') / 2, where m is the 1-tuple
/// mean of the row's value and m' that of the focused point's value in the other parameter.
template <bool kWeighted>
void PairModel<kWeighted>::sum_weighted_means() {
  const double* rows = rows_.data();
  double* parts = parts_.data();
  for (Eigen::Index v = 0; v < values_; ++v) {
    parts[kLanes * v] = rows[kLanes * v] + rows[kLanes * v + 2] * single_means_[v];
    parts[kLanes * v + 1] = rows[kLanes * v + 1];
  }
  for (const Eigen::Index value : focus_values_) {
    const double mean = single_means_[value];
    const double* pairs = pairs_.col(value * values_).data();
    for (Eigen::Index v = 0; v < values_; ++v) parts[kLanes * v] += pairs[kLanes * v + 2] * mean;
  }
}

template <bool kWeighted>
void PairModel<kWeighted>::sum_ratio_exploration() {
  if constexpr (!kWeighted) parts_ = rows_;
  for (Eigen::Index value = 0; value < values_; ++value) {
    double sum = single_part(value).exploration;
    const std::size_t own = parameter_of_[static_cast<std::size_t>(value)];
    for (std::size_t j = 0; j < focus_values_.size(); ++j) {
      if (j != own) sum += counts_.exploration(pairs_(1, value * values_ + focus_values_[j]));
    }
    parts_(1, value) = sum;
  }
}

template <bool kWeighted>
typename PairModel<kWeighted>::Part PairModel<kWeighted>::single_part(Eigen::Index value) const {
  const double* terms = singles_terms_.col(value).data();
  return {terms[0], singles_ ? counts_.exploration(terms[1]) : 0.0, terms[2]};
}

template <bool kWeighted>
Score PairModel<kWeighted>::score(const Point& point) const {
  const Neighbours neighbours = this->neighbours();
  Terms sum = Terms::Zero();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Eigen::Index value = first_value_[parameters_[i]] + point[parameters_[i]];
    const double* row = pairs_.col(value * values_).data();
    const Part single = single_part(value);
    sum += Terms(single.mean, single.exploration, single.third, 0.0);
    for (std::size_t j = 0; j < i; ++j) {
      sum += neighbours.part(row, value, first_value_[parameters_[j]] + point[parameters_[j]]);
    }
  }
  return neighbours.finish(sum, points_.key(point));
}

template <bool kWeighted>
Score PairModel<kWeighted>::score_neighbour(Changes changes) const {
  return neighbours()(changes);
}

template class PairModel<false>;
template class PairModel<true>;

}  // namespace ntune
