#include "ntune/optim/models/pair_model.h"

#include <algorithm>
#include <cassert>

namespace ntune {

namespace {

/// The matrix of pairs has at most so many cells, of 32 bytes each.
constexpr double kMostPairCells = 3'000'000;

/// Returns the parameters that have at least two values.
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
PairModel<kWeighted>::Layout::Layout(const SearchSpace& space, const TupleSet& tuples)
    : singles(std::ranges::count(tuples.sizes, 1) > 0),
      all(tuples.all),
      parameters(free_parameters(space)),
      first_value(static_cast<std::size_t>(space.dimensions())) {
  for (const std::uint16_t i : parameters) {
    const Eigen::Index cardinality = space[i].cardinality();
    parameter_of.insert(parameter_of.end(), static_cast<std::size_t>(cardinality),
                        static_cast<std::uint16_t>(cardinalities.size()));
    cardinalities.push_back(cardinality);
    first_value[i] = values;
    values += cardinality;
    for (const std::uint16_t j : parameters) {
      // Each pair (i, j) has an entry, so that it is found by i * d + j. Only those with j above i
      // have cells.
      first_cell.push_back(pair_cells);
      if (j > i) pair_cells += cardinality * space[j].cardinality();
    }
  }
  const auto d = static_cast<double>(parameters.size());
  const double pairs = d * (d - 1.0) / 2.0;
  pair_share = 1.0 / pairs;
  tuple_share = 1.0 / (pairs + (singles ? d : 0.0) + (all ? 1.0 : 0.0));
}

template <bool kWeighted>
PairModel<kWeighted>::PairModel(const SearchSpace& space, const ModelOptions& options,
                                std::int64_t budget)
    : layout_(space, options.tuples),
      unseen_is_zero_(options.unseen_is_zero),
      roots_(options.exploration->form == Exploration::Form::kRootOfDifference),
      counts_(options, budget),
      points_(space, budget) {
  assert(fits(space, options.tuples));
  exploration_factor_ = counts_.exploration_factor() * layout_.tuple_share;
  const Eigen::Index values = layout_.values;
  cells_.singles.resize(static_cast<std::size_t>(values));
  cells_.pairs.resize(static_cast<std::size_t>(layout_.pair_cells));

  // All tuples begin without data. Cells within one parameter are no pairs and stay 0, so that rows
  // can be summed over all values.
  const Part empty = part_of<false>({});
  terms_.singles.setZero(4, values);
  if (layout_.singles) terms_.singles.row(1) = empty.exploration;
  terms_.single_means.setZero(values);
  terms_.pairs.resize(4, values * values);
  terms_.pairs.colwise() = Terms(empty.mean, empty.exploration, empty.share, 0.0);
  for (std::size_t i = 0; i < layout_.parameters.size(); ++i) {
    const Eigen::Index first = layout_.first_value[layout_.parameters[i]];
    const Eigen::Index cardinality = layout_.cardinalities[i];
    for (Eigen::Index value = first; value < first + cardinality; ++value) {
      terms_.pairs.middleCols(value * values + first, cardinality).setZero();
    }
  }
  terms_.whole.reserve(points_.capacity() + 1);
  // Rank 0 stands for a point that was never sampled.
  terms_.whole.push_back(whole_terms_of({}));

  focus_.values.resize(layout_.parameters.size());
  focus_.value_of.resize(layout_.first_value.size());
  focus_.indices.resize(layout_.parameters.size());
  focus_.rows.resize(4, values);
  focus_.parts.setZero(4, values);
}

/// Returns the terms of a 2-tuple. For eq. 6 the part 1 - w of the level below is divided equally
/// between its two 1-tuples. Without 1-tuples it is the lowest level, and w is 1 as soon as it has
/// data.
template <bool kWeighted>
template <bool kMarked>
inline typename PairModel<kWeighted>::Part PairModel<kWeighted>::part_of(const Cell& cell) const {
  const CountTable::Row row = counts_.row_of<kMarked>(cell);
  const double mean = cell.sum * row.reciprocal;
  if constexpr (!kWeighted) return {mean, row.exploration, row.seen};
  if (!layout_.singles) return {mean, row.exploration, (1.0 - row.seen) / 2.0};
  return {row.weight * mean, row.exploration, (1.0 - row.weight) / 2.0};
}

/// With two parameters the d-tuple is a 2-tuple: eq. 6 then ends at the 2-tuple itself.
template <bool kWeighted>
typename PairModel<kWeighted>::Terms PairModel<kWeighted>::whole_terms_of(const Cell& cell) const {
  const CountTable::Row row = counts_.row_of<true>(cell);
  const double mean = cell.sum * row.reciprocal;
  if constexpr (!kWeighted) return {mean, row.exploration, row.seen, 0.0};
  const double weight = layout_.parameters.size() > 2 ? row.weight : 0.0;
  return {weight * mean, row.exploration, 1.0 - weight, 0.0};
}

/// Brings up to date what depends on a point's own cell and on the number of evaluations. The focus
/// moves to the point, as `update_cells` changes the tuples of the focus.
template <bool kWeighted>
inline void PairModel<kWeighted>::begin_update(const Point& point, std::uint32_t rank) {
  if (rank == terms_.whole.size()) terms_.whole.emplace_back(Terms::Zero());
  terms_.whole[rank] = whole_terms_of(points_.cell(rank - 1));
  counts_.set_total(total_ + pending_);
  exploration_factor_ = counts_.exploration_factor() * layout_.tuple_share;
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

template <bool kWeighted>
void PairModel<kWeighted>::amend(const Point& point, double before, double now) {
  begin_update(point, points_.amend(point, before, now));
  // This happens too rarely to have a version for searches without marks.
  update_cells<true>([before, now](Cell& cell) { cell.amend(before, now); });
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
  if (point == focus_.point) return;
  move_focus(point);
  finish_rows();
}

/// Brings focus_.rows to a new focus: only the tuples with a changed parameter differ.
template <bool kWeighted>
void PairModel<kWeighted>::move_focus(const Point& point) {
  const auto matrix_row = [&](Eigen::Index value) {
    return terms_.pairs.middleCols(value * layout_.values, layout_.values);
  };
  // The first focus has no rows to start from: they are the 1-tuples' terms plus a matrix row for
  // each of its values.
  const bool first = focus_.point.size() == 0;
  if (first) focus_.rows = terms_.singles;
  for (std::size_t i = 0; i < layout_.parameters.size(); ++i) {
    const std::uint16_t parameter = layout_.parameters[i];
    const Eigen::Index value = layout_.first_value[parameter] + point[parameter];
    if (first) {
      focus_.rows += matrix_row(value);
    } else if (value != focus_.values[i]) {
      focus_.rows += matrix_row(value) - matrix_row(focus_.values[i]);
    }
    focus_.values[i] = value;
    focus_.value_of[parameter] = value;
    focus_.indices[i] = point[parameter];
  }
  focus_.point = point;
  focus_.key = points_.key(point);
}

/// Changes the cells of the focused point's tuples, and sums its rows anew, free of rounding.
template <bool kWeighted>
template <bool kMarked, class Action>
inline void PairModel<kWeighted>::update_cells(const Action& action) {
  for (const Eigen::Index value : focus_.values) {
    Cell& cell = cells_.singles[static_cast<std::size_t>(value)];
    action(cell);
    if (layout_.singles) {
      const CountTable::Row row = counts_.row_of<kMarked>(cell);
      terms_.single_means[value] = cell.sum * row.reciprocal;
      // With weighting, 1-tuples count through `single_means` alone and add neither mean nor share.
      terms_.singles.col(value) = Terms(kWeighted ? 0.0 : terms_.single_means[value],
                                        row.exploration, kWeighted ? 0.0 : row.seen, 0.0);
    }
    // Only rows of the focused values change, as only pairs of two focused values do. They start
    // anew from the 1-tuple, and `update_pairs` adds the pairs.
    focus_.rows.col(value) = terms_.singles.col(value);
  }
  update_pairs<kMarked>(action);
}

/// Changes the cell of every pair of focused values. Its new terms go to both places of the
/// symmetric matrix and to the row sums of both values. The loop is NTBEA's hottest, so pointers
/// are taken out of it.
template <bool kWeighted>
template <bool kMarked, class Action>
inline void PairModel<kWeighted>::update_pairs(const Action& action) {
  const std::size_t d = layout_.parameters.size();
  const Eigen::Index* focused = focus_.values.data();
  const Eigen::Index* indices = focus_.indices.data();
  const Eigen::Index* cardinalities = layout_.cardinalities.data();
  const Eigen::Index values = layout_.values;
  double* sums = focus_.rows.data();
  for (std::size_t i = 0; i < d; ++i) {
    const Eigen::Index value = focused[i];
    const Eigen::Index index = indices[i];
    const Eigen::Index* first_cell = layout_.first_cell.data() + i * d;
    Cell* cells = cells_.pairs.data();
    double* row = terms_.pairs.col(value * values).data();
    double* column = terms_.pairs.col(value).data();
    Part row_sum;
    for (std::size_t j = i + 1; j < d; ++j) {
      Cell& cell = cells[first_cell[j] + index * cardinalities[j] + indices[j]];
      action(cell);
      const Part part = part_of<kMarked>(cell);
      part.store(row + kLanes * focused[j]);
      part.store(column + kLanes * focused[j] * values);
      part.add_to(sums + kLanes * focused[j]);
      row_sum += part;
    }
    row_sum.add_to(sums + kLanes * value);
  }
}

/// Makes `parts` and the sum of the focus from the row sums. The sum over the focused values' rows
/// has every pair twice and every 1-tuple once. Adding the 1-tuples again makes halves of all.
template <bool kWeighted>
void PairModel<kWeighted>::finish_rows() {
  if constexpr (kWeighted) {
    fill_unseen_means();
    sum_weighted_means();
  }
  if (roots_) sum_roots();
  const double* parts = this->parts().data();
  Part sum;
  for (const Eigen::Index value : focus_.values) {
    const double* row = parts + kLanes * value;
    const Part single = single_part(value);
    sum += {row[0] + single.mean, row[1] + single.exploration, row[2] + single.share};
  }
  focus_.sum = Terms(0.5 * sum.mean, 0.5 * sum.exploration, 0.5 * sum.share, 0.0);
}

/// Sets the means of 1-tuples without payoffs, the lowest level of eq. 6. They follow the mean of
/// all payoffs, so they change with every payoff.
template <bool kWeighted>
void PairModel<kWeighted>::fill_unseen_means() {
  if (unseen_is_zero_) return;
  const double unseen = this->unseen();
  for (Eigen::Index value = 0; value < layout_.values; ++value) {
    const bool has_data =
        layout_.singles && cells_.singles[static_cast<std::size_t>(value)].count > 0;
    if (!has_data) terms_.single_means[value] = unseen;
  }
}

/// Eq. 6 for rows: the sum over pairs of w * mean + (1 - w) * (m + m') / 2. Here m is the 1-tuple
/// mean of the row's value, and m' that of the focused point's value in the other parameter.
template <bool kWeighted>
void PairModel<kWeighted>::sum_weighted_means() {
  const double* rows = focus_.rows.data();
  double* parts = focus_.parts.data();
  const Eigen::Index values = layout_.values;
  for (Eigen::Index v = 0; v < values; ++v) {
    // The share of m is the row's sum of (1 - w) / 2. That of m' differs from pair to pair and is
    // added below, for each focused value.
    parts[kLanes * v] = rows[kLanes * v] + rows[kLanes * v + 2] * terms_.single_means[v];
    parts[kLanes * v + 1] = rows[kLanes * v + 1];
  }
  for (const Eigen::Index value : focus_.values) {
    const double mean = terms_.single_means[value];
    const double* pairs = terms_.pairs.col(value * values).data();
    for (Eigen::Index v = 0; v < values; ++v) parts[kLanes * v] += pairs[kLanes * v + 2] * mean;
  }
}

/// Sums the exploration terms that are roots. A root of a sum is no sum of roots, so each pair's
/// term is looked up by its own.
template <bool kWeighted>
void PairModel<kWeighted>::sum_roots() {
  if constexpr (!kWeighted) focus_.parts = focus_.rows;
  for (Eigen::Index value = 0; value < layout_.values; ++value) {
    double sum = single_part(value).exploration;
    const std::size_t parameter = layout_.parameter_of[static_cast<std::size_t>(value)];
    for (std::size_t j = 0; j < focus_.values.size(); ++j) {
      if (j == parameter) continue;
      sum += counts_.exploration(terms_.pairs(1, value * layout_.values + focus_.values[j]));
    }
    focus_.parts(1, value) = sum;
  }
}

template <bool kWeighted>
typename PairModel<kWeighted>::Part PairModel<kWeighted>::single_part(Eigen::Index value) const {
  const double* terms = terms_.singles.col(value).data();
  return {terms[0], layout_.singles ? counts_.exploration(terms[1]) : 0.0, terms[2]};
}

/// Scores any point by all of its tuples, without the row sums of the focus.
template <bool kWeighted>
Score PairModel<kWeighted>::score(const Point& point) const {
  const Neighbours neighbours = this->neighbours();
  Terms sum = Terms::Zero();
  for (std::size_t i = 0; i < layout_.parameters.size(); ++i) {
    const Eigen::Index value = layout_.value(point, i);
    const double* row = terms_.pairs.col(value * layout_.values).data();
    const Part single = single_part(value);
    sum += Terms(single.mean, single.exploration, single.share, 0.0);
    for (std::size_t j = 0; j < i; ++j) {
      sum += neighbours.part(row, value, layout_.value(point, j));
    }
  }
  return neighbours.finish(sum, points_.key(point));
}

template class PairModel<false>;
template class PairModel<true>;

}  // namespace ntune
