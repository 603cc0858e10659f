#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ntune/core/game_statistics.h"
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

/// One of several goals, as a search sees it.
struct SearchedGoal {
  bool logarithmic = false;        ///< the logarithms of its values count, which are above 0
  bool is_cost = false;            ///< its payoffs are negative values
  bool noisy = true;               ///< two payoffs of a point may differ
  int order = 0;                   ///< its place among those that are sought one by one; 0: none
  std::optional<double> low = {};  ///< declared bounds of a payoff
  std::optional<double> high = {};
  std::optional<double> least = {};  ///< payoff that the mean is to reach at least

  /// A payoff as models have it; higher is better.
  [[nodiscard]] double on_scale(double payoff) const {
    if (!logarithmic) return payoff;
    const double log = std::log(std::fmax(is_cost ? -payoff : payoff, 1e-300));
    return is_cost ? -log : log;
  }
};

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
  /// The goals, where reports bring several; the payoffs are then of the first.
  std::vector<SearchedGoal> goals = {};
  /// Payoffs are negative costs that grow while an evaluation lasts, and it is ended where it shows
  /// that it falls below Proposal::losing_payoff.
  bool ends_losers = false;
  /// Evaluations of the leading points are ended too, as older versions did.
  bool ends_leaders = false;
  /// Points that are asked for in the same block (Proposal::block) meet the same instance and the
  /// same random numbers.
  bool blocks = false;
  /// Evaluations are matches, and the optimiser may choose both players (Proposal::opponent).
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
  /// count. For optimisers that learn from Report::cost.
  double cost_exponent = 0.0;
  /// What all searches of a run know of failures, where another optimiser has started this one.
  std::shared_ptr<RunFailures> failures = {};
};

/// The payoffs of a search by point, as the optimiser counts them, each less `origin`.
struct PayoffsByPoint {
  const SampledPoints* points = nullptr;
  double origin = 0.0;
  /// Number of payoffs so far from all others that the model counts them as less extreme.
  std::int64_t set_aside = 0;
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

/// What a search asks to have evaluated.
struct Proposal {
  Point point = {};
  /// Whom the point is to meet; nothing: whomever the objective names. Only where the context has
  /// matches.
  std::optional<Point> opponent = {};
  /// What is compared within a block, >= 0, has the same instance and the same seed. Only where the
  /// context has blocks, and then always or never.
  std::optional<std::int64_t> block = {};
  /// A payoff at which the point has lost, so that its evaluation may be ended where that shows
  /// before its end; -infinity: there is none.
  double losing_payoff = -std::numeric_limits<double>::infinity();
};

/// What the evaluation of a proposal has brought.
struct Report {
  /// Finite, in their order; with an opponent points per game, from 0 to 1.
  std::span<const double> payoffs = {};
  std::span<const double> goals = {};        ///< payoffs of all goals, where there are several
  GameCounts games = {};                     ///< of the match, where they were counted
  bool failed = false;                       ///< it brings no payoff, or one that was declared
  bool cut_off = false;                      ///< its payoff is the penalty for having no end
  std::optional<double> at_most = {};        ///< it was ended early: its payoff is at most this
  std::optional<double> cost = {};           ///< >= 0, where the study has a budget of costs
  std::optional<std::size_t> instance = {};  ///< which one, where effects of instances are learned
  /// Another report follows before anything else is asked: a model may wait with its fit.
  bool more = false;
};

/// A report that is kept beyond the call that brought it.
class KeptReport {
 public:
  KeptReport(Proposal proposal, const Report& report)
      : asked(std::move(proposal)),
        report_(report),
        payoffs_(report.payoffs.begin(), report.payoffs.end()),
        goals_(report.goals.begin(), report.goals.end()) {}

  [[nodiscard]] Report report() const {
    Report report = report_;
    report.payoffs = payoffs_;
    report.goals = goals_;
    return report;
  }
  [[nodiscard]] const std::vector<double>& payoffs() const { return payoffs_; }

  Proposal asked;

 private:
  Report report_;  ///< but for its payoffs and goals
  std::vector<double> payoffs_;
  std::vector<double> goals_;
};

/// What another optimiser of the same plan needs to go on in place of this one, beside the stream
/// of random numbers, after it has been told the same reports in the same order.
struct SearchPlace {
  Point last = {};  ///< asked for last
  std::uint64_t asks = 0;
};

/// One run of an optimisation algorithm that maximises a noisy payoff; never shared between runs.
/// The calls alternate: ask, tell, ask, tell, … With several evaluations in flight each point asked
/// for is marked as pending until its report is told. Reports are told in the order of the asks. A
/// deterministic function of these calls and of the random stream.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// What to evaluate next, at a point that the space allows.
  virtual Proposal ask(Rng& rng) = 0;
  /// Takes a point as its next ask, although it has not chosen it. It is a declared start, or what
  /// an earlier search of a run that goes on has asked for. Its report is told before anything
  /// else.
  virtual void adopt(const Point& /*point*/, Rng& /*rng*/) {}
  /// Marks a point asked for as in flight, or takes the mark away before its report is told. So the
  /// asks between can spread out. A point may be marked several times. Not called when evaluations
  /// come one at a time.
  virtual void pending(const Point& /*point*/, bool /*is_in_flight*/) {}
  /// The report of what was asked for or adopted. Some optimisers learn from any point.
  virtual void tell(const Proposal& asked, const Report& report) = 0;
  /// The best point so far by the optimiser's own rule; needs at least one payoff.
  [[nodiscard]] virtual Recommendation recommend() const = 0;
  /// What it was told, where it keeps that; valid until the next call that changes it. Claims of
  /// what it recommends are made of this (claims/point_claims.h).
  [[nodiscard]] virtual PayoffsByPoint told() const { return {}; }
  /// How sure it is of what it recommends, where it says so itself.
  [[nodiscard]] virtual std::optional<Certainty> certainty() const { return std::nullopt; }
  /// Of several goals: points, at most so many, that may be on the front, the best in the first
  /// goal first.
  [[nodiscard]] virtual std::vector<Point> front(std::size_t /*most*/) const { return {}; }
  /// What its model says of any point, if it has one; needs at least one payoff.
  [[nodiscard]] virtual std::optional<Belief> belief(const Point& /*point*/) const { return {}; }
  /// True when one more evaluation is not worth its price, so that the run may end.
  [[nodiscard]] virtual bool done() const { return false; }
  /// What another optimiser needs to go on in place of this one; it can also be set. With nullptr
  /// the other one must be asked for every point again. Holds where evaluations came one at a time.
  [[nodiscard]] virtual SearchPlace* place() { return nullptr; }

  /// A payoff of a point without an opponent.
  void tell(const Point& point, double payoff) {
    tell({.point = point}, {.payoffs = std::span(&payoff, 1)});
  }
  /// Many payoffs, in this order; payoffs[i] is of points[i].
  void tell_all(std::span<const Point> points, std::span<const double> payoffs) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      tell({.point = points[i]}, {.payoffs = payoffs.subspan(i, 1), .more = i + 1 < points.size()});
    }
  }
};

/// Makes an optimiser for one run.
using OptimiserMaker = std::function<std::unique_ptr<Optimiser>(const OptimiserContext&)>;

}  // namespace ntune
