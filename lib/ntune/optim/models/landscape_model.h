#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ntune/optim/models/explorations.h"
#include "ntune/optim/models/sampled_points.h"
#include "ntune/optim/models/weightings.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Which tuples a model holds: all subsets of the given sizes, the d-tuple, and named subsets.
/// Parameters with one value take no part; sizes above d hold nothing.
struct TupleSet {
  std::vector<int> sizes = {1, 2};
  bool all = true;
  std::vector<std::vector<int>> named;  ///< parameter indices, ascending
};

struct ModelOptions {
  TupleSet tuples = {};
  const Weighting* weighting = &kWeightings.front();        ///< an entry of kWeightings
  double horizon = 15.0;                                    ///< T of eq. 7 to 10; > 0
  const Exploration* exploration = &kExplorations.front();  ///< an entry of kExplorations
  double epsilon = 0.5;                                     ///< > 0
  /// What a tuple without payoffs is worth: the mean of all payoffs, so that a constant added to
  /// them changes nothing, or 0.
  bool unseen_is_zero = false;

  /// Whether means are weighted level by level (eq. 6).
  [[nodiscard]] bool weighted() const { return weighting->weight != nullptr; }
};

/// The entry of that name, which must be in the table: of weightings, explorations, or rules of
/// recommendation.
template <class Table>
constexpr const auto* entry_named(const Table& table, std::string_view name) {
  const auto* found = std::ranges::find(table, name, &Table::value_type::name);
  assert(found != table.end());
  return found;
}

/// One parameter that a neighbour has changed.
struct Change {
  std::uint16_t parameter = 0;
  std::uint16_t value = 0;
};

/// What makes a neighbour of a point: every parameter at most once.
using Changes = std::span<const Change>;

/// Model mean of a point, and the mean exploration term over all its tuples.
struct Score {
  double mean = 0.0;
  double exploration = 0.0;
};

/// What NTBEA asks of a model. `focus(point)` names the point whose neighbours are to be rated; it
/// is free for the point that was added or marked last. `neighbours()` then gives a callable from
/// changes to their score, valid until the next focus, add or mark. `amend` makes one of a point's
/// payoffs count as another number. A pending evaluation is a visit to the exploration term, in n
/// and in N; means and weights are those of the payoffs alone.
template <class Model>
concept LandscapeModel = requires(Model model, const Model view, const Point& point,
                                  Changes changes) {
  model.add(point, 1.0);
  model.amend(point, 1.0, 2.0);
  model.add_pending(point);
  model.remove_pending(point);
  { view.score(point) } -> std::same_as<Score>;
  model.focus(point);
  { model.neighbours()(changes) } -> std::same_as<Score>;
  { view.points() } -> std::same_as<const SampledPoints&>;
};

}  // namespace ntune
