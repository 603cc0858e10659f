#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/recorded/observation_table.h"

namespace ntune {

/// The options of `objective: {table: FILE, …}`.
struct TableOptions {
  enum class WinLoss { kAuto, kTrue, kFalse };
  enum class Direction { kMaximise, kMinimise };

  std::string table = {};   ///< a file, or its content where that has several lines
  std::string digest = {};  ///< of the file's content; empty: any file
  WinLoss win_loss = WinLoss::kAuto;
  Direction direction = Direction::kMaximise;

  void visit(Options& options);
};

/// Draws observations that were recorded at each point, uniformly and with replacement, in constant
/// time; the true value is their mean. Takes 24 bytes for every distinct observation of a point and
/// 24 for every point of the grid.
class TableObjective final : public Objective, public KnownTruth {
 public:
  /// On the grid of all values of the table, or on a space of the same parameters. Throws
  /// InputError: a parameter or value that the table does not have, an allowed point without a row
  /// (the first is named), more than 2^22 points, `win_loss: true` where not all observations are
  /// +1 or -1.
  TableObjective(const ObservationTable& table, const TableOptions& options,
                 const std::string& name, std::optional<SearchSpace> space = {});

  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override { return payoffs_; }
  [[nodiscard]] Unit unit() const override { return unit_; }
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  [[nodiscard]] double true_value(const Point& point) const override {
    return unit_.value_of(row(point).mean);
  }
  [[nodiscard]] std::optional<double> optimum() const override { return unit_.value_of(best_); }

 private:
  /// A column of Walker's alias method, in exact integers.
  struct Cell {
    double value = 0.0;
    double other = 0.0;
    std::uint32_t threshold = 0;  ///< cases out of the row's total that give `value`
  };
  struct Row {
    std::size_t first = 0;    ///< place of its first cell
    std::uint32_t cells = 0;  ///< distinct observations
    std::uint32_t total = 0;  ///< observations
    double mean = 0.0;
  };

  void fill(const ObservationTable& table);
  void add_row(std::size_t place, const Observed& observed);
  void add_cells(const Observed& observed, std::uint32_t total);
  [[nodiscard]] std::size_t place(const Point& point) const;
  [[nodiscard]] const Row& row(const Point& point) const { return rows_[place(point)]; }

  std::string name_;
  SearchSpace space_;
  Unit unit_;
  Payoffs payoffs_;
  double best_;  ///< largest mean payoff
  std::uint64_t observations_ = 0;
  std::vector<std::size_t> strides_;
  std::vector<Row> rows_;  ///< one for every place in the grid
  std::vector<Cell> cells_;
};

/// The line of the table of objectives.
ObjectiveEntry table_entry();

}  // namespace ntune
