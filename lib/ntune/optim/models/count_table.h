#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/optim/models/landscape_model.h"

namespace ntune {

/// All that a model derives from a visit count n alone, tabulated for n = 0 … budget: any weighting
/// or exploration form costs one look-up. What depends on the total N is kept as one number.
class CountTable {
 public:
  struct Row {
    double reciprocal;   ///< 1 / n; 0 for n = 0
    double exploration;  ///< Exploration::of_visits
    double seen;         ///< 1 if n > 0, else 0
    double weight;       ///< w(n) in [0, 1]; 1 without weighting
  };

  CountTable(const ModelOptions& options, std::int64_t budget);

  /// Sets N, the number of evaluations so far.
  void set_total(std::int64_t total) {
    const double of_all = exploration_->of_all(static_cast<double>(total));
    (root_of_difference_ ? minuend_ : factor_) = of_all;
  }

  [[nodiscard]] Row row(std::uint32_t n) const {
    if (n >= tabulated_) return compute(n);
    const Row& row = rows_[n];  // copied number by number, so that unused ones cost nothing
    return {row.reciprocal, row.exploration, row.seen, row.weight};
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
    return exploration_->of_visits(n, epsilon_);
  }
  /// Exploration term of one tuple up to the common factor, from its row's entry.
  [[nodiscard]] double exploration(double entry) const {
    return root_of_difference_ ? std::sqrt(std::max(0.0, minuend_ - entry)) : entry;
  }
  /// The common factor of all terms: Exploration::of_all for a product, else 1.
  [[nodiscard]] double exploration_factor() const { return factor_; }

 private:
  [[nodiscard]] Row compute(std::uint32_t n) const;

  const Weighting* weighting_;
  double horizon_;
  const Exploration* exploration_;
  double epsilon_;
  bool root_of_difference_;
  double minuend_ = 0.0;  ///< Exploration::of_all for a root of a difference
  double factor_ = 1.0;
  std::vector<Row> rows_;
  /// Size of rows_, kept since the innermost loop asks for it.
  std::size_t tabulated_ = 0;
};

}  // namespace ntune
