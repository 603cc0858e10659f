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
/// symmetric matrix with a row and a column for every value of every parameter. `rows[v]` is the
/// sum over all tuples that contain value v and otherwise agree with the focused point. It is kept
/// up to date as the focus moves: two matrix rows are added and subtracted for each changed
/// parameter. So a neighbour costs one look-up per change, and one 2-tuple per pair of changes.
template <bool kWeighted>
class PairModel {
 public:
  /// The options must satisfy `fits`.
  PairModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget);

  /// True if the tuples are of this kind and the matrix has at most 3 million cells (96 MB).
  static bool fits(const SearchSpace& space, const TupleSet& tuples);

  void add(const Point& point, double payoff);
  void amend(const Point& point, double before, double now);
  void add_pending(const Point& point) { mark(point, 1); }
  void remove_pending(const Point& point) { mark(point, -1); }
  [[nodiscard]] Score score(const Point& point) const;
  void focus(const Point& point);
  class Neighbours;
  [[nodiscard]] Neighbours neighbours() const;
  [[nodiscard]] const SampledPoints& points() const { return points_; }

 private:
  /// The terms of a tuple, or their sum over tuples: [0] mean, or w * mean for eq. 6; [1]
  /// exploration; [2] share: 1 if the tuple has data, or for eq. 6 (1 - w) / 2, that of each
  /// 1-tuple; [3] unused, for alignment.
  using Terms = Eigen::Array4d;

  static constexpr Eigen::Index kLanes = Terms::RowsAtCompileTime;
  static Eigen::Map<Terms, Eigen::Aligned16> lanes(double* base, Eigen::Index index) {
    return Eigen::Map<Terms, Eigen::Aligned16>(base + kLanes * index);
  }
  static Eigen::Map<const Terms, Eigen::Aligned16> lanes(const double* base, Eigen::Index index) {
    return Eigen::Map<const Terms, Eigen::Aligned16>(base + kLanes * index);
  }

  /// The terms of a tuple as single numbers. Were they written one by one and read as a vector at
  /// once, the processor would have to wait for its store.
  struct Part {
    double mean = 0.0;
    double exploration = 0.0;
    double share = 0.0;

    Part& operator+=(const Part& other) {
      mean += other.mean;
      exploration += other.exploration;
      share += other.share;
      return *this;
    }
    void store(double* terms) const {
      terms[0] = mean;
      terms[1] = exploration;
      terms[2] = share;
    }
    void add_to(double* terms) const {
      terms[0] += mean;
      terms[1] += exploration;
      terms[2] += share;
    }
  };
  /// Which tuples there are, and where their cells and terms stand.
  struct Layout {
    Layout(const SearchSpace& space, const TupleSet& tuples);

    bool singles;                             ///< 1-tuples are held
    bool all;                                 ///< the d-tuple is held
    std::vector<std::uint16_t> parameters;    ///< those with at least two values
    std::vector<Eigen::Index> first_value;    ///< per parameter of the space
    std::vector<std::uint16_t> parameter_of;  ///< per value, index in `parameters`
    std::vector<Eigen::Index> cardinalities;  ///< of `parameters`
    std::vector<Eigen::Index> first_cell;     ///< first cell of each pair (i, j) of `parameters`
    Eigen::Index values = 0;                  ///< rows of the matrix
    Eigen::Index pair_cells = 0;
    double pair_share = 0.0;   ///< 1 / number of 2-tuples
    double tuple_share = 0.0;  ///< 1 / number of tuples

    /// The row of the value that a point has in one of `parameters`.
    [[nodiscard]] Eigen::Index value(const Point& point, std::size_t i) const {
      return first_value[parameters[i]] + point[parameters[i]];
    }
  };
  /// What the tuples were told; the d-tuple's cells are the sampled points.
  struct TupleCells {
    std::vector<Cell> singles;  ///< per value
    std::vector<Cell> pairs;
  };
  /// The terms of all tuples.
  struct TupleTerms {
    Eigen::Array4Xd singles;      ///< per value
    Eigen::ArrayXd single_means;  ///< per value; where 1-tuples are not held, of an unseen tuple
    Eigen::Array4Xd pairs;        ///< values * values; 0 within one parameter
    /// Terms of the d-tuple by rank of the point, 0: never sampled. For eq. 6, [2] is 1 - w.
    std::vector<Terms> whole;
  };
  /// The point whose neighbours are rated, and the sums of terms about it.
  struct Focus {
    Point point;
    std::uint64_t key = 0;
    std::vector<Eigen::Index> values;    ///< rows of its values, per parameter of the layout
    std::vector<Eigen::Index> value_of;  ///< rows of its values, per parameter of the space
    std::vector<Eigen::Index> indices;   ///< indices of its values, per parameter of the layout
    Eigen::Array4Xd rows;                ///< sums of terms, per value
    Eigen::Array4Xd parts;               ///< rows with [0] as eq. 6 and [1] as roots need it
    Terms sum;
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
  template <bool kMarked, class Action>
  void update_pairs(const Action& action);
  /// What a tuple without payoffs is worth.
  [[nodiscard]] double unseen() const { return unseen_is_zero_ ? 0.0 : points_.mean(); }
  void fill_unseen_means();
  void finish_rows();
  void sum_weighted_means();
  void sum_roots();
  /// Row sums as scores need them.
  [[nodiscard]] const Eigen::Array4Xd& parts() const {
    return kWeighted || roots_ ? focus_.parts : focus_.rows;
  }

  Layout layout_;
  bool unseen_is_zero_;
  /// Exploration terms that are roots cannot be summed up in rows: they are worked out one by one.
  bool roots_;
  CountTable counts_;
  SampledPoints points_;
  TupleCells cells_;
  TupleTerms terms_;
  std::int64_t total_ = 0;    ///< payoffs
  std::int64_t pending_ = 0;  ///< evaluations in flight
  double exploration_factor_ = 0.0;
  Focus focus_;
};

/// Scores neighbours of the focused point. Holds what it needs as plain values and pointers: read
/// through the model, each would be loaded again for every neighbour.
template <bool kWeighted>
class PairModel<kWeighted>::Neighbours {
 public:
  explicit Neighbours(const PairModel& model)
      : parts_(model.parts().data()),
        pairs_(model.terms_.pairs.data()),
        single_means_(model.terms_.single_means.data()),
        first_value_(model.layout_.first_value.data()),
        focus_value_(model.focus_.value_of.data()),
        strides_(model.points_.strides()),
        finder_(model.points_.finder()),
        whole_terms_(model.layout_.all ? model.terms_.whole.data() : nullptr),
        values_(model.layout_.values),
        focus_sum_(model.focus_.sum),
        focus_key_(model.focus_.key),
        factor_(model.exploration_factor_),
        pair_share_(model.layout_.pair_share),
        unseen_(model.unseen()),
        counts_(model.roots_ ? &model.counts_ : nullptr) {}

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
      return {seen > 0.5 ? (sum[0] + whole[0]) / seen : unseen_, exploration};
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
  double unseen_;
  const CountTable* counts_;  ///< looks up terms that are roots; else nullptr
};

template <bool kWeighted>
inline typename PairModel<kWeighted>::Neighbours PairModel<kWeighted>::neighbours() const {
  return Neighbours(*this);
}

extern template class PairModel<false>;
extern template class PairModel<true>;

}  // namespace ntune
