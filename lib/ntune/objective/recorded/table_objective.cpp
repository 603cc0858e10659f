#include "ntune/objective/recorded/table_objective.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Most points of a grid, each of which has a row of its own in memory.
constexpr double kMostGridPoints = 0x1p22;

/// The first allowed point that the table has no row for.
std::optional<Point> first_missing(const TableIndex& index, const SearchSpace& space) {
  std::optional<Point> missing;
  space.for_each_point([&](const Point& point) {
    if (index.find(point) == nullptr) missing = point;
    return !missing;
  });
  return missing;
}

/// Whether an observation is that of a won or a lost game.
bool is_win_or_loss(double value) { return value == 1.0 || value == -1.0; }

}  // namespace

TableObjective::TableObjective(const ObservationTable& table, const TableOptions& options,
                               const std::string& name, std::optional<SearchSpace> space)
    : name_(name),
      space_(space ? *std::move(space) : SearchSpace(table.parameters())),
      unit_(options.direction == TableOptions::Direction::kMinimise ? Unit::cost() : Unit{}),
      best_(-std::numeric_limits<double>::infinity()) {
  fill(table);
  // Observations of wins and losses alone are recognised by their values.
  const bool wins = std::ranges::all_of(cells_, [](const Cell& cell) {
    return is_win_or_loss(cell.value) && is_win_or_loss(cell.other);
  });
  if (options.win_loss == TableOptions::WinLoss::kTrue && !wins) {
    throw InputError("not all observations are +1 or -1, which win_loss: true needs");
  }
  // Costs are never wins, though their values may be 1 and -1.
  if (wins && !unit_.is_cost() && options.win_loss != TableOptions::WinLoss::kFalse) {
    unit_ = Unit::win_probability();
    payoffs_.low = -1.0;
    payoffs_.high = 1.0;
  }
  // Two values at most, the bounds themselves, make a proportion describe the sample.
  payoffs_.two_valued =
      payoffs_.low < payoffs_.high && std::ranges::all_of(cells_, [&](const Cell& cell) {
        return cell.value == payoffs_.low || cell.value == payoffs_.high;
      });
}

/// Throws InputError for the first point without a row.
void TableObjective::fill(const ObservationTable& table) {
  for (const Parameter& parameter : space_.parameters()) {
    if (!parameter.off_grid) continue;
    throw InputError(
        fmt::format("{}: its default {} is none of its values, so the table has no row for it",
                    printable(parameter.name, 60), value_text(*parameter.off_grid)));
  }
  // The first missing point is named, before the size of the grid is looked at.
  const TableIndex index(table, space_);
  if (const auto missing = first_missing(index, space_)) {
    throw InputError(fmt::format("has no row for {}", printable(space_.text(*missing), 1000)));
  }
  if (space_.grid_size() > kMostGridPoints) {
    throw InputError(fmt::format("makes a grid of {} points, at most {} are allowed",
                                 count_text(space_.grid_size()), count_text(kMostGridPoints)));
  }
  // The place of a point is its index in mixed radix, the last parameter fastest.
  std::size_t size = 1;
  strides_.resize(static_cast<std::size_t>(space_.dimensions()));
  for (std::size_t i = strides_.size(); i-- > 0;) {
    strides_[i] = size;
    size *= space_[static_cast<int>(i)].values.size();
  }
  rows_.resize(size);
  // The bounds begin inverted, so that the first observation sets both.
  payoffs_ = {.low = std::numeric_limits<double>::infinity(),
              .high = -std::numeric_limits<double>::infinity(),
              .noisy = false};
  space_.for_each_point([&](const Point& point) {
    add_row(place(point), *index.find(point));
    return true;
  });
}

std::size_t TableObjective::place(const Point& point) const {
  std::size_t place = 0;
  const auto indices = point.indices();
  for (std::size_t i = 0; i < indices.size(); ++i) place += indices[i] * strides_[i];
  return place;
}

void TableObjective::add_row(std::size_t place, const Observed& observed) {
  Row& row = rows_[place];
  // Costs are turned round, so that higher is better in all payoffs.
  row = {.first = cells_.size(),
         .cells = static_cast<std::uint32_t>(observed.size()),
         .total = static_cast<std::uint32_t>(count_of(observed)),
         .mean = unit_.direction() * mean_of(observed)};
  best_ = std::max(best_, row.mean);
  observations_ += row.total;
  add_cells(observed, row.total);
  for (std::size_t i = row.first; i < cells_.size(); ++i) {
    payoffs_.low = std::min(*payoffs_.low, cells_[i].value);
    payoffs_.high = std::max(*payoffs_.high, cells_[i].value);
  }
  payoffs_.noisy = payoffs_.noisy || row.cells > 1;
}

/// Vose 1991. Every cell stands for `total` of cells * total equally likely cases. An observation
/// has count * cells of these, as `value` in its cell and as `other` in cells with room to spare.
void TableObjective::add_cells(const Observed& observed, std::uint32_t total) {
  const std::size_t first = cells_.size();
  std::vector<std::uint64_t> cases;
  std::vector<std::size_t> small;
  std::vector<std::size_t> large;
  // An observation with fewer cases than a cell holds is small, else it is large.
  for (std::size_t i = 0; i < observed.size(); ++i) {
    cases.push_back(std::uint64_t{observed[i].count} * observed.size());
    (cases[i] < total ? small : large).push_back(i);
    const double payoff = unit_.direction() * observed[i].value;
    cells_.push_back({.value = payoff, .other = payoff, .threshold = total});
  }
  // Each small one fills the rest of its cell with cases of a large one, which may become small
  // itself. The sums are equal, so large ones last as long as small ones do.
  while (!small.empty()) {
    const std::size_t from = large.back();
    const std::size_t to = small.back();
    small.pop_back();
    cells_[first + to].threshold = static_cast<std::uint32_t>(cases[to]);
    cells_[first + to].other = cells_[first + from].value;
    cases[from] -= total - cases[to];
    if (cases[from] >= total) continue;
    large.pop_back();
    small.push_back(from);
  }
}

double TableObjective::evaluate(const Point& point, Rng& rng) const {
  const Row& from = row(point);
  // One random number chooses the cell, another one the value within it.
  const Cell& cell = cells_[from.first + rng.below(from.cells)];
  return rng.below(from.total) < cell.threshold ? cell.value : cell.other;
}

std::string TableObjective::description() const {
  return fmt::format("table {} ({} points, {} observations)", name_,
                     count_text(space_.size().points), count_text(observations_));
}

}  // namespace ntune
