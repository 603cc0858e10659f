#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// What an optimiser is told of its task before it starts.
struct OptimiserContext {
  const SearchSpace* space = nullptr;  ///< outlives the optimiser
  std::int64_t budget = 1;             ///< evaluations that will be told, at most; >= 1
  /// Declared bounds of a payoff, where the objective knows them.
  std::optional<double> payoff_low = {};
  std::optional<double> payoff_high = {};
};

/// A point, and what the optimiser believes it to be worth (mean payoff).
struct Recommendation {
  Point point;
  double estimate = 0.0;
  std::int64_t evaluations = 0;  ///< how often this very point was evaluated
};

/// One run of an optimisation algorithm that maximises a noisy payoff; never shared between runs.
/// Strict alternation: ask, evaluate, tell, ask, … A deterministic function of the told values and
/// of the random stream.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// The next point to evaluate, allowed in the space.
  virtual Point ask(Rng& rng) = 0;
  /// The payoff of a point; must be finite.
  virtual void tell(const Point& point, double payoff) = 0;
  /// The best point so far by the optimiser's own rule; needs at least one tell.
  [[nodiscard]] virtual Recommendation recommend() const = 0;
};

}  // namespace ntune
