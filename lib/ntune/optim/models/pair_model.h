#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/models/count_table.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// The N-tuple model with 2-tuples and, as options, 1-tuples and the d-tuple (the paper's {1, 2,
/// d}), built for speed. `kWeighted`: mean by eq. 6, else the average over the tuples with data
/// (eq. 2).
///
/// A tuple's part in a score is three numbers, its *terms*. The terms of the 2-tuples stand in one
/// symmetric matrix with a row and a column for every value of every parameter. `rows_[v]` is the
/// sum over all tuples that contain value v and otherwise agree with the focused point. It is kept
/// up to date as the focus moves (two matrix rows are added and subtracted for each changed
/// parameter), so that a neighbour costs one look-up per change, and one 2-tuple per pair of
/// changes.
template <bool kWeighted>
class PairModel {
 public:
  /// The options must satisfy `fits`.
  PairModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget);

  /// True if the tuples are of this kind and the matrix has at most 3 million cells (96 MB).
  static bool fits(const SearchSpace& space, const TupleSet& tuples);

  void add(const Point& point, double payoff);
  void add_pending(const Point& point) { mark(point, 1); }
  void remove_pending(const Point& point) { mark(point, -1); }
  [[nodiscard]] Score score(const Point& point) const;
  void focus(const Point& point);
  class Neighbours;
  [[nodiscard]] Neighbours neighbours() const;
  [[nodiscard]] Score score_neighbour(Changes changes) const;
  [[nodiscard]] const SampledPoints& points() const { return points_; }

 private:
  /// Of a tuple, or a sum over tuples: [0] mean, or w * mean for eq. 6; [1] exploration;
  /// [2] 1 if the tuple has data, or (1 - w) / 2 for eq. 6; [3] unused, for alignment.
  using Terms = Eigen::Array4d;

  static constexpr Eigen::Index kLanes = Terms::RowsAtCompileTime;
  static Eigen::Map<Terms, Eigen::Aligned16> lanes(double* base, Eigen::Index index) {
    return Eigen::Map<Terms, Eigen::Aligned16>(base + kLanes * index);
  }
  static Eigen::Map<const Terms, Eigen::Aligned16> lanes(const double* base, Eigen::Index index) {
    return Eigen::Map<const Terms, Eigen::Aligned16>(base + kLanes * index);
  }

  /// The terms of a tuple as single numbers: where they are written one by one and read as a vector
  /// at once, the processor would have to wait for its own store.
  struct Part {
    double mean = 0.0;
    double exploration = 0.0;
    double third = 0.0;

    Part& operator+=(const Part& other) {
      mean += other.mean;
      exploration += other.exploration;
      third += other.third;
      return *this;
    }
    void store(double* terms) const {
      terms[0] = mean;
      terms[1] = exploration;
      terms[2] = third;
    }
    void add_to(double* terms) const {
      terms[0] += mean;
      terms[1] += exploration;
      terms[2] += third;
    }
  };
  /// `kMarked` as in CountTable::row_of.
  template <bool kMarked>
  [[nodiscard]] Part part_of(const Cell& cell) const;
  [[nodiscard]] Terms whole_terms_of(const Cell& cell) const;
  /// Part of one 1-tuple in a score.
  [[nodiscard]] Part single_part(Eigen::Index value) const;
  void mark(const Point& point, int change);
  void begin_update(const Point& point, std::uint32_t rank);
  void move_focus(const Point& point);
  template <bool kMarked, class Action>
  void update_cells(const Action& action);
  void finish_rows();
  void sum_weighted_means();
  void sum_ratio_exploration();
  /// Row sums as scores need them.
  [[nodiscard]] const Eigen::Array4Xd& parts() const {
    return kWeighted || ratio_ ? parts_ : rows_;
  }

  bool singles_;
  bool all_;
  bool ratio_;
  std::vector<std::uint16_t> parameters_;    ///< those with at least two values
  std::vector<Eigen::Index> first_value_;    ///< per parameter of the space
  std::vector<std::uint16_t> parameter_of_;  ///< per value, index in parameters_
  std::vector<Eigen::Index> cardinalities_;  ///< of parameters_
  std::vector<Eigen::Index> first_cell_;     ///< in pair_cells_, per pair (i, j) of parameters_
  Eigen::Index values_ = 0;                  ///< rows of the matrix
  double pair_share_ = 0.0;                  ///< 1 / number of 2-tuples
  double tuple_share_ = 0.0;                 ///< 1 / number of tuples
  double exploration_factor_ = 0.0;
  std::vector<Cell> single_cells_;  ///< per value
  std::vector<Cell> pair_cells_;
  Eigen::Array4Xd singles_terms_;  ///< per value
  Eigen::ArrayXd single_means_;    ///< per value
  Eigen::Array4Xd pairs_;          ///< values_ * values_; 0 within one parameter
  CountTable counts_;
  SampledPoints points_;
  /// Terms of the d-tuple by rank of the point, 0: never sampled. For eq. 6: [2] is 1 - w.
  std::vector<Terms> whole_terms_;
  std::int64_t total_ = 0;
  std::int64_t pending_ = 0;  ///< evaluations in flight

  Point focus_;
  std::uint64_t focus_key_ = 0;
  std::vector<Eigen::Index> focus_values_;  ///< rows of the focused point's values, per parameters_
  std::vector<Eigen::Index> focus_value_;   ///< the same per parameter of the space
  std::vector<Eigen::Index> in_parameter_;  ///< indices of its values, per parameters_
  Eigen::Array4Xd rows_;                    ///< sums of terms, per value
  Eigen::Array4Xd parts_;                   ///< rows_ with [0] as eq. 6 and [1] as ratio need it
  Terms focus_sum_;
};

/// Scores neighbours of the focused point. Holds what it needs as plain values and pointers: read
/// through the model, each would be loaded again for every neighbour.
template <bool kWeighted>
class PairModel<kWeighted>::Neighbours {
 public:
  explicit Neighbours(const PairModel& model)
      : parts_(model.parts().data()),
        pairs_(model.pairs_.data()),
        single_means_(model.single_means_.data()),
        first_value_(model.first_value_.data()),
        focus_value_(model.focus_value_.data()),
        strides_(model.points_.strides()),
        finder_(model.points_.finder()),
        whole_terms_(model.all_ ? model.whole_terms_.data() : nullptr),
        values_(model.values_),
        focus_sum_(model.focus_sum_),
        focus_key_(model.focus_key_),
        factor_(model.exploration_factor_),
        pair_share_(model.pair_share_),
        counts_(model.ratio_ ? &model.counts_ : nullptr) {}

  template <std::size_t kSize>
  [[nodiscard]] Score operator()(std::span<const Change, kSize> changes) const {
    Terms sum = focus_sum_;
    std::uint64_t key = focus_key_;
    for (std::size_t c = 0; c < changes.size(); ++c) {
      const std::uint16_t parameter = changes[c].parameter;
      const Eigen::Index value = first_value_[parameter] + changes[c].value;
      const Eigen::Index focused = focus_value_[parameter];
      key += static_cast<std::uint64_t>(value - focused) * strides_[parameter];
      sum += lanes(parts_, value) - lanes(parts_, focused);
      const double* row = pairs_ + kLanes * value * values_;
      const double* focused_row = pairs_ + kLanes * focused * values_;
      for (std::size_t e = 0; e < c; ++e) {
        const Eigen::Index other = first_value_[changes[e].parameter] + changes[e].value;
        const Eigen::Index other_focused = focus_value_[changes[e].parameter];
        sum += part(row, value, other) - part(row, value, other_focused) -
               part(focused_row, focused, other) + part(focused_row, focused, other_focused);
      }
    }
    return finish(sum, key);
  }

  /// Adds the d-tuple and takes the averages.
  [[nodiscard]] Score finish(const Terms& sum, std::uint64_t key) const {
    Terms whole(0.0, 0.0, kWeighted ? 1.0 : 0.0, 0.0);
    if (whole_terms_ != nullptr) {
      whole = whole_terms_[finder_.rank_of(key)];
      if (counts_ != nullptr) whole[1] = counts_->exploration(whole[1]);
    }
    const double exploration = (sum[1] + whole[1]) * factor_;
    if constexpr (kWeighted) {
      return {whole[0] + whole[2] * sum[0] * pair_share_, exploration};
    } else {
      const double seen = sum[2] + whole[2];
      return {seen > 0.5 ? (sum[0] + whole[0]) / seen : 0.0, exploration};
    }
  }

  /// Part of one 2-tuple in the lanes [0] and [1] of a row sum.
  [[nodiscard]] Terms part(const double* row, Eigen::Index value, Eigen::Index other) const {
    Terms part = lanes(row, other);
    if constexpr (kWeighted) part[0] += part[2] * (single_means_[value] + single_means_[other]);
    if (counts_ != nullptr) part[1] = counts_->exploration(part[1]);
    return part;
  }

 private:
  const double* parts_;
  const double* pairs_;
  const double* single_means_;
  const Eigen::Index* first_value_;
  const Eigen::Index* focus_value_;
  const std::uint64_t* strides_;
  SampledPoints::Finder finder_;
  const Terms* whole_terms_;
  Eigen::Index values_;
  Terms focus_sum_;
  std::uint64_t focus_key_;
  double factor_;
  double pair_share_;
  const CountTable* counts_;  ///< for ratio, else nullptr
};

template <bool kWeighted>
inline typename PairModel<kWeighted>::Neighbours PairModel<kWeighted>::neighbours() const {
  return Neighbours(*this);
}

extern template class PairModel<false>;
extern template class PairModel<true>;

}  // namespace ntune
