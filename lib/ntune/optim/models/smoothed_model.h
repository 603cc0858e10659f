#pragma once

#include <cstdint>
#include <vector>

#include "ntune/optim/models/count_table.h"
#include "ntune/optim/models/landscape_model.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// The N-tuple model with 1-tuples, 2-tuples and the d-tuple, in which neighbouring values of
/// ordered parameters share payoffs. A payoff counts fully in the cells of its own values. In a
/// cell nearby it counts the product over the parameters of exp(-(distance / bandwidth)^2 / 2),
/// down to 0.05. In a cell that has n payoffs itself, shared ones count T / (T + n) of that, so
/// that in the end each cell counts its payoffs alone.
///
/// A point's mean is that over its tuples, each weighted by its payoffs up to 1. Exploration is eq.
/// 5 of Goodman and Lucas 2020 on these counts. The d-tuple shares nothing. Pairs of more than
/// 65,536 cells, or after 4 million cells (192 MB), are left out.
class SmoothedModel {
 public:
  SmoothedModel(const SearchSpace& space, const ModelOptions& options, std::int64_t budget);

  void add(const Point& point, double payoff) {
    points_.add(point, payoff);
    change(point, {.count = 1.0, .sum = payoff});
  }
  void amend(const Point& point, double before, double now) {
    points_.amend(point, before, now);
    change(point, {.sum = now - before});
  }
  void add_pending(const Point& point) {
    points_.mark(point, 1);
    change(point, {.pending = 1.0});
  }
  void remove_pending(const Point& point) {
    points_.mark(point, -1);
    change(point, {.pending = -1.0});
  }
  [[nodiscard]] Score score(const Point& point) const;
  void focus(const Point& point);
  [[nodiscard]] Score score_neighbour(Changes changes) const;
  [[nodiscard]] auto neighbours() const {
    return [this](Changes changes) { return score_neighbour(changes); };
  }
  [[nodiscard]] const SampledPoints& points() const { return points_; }

 private:
  static constexpr std::size_t kNoCell = ~std::size_t{0};

  /// Payoffs and evaluations in flight, weighted.
  struct Tally {
    double count = 0.0;  ///< payoffs
    double sum = 0.0;    ///< sum of the payoffs
    double pending = 0.0;

    void add(const Tally& other, double weight) {
      count += weight * other.count;
      sum += weight * other.sum;
      pending += weight * other.pending;
    }
  };
  struct SharedCell {
    Tally here;  ///< at the cell's values
    Tally near;  ///< shared by values nearby
  };
  /// A tuple's part in a score.
  struct Part {
    double value = 0.0;  ///< seen * mean
    double exploration = 0.0;
    double seen = 0.0;  ///< payoffs, at most 1

    void add(const Part& part, double sign) {
      value += sign * part.value;
      exploration += sign * part.exploration;
      seen += sign * part.seen;
    }
  };
  struct Axis {
    std::uint16_t parameter;
    std::size_t cardinality;
    std::size_t first_cell;       ///< first cell of its 1-tuple
    std::vector<double> weights;  ///< weight of a payoff by the distance between values
  };

  void change(const Point& point, const Tally& tally);
  void change_cell(std::size_t index, double weight, const Tally& tally);
  [[nodiscard]] Part part_of(const SharedCell& cell) const;
  [[nodiscard]] Part read(std::size_t cell) const;
  [[nodiscard]] Part whole_part(const Point& point) const;
  /// Calls visit(value, weight) for the values near one.
  template <class Visit>
  static void for_each_near(const Axis& axis, std::size_t value, const Visit& visit);
  /// First cell of the pair of axes i < j, or kNoCell.
  [[nodiscard]] std::size_t pair_cell(std::size_t i, std::size_t j) const {
    return first_pair_cell_[i * axes_.size() + j];
  }
  [[nodiscard]] Score finish(Part sum, const Part& whole) const;
  [[nodiscard]] Part sum_parts(const Point& point) const;

  double horizon_;
  bool unseen_is_zero_;
  CountTable counts_;
  SampledPoints points_;
  std::vector<Axis> axes_;
  std::vector<int> axis_of_;  ///< axis of a parameter; -1 if it has one value
  std::vector<std::size_t> first_pair_cell_;
  std::vector<SharedCell> cells_;
  std::vector<Part> parts_;  ///< parts of cells_; exploration as CountTable tabulates it
  double tuples_ = 0.0;
  std::int64_t total_ = 0;  ///< evaluations, those in flight included
  Point focus_;
  Part focus_sum_;
  bool focus_valid_ = false;
};

}  // namespace ntune
