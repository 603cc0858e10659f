#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ntune/core/game_counts.h"
#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A payoff that is known before a search begins.
struct PriorPayoff {
  Point point;
  double payoff = 0.0;
};

/// What a match of two points brought the first of them.
struct MatchResult {
  double score = 0.5;     ///< points per game, from 0 to 1
  GameCounts games = {};  ///< the games, where they were counted

  /// Number of games; 1 where they were not counted.
  [[nodiscard]] double weight() const {
    return games.empty() ? 1.0 : static_cast<double>(games.games.games());
  }
};

struct RunFailures;
class SampledPoints;

/// What an optimiser is told of its task before it starts.
struct OptimiserContext {
  const SearchSpace* space = nullptr;  ///< outlives the optimiser
  std::int64_t budget = 1;             ///< evaluations that will be told, at most; >= 1
  /// Evaluations of all searches together where this is one of several in a run, else 0.
  std::int64_t common_budget = 0;
  /// Declared bounds of a payoff, where the objective knows them.
  std::optional<double> payoff_low = {};
  std::optional<double> payoff_high = {};
  /// How far beyond these bounds what is told may lie: payoffs are told less an effect of up to
  /// this size.
  double payoff_slack = 0.0;
  bool noisy = true;  ///< two payoffs of a point may differ
  /// Payoffs are negative costs that grow while an evaluation lasts, and it is ended where it shows
  /// that it falls below Optimiser::losing_payoff.
  bool ends_losers = false;
  /// Points that are asked for in the same block (Optimiser::block) meet the same instance and the
  /// same random numbers.
  bool blocks = false;
  /// Evaluations are matches, and the optimiser may choose both players (Optimiser::opponent).
  /// Payoffs are points per game, from 0 to 1.
  bool matches = false;
  /// Fixed opponents of the matches, which may lie off the grid, and how often each is due.
  std::span<const Point> anchors = {};
  std::span<const double> anchor_weights = {};
  /// The point in use today, if one is declared; may lie off the grid.
  std::optional<Point> incumbent = {};
  /// Payoffs known beforehand, which the budget does not count; nullptr: none. Only for optimisers
  /// whose plan says that they use them.
  std::shared_ptr<const std::vector<PriorPayoff>> prior = {};
  /// Largest estimated probability to fail of a point that is recommended, where there is another.
  double fail_limit = 0.2;
  /// What a point promises is divided by its expected cost to this power, >= 0; 0: costs do not
  /// count. For optimisers that learn from `tell_cost`.
  double cost_exponent = 0.0;
  /// What all searches of a run know of failures, where another optimiser has started this one.
  std::shared_ptr<RunFailures> failures = {};
};

/// The payoffs of a search by point, as the optimiser counts them, each less `origin`.
struct PayoffsByPoint {
  const SampledPoints* points = nullptr;
  double origin = 0.0;
};

/// What all payoffs together say of a point's mean payoff, whatever has chosen it.
struct Claim {
  double mean = 0.0;
  double low = 0.0;  ///< 95 % lie between low and high
  double high = 0.0;
  /// Expected lead of the best of the points that it was asked for with, if it is the first of
  /// them.
  double regret = 0.0;
};

/// How sure a model is of what it recommends.
struct Certainty {
  double sd = 0.0;  ///< standard deviation of the estimate
  /// Probability that no other point that was sampled is better, where the model gives one.
  std::optional<double> best_probability = {};
  std::optional<Claim> claim = {};  ///< where there is one, it is truer than the estimate
};

/// A point, and what the optimiser believes it to be worth (mean payoff).
struct Recommendation {
  Point point;
  double estimate = 0.0;
  std::int64_t evaluations = 0;  ///< how often this very point was evaluated
};

/// What a model believes a point to be worth: its mean payoff, and the standard deviation of that
/// estimate where the model has one.
struct Belief {
  double mean = 0.0;
  std::optional<double> sd = {};
};

/// One run of an optimisation algorithm that maximises a noisy payoff; never shared between runs.
/// The calls alternate: ask, tell, ask, tell, … With several evaluations in flight each point asked
/// for is marked as pending until its result is told. Results are told in the order of the asks. A
/// point may be told several payoffs, or that its evaluation failed. A deterministic function of
/// these calls and of the random stream.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// The next point to evaluate, allowed in the space.
  virtual Point ask(Rng& rng) = 0;
  /// Takes a point as its next ask, although it has not chosen it. It is a declared start, or what
  /// an earlier search of a run that goes on has asked for. Its payoffs are told before anything
  /// else.
  virtual void adopt(const Point& /*point*/, Rng& /*rng*/) {}
  /// A number from which another optimiser of the same plan can go on in place of this one, after
  /// it has been told the same payoffs and failures in the same order. The random stream must be
  /// set as well. Holds where evaluations came one at a time. Nothing: the other one must also be
  /// asked for every point.
  [[nodiscard]] virtual std::optional<std::uint64_t> state() const { return std::nullopt; }
  /// Goes on from that state, after all tells. `last` is the point asked for last, whose result has
  /// been told. Called only where `state()` has a value.
  virtual void take_place(const Point& /*last*/, std::uint64_t /*state*/) {}
  /// add_pending marks a point asked for as in flight, remove_pending takes the mark away before
  /// its payoffs are told. So the asks between can spread out. A point may be marked several times.
  /// Not called when evaluations come one at a time.
  virtual void add_pending(const Point& /*point*/) {}
  virtual void remove_pending(const Point& /*point*/) {}
  /// The payoff of a point; must be finite.
  virtual void tell(const Point& point, double payoff) = 0;
  /// Many payoffs at once, as if they were told in this order; payoffs[i] is of points[i]. Faster
  /// where an optimiser fits a model.
  virtual void tell_all(std::span<const Point> points, std::span<const double> payoffs) {
    for (std::size_t i = 0; i < points.size(); ++i) tell(points[i], payoffs[i]);
  }
  /// The evaluation of a point, whose result is told next, has cost so much, >= 0. Where a
  /// study has a budget of costs.
  virtual void tell_cost(const Point& /*point*/, double /*cost*/) {}
  /// The evaluation of a point has failed and brings no payoff. In the order of the asks, after
  /// remove_pending, in place of tell.
  virtual void fail(const Point& /*point*/) {}
  /// A payoff at which the point asked for last has lost, so that its evaluation may be ended where
  /// that shows before its end; -infinity: there is none.
  [[nodiscard]] virtual double losing_payoff() const {
    return -std::numeric_limits<double>::infinity();
  }
  /// The evaluation was ended there: its payoff is at most this, and is not known. In place of
  /// tell. Only where `losing_payoff` said so.
  virtual void tell_at_most(const Point& /*point*/, double /*payoff*/) {}
  /// The block >= 0 of the point asked for last, 0 before the first: what is compared within a
  /// block has the same instance and seed. Nothing: the point is in none. Only where the context
  /// has blocks, and then always or never.
  [[nodiscard]] virtual std::optional<std::int64_t> block() const { return std::nullopt; }
  /// Whom the point asked for last is to meet; nothing: whomever the objective names. Only where
  /// the context has matches.
  [[nodiscard]] virtual std::optional<Point> opponent() const { return std::nullopt; }
  /// The result of a match with an opponent that `opponent` named. In place of tell.
  virtual void tell_match(const Point& /*point*/, const Point& /*opponent*/,
                          const MatchResult& /*result*/) {}
  /// A match with such an opponent failed, and nobody knows by whose fault. In place of fail.
  virtual void fail_match(const Point& /*point*/, const Point& /*opponent*/) {}
  /// The best point so far by the optimiser's own rule; needs at least one tell.
  [[nodiscard]] virtual Recommendation recommend() const = 0;
  /// What it was told, where it keeps that; valid until the next call that changes it. Claims of
  /// what it recommends are made of this (claims/point_claims.h).
  [[nodiscard]] virtual PayoffsByPoint told() const { return {}; }
  /// How sure it is of what it recommends, where it says so itself.
  [[nodiscard]] virtual std::optional<Certainty> certainty() const { return std::nullopt; }
  /// True when one more evaluation is not worth its price, so that the run may end.
  [[nodiscard]] virtual bool done() const { return false; }
  /// Number of payoffs so far from all others that the model counts them as less extreme.
  [[nodiscard]] virtual std::int64_t set_aside() const { return 0; }
  /// What its model says of any point, if it has one; needs at least one tell.
  [[nodiscard]] virtual std::optional<Belief> belief(const Point& /*point*/) const { return {}; }
};

/// Makes an optimiser for one run.
using OptimiserMaker = std::function<std::unique_ptr<Optimiser>(const OptimiserContext&)>;

}  // namespace ntune
