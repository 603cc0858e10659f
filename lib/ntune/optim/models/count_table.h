#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>

#include "ntune/optim/models/landscape_model.h"

namespace ntune {

/// All that a model derives from a visit count n alone, tabulated for n = 0 … budget: any weighting
/// or exploration form costs one look-up. What depends on the total N is kept as one factor.
class CountTable {
 public:
  struct Row {
    double reciprocal;   ///< 1 / n; 0 for n = 0
    double exploration;  ///< ucb1, square_root: 1 / sqrt(eps + n); ratio: ln(eps + n)
    double seen;         ///< 1 if n > 0, else 0
    double weight;       ///< w(n) in [0, 1]; 1 without weighting
  };

  CountTable(const ModelOptions& options, std::int64_t budget);

  /// Sets N, the number of evaluations so far.
  void set_total(std::int64_t total);

  [[nodiscard]] Row row(std::uint32_t n) const {
    const auto i = static_cast<Eigen::Index>(n);
    return i < rows_.rows() ? Row{rows_(i, 0), rows_(i, 1), rows_(i, 2), rows_(i, 3)} : compute(n);
  }

  /// The row of a tuple: exploration by its visits, the rest by its count. `kMarked`: evaluations
  /// may be in flight; without, the second look-up is left out.
  template <bool kMarked>
  [[nodiscard]] Row row_of(const Cell& cell) const {
    Row row = this->row(cell.count);
    if constexpr (kMarked) row.exploration = this->row(cell.visits()).exploration;
    return row;
  }

  /// Row::exploration of a count that need not be whole.
  [[nodiscard]] double exploration_entry(double n) const {
    return ratio_ ? std::log(n + epsilon_) : 1.0 / std::sqrt(n + epsilon_);
  }
  /// Exploration term of one tuple up to the common factor, from its row's entry.
  [[nodiscard]] double exploration(double entry) const {
    return ratio_ ? std::sqrt(std::max(0.0, log_total_ - entry)) : entry;
  }
  /// The common factor: sqrt(ln(1 + N)), N^(1/4), or 1 for ratio.
  [[nodiscard]] double exploration_factor() const { return factor_; }

 private:
  using Rows = Eigen::Array<double, Eigen::Dynamic, 4, Eigen::RowMajor>;

  [[nodiscard]] Rows compute_rows(const Eigen::ArrayXd& counts) const;
  [[nodiscard]] Row compute(std::uint32_t n) const;

  Weighting weighting_;
  double horizon_;
  Exploration exploration_;
  double epsilon_;
  bool ratio_;
  double log_total_ = 0.0;
  double factor_ = 0.0;
  Rows rows_;
};

}  // namespace ntune
