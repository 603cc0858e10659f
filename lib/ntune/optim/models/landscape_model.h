#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ntune/optim/models/sampled_points.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Weight of a tuple's own mean against the level below, as a function of its count n
/// (Goodman and Lucas 2020, eq. 7 to 10); none: the plain average over all tuples (eq. 2).
enum class Weighting { kNone, kLinear, kInverse, kInverseRoot, kExponential };

/// Exploration term of one tuple with count n after N evaluations, those in flight included:
///   ucb1         sqrt(ln(1 + N) / (eps + n))       (Goodman and Lucas 2020, eq. 5)
///   ratio        sqrt(ln((1 + N) / (eps + n)))     (TAG)
///   square_root  sqrt(sqrt(N) / (eps + n))         (Tolpin and Shimony 2012)
enum class Exploration { kUcb1, kRatio, kSquareRoot };

/// Which tuples a model holds: all subsets of the given sizes, the d-tuple, and named subsets.
/// Parameters with one value take no part; sizes above d hold nothing.
struct TupleSet {
  std::vector<int> sizes = {1, 2};
  bool all = true;
  std::vector<std::vector<int>> named;  ///< parameter indices, ascending
};

struct ModelOptions {
  TupleSet tuples = {};
  Weighting weighting = Weighting::kNone;
  double horizon = 15.0;  ///< T of eq. 7 to 10; > 0
  Exploration exploration = Exploration::kUcb1;
  double epsilon = 0.5;  ///< > 0
  /// Of SmoothedModel: the distance between values, of their whole range, at which one tells
  /// exp(-1/2) of what it tells at its own; >= 0.
  double bandwidth = 0.2;
};

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
/// changes to their score, valid until the next focus, add or mark; `score_neighbour` is a single
/// call of it. A pending evaluation is a visit to the exploration term, in n and in N; means and
/// weights are those of the payoffs alone.
template <class Model>
concept LandscapeModel = requires(Model model, const Model view, const Point& point,
                                  Changes changes) {
  model.add(point, 1.0);
  model.add_pending(point);
  model.remove_pending(point);
  { view.score(point) } -> std::same_as<Score>;
  model.focus(point);
  { model.neighbours()(changes) } -> std::same_as<Score>;
  { model.score_neighbour(changes) } -> std::same_as<Score>;
  { view.points() } -> std::same_as<const SampledPoints&>;
};

}  // namespace ntune
