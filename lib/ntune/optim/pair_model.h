#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "ntune/optim/count_table.h"
#include "ntune/optim/landscape_model.h"
#include "ntune/optim/sampled_points.h"

namespace ntune {

/// The N-tuple model with 2-tuples and, as options, 1-tuples and the d-tuple (the paper's {1, 2, d}),
/// built for speed. `kWeighted`: mean by eq. 6, else the average over the tuples with data (eq. 2).
///
/// A tuple's part in a score is three numbers, its *terms*. The terms of the 2-tuples stand in one
/// symmetric matrix with a row and a column for every value of every parameter. `rows_[v]` is the sum
/// over all tuples that contain value v and otherwise agree with the focused point. It is kept up to
/// date as the focus moves (two matrix rows are added and subtracted for each changed parameter), so
/// that a neighbour costs one look-up per change, and one 2-tuple per pair of changes.
template <bool kWeighted>
class PairModel {
 public:
  /// The options must satisfy `fits`.
  PairModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget);

  /// True if the tuples are of this kind and the matrix has at most 4 million cells (96 MB).
  static bool fits(const SearchSpace& space, const TupleSet& tuples);

  void add(const Point& point, double payoff);
  [[nodiscard]] Score score(const Point& point) const;
  void focus(const Point& point);
  [[nodiscard]] Score score_neighbour(Changes changes) const;
  [[nodiscard]] const SampledPoints& points() const { return points_; }

 private:
  /// Of a tuple, or a sum over tuples: [0] mean, or w * mean for eq. 6; [1] exploration;
  /// [2] 1 if the tuple has data, or (1 - w) / 2 for eq. 6.
  using Terms = Eigen::Array3d;

  [[nodiscard]] auto pair_terms(Eigen::Index value, Eigen::Index other) const {
    return pairs_.col(value * values_ + other);
  }
  [[nodiscard]] Terms terms_of(const Cell& cell) const;
  /// Part of one 2-tuple in [0] and [1] of a row sum.
  [[nodiscard]] Terms pair_part(Eigen::Index value, Eigen::Index other) const;
  /// Part of one 1-tuple in a score.
  [[nodiscard]] Terms single_part(Eigen::Index value) const;
  [[nodiscard]] Score finish(const Terms& sum, std::uint64_t key) const;
  void move_focus(const Point& point);
  void update_cells(double payoff);
  void finish_rows();
  void sum_weighted_means();
  void sum_ratio_exploration();
  /// Row sums as scores need them.
  [[nodiscard]] const Eigen::Array3Xd& parts() const {
    return kWeighted || ratio_ ? parts_ : rows_;
  }

  bool singles_;
  bool all_;
  bool ratio_;
  std::vector<std::uint16_t> parameters_;   ///< those with at least two values
  bool own_level_;  ///< for eq. 6 the d-tuple stands above the 2-tuples: d > 2
  std::vector<Eigen::Index> first_value_;   ///< per parameter of the space
  std::vector<std::uint16_t> parameter_of_;  ///< per value, index in parameters_
  std::vector<Eigen::Index> cardinalities_;  ///< of parameters_
  std::vector<Eigen::Index> first_cell_;     ///< in pair_cells_, per pair (i, j) of parameters_
  Eigen::Index values_ = 0;                 ///< rows of the matrix
  double pair_share_ = 0.0;         ///< 1 / number of 2-tuples
  double tuple_share_ = 0.0;        ///< 1 / number of tuples
  double exploration_factor_ = 0.0;
  std::vector<Cell> single_cells_;          ///< per value
  std::vector<Cell> pair_cells_;
  Eigen::Array3Xd singles_terms_;           ///< per value
  Eigen::ArrayXd single_means_;             ///< per value
  Eigen::Array3Xd pairs_;                   ///< values_ * values_; 0 within one parameter
  CountTable counts_;
  SampledPoints points_;
  std::int64_t total_ = 0;

  Point focus_;
  std::uint64_t focus_key_ = 0;
  std::vector<Eigen::Index> focus_values_;  ///< per parameters_
  Eigen::Array3Xd rows_;                    ///< sums of terms, per value
  Eigen::Array3Xd parts_;                   ///< rows_ with [0] as eq. 6 and [1] as ratio need it
  Terms focus_sum_;
};

template <bool kWeighted>
inline Score PairModel<kWeighted>::finish(const Terms& sum, std::uint64_t key) const {
  double exploration = sum[1];
  double own = 0.0;
  double own_share = 0.0;
  if (all_) {
    const Cell& cell = points_.find(key);
    const CountTable::Row row = counts_.row(cell.count);
    own = cell.sum * row.reciprocal;
    own_share = kWeighted ? (own_level_ ? row.weight : 0.0) : row.seen;
    exploration += counts_.exploration(row.exploration);
  }
  exploration *= exploration_factor_;
  if constexpr (kWeighted) {
    return {own_share * own + (1.0 - own_share) * sum[0] * pair_share_, exploration};
  } else {
    const double seen = sum[2] + own_share;
    return {seen > 0.5 ? (sum[0] + own) / seen : 0.0, exploration};
  }
}

template <bool kWeighted>
inline typename PairModel<kWeighted>::Terms PairModel<kWeighted>::pair_part(
    Eigen::Index value, Eigen::Index other) const {
  Terms part = pair_terms(value, other);
  if constexpr (kWeighted) part[0] += part[2] * (single_means_[value] + single_means_[other]);
  if (ratio_) part[1] = counts_.exploration(part[1]);
  return part;
}

template <bool kWeighted>
inline Score PairModel<kWeighted>::score_neighbour(Changes changes) const {
  const Eigen::Array3Xd& parts = this->parts();
  Terms sum = focus_sum_;
  std::uint64_t key = focus_key_;
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const std::uint16_t parameter = changes[c].parameter;
    const std::uint16_t old = focus_[parameter];
    key += (static_cast<std::uint64_t>(changes[c].value) - old) * points_.stride(parameter);
    const Eigen::Index value = first_value_[parameter] + changes[c].value;
    const Eigen::Index focused = first_value_[parameter] + old;
    sum += parts.col(value) - parts.col(focused);
    for (std::size_t e = 0; e < c; ++e) {
      const Eigen::Index first = first_value_[changes[e].parameter];
      const Eigen::Index other = first + changes[e].value;
      const Eigen::Index other_focused = first + focus_[changes[e].parameter];
      sum += pair_part(value, other) - pair_part(value, other_focused) -
             pair_part(focused, other) + pair_part(focused, other_focused);
    }
  }
  return finish(sum, key);
}

extern template class PairModel<false>;
extern template class PairModel<true>;

}  // namespace ntune
