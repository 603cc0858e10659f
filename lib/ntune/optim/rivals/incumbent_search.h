#pragma once

#include <cstdint>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/base/point_search.h"

namespace ntune {

/// The frame of the optimisers that hold one incumbent against challengers. A round evaluates the
/// challenger `resamples` times and the incumbent as often again; then the challenger may take
/// over. The means keep all evaluations, so that a lucky incumbent is found out (Lucas, Liu and
/// Perez-Liebana 2018 call this re-sampling). A search says what it proposes, and may have a rule
/// of its own for taking over.
///
/// Rounds are made of asks, so that evaluations in flight or failed hold nothing up. A round is
/// decided when the last of its evaluations has come back; until then the next rounds go on against
/// the incumbent of the moment. Without noise a round is one evaluation of the challenger, which is
/// a new point where there is one. A point without any payoff loses, and one that is likely to fail
/// against one that is not. A challenger or incumbent that has failed and never succeeded makes way
/// for another within its round.
class IncumbentSearch : public PointSearch {
 public:
  IncumbentSearch(const OptimiserContext& context, int resamples);

  Proposal ask(Rng& rng) final { return {.point = next(rng)}; }
  /// The best of the points adopted before the first ask is the first incumbent.
  void adopt(const Point& point, Rng& rng) final;
  /// The incumbent, unless a challenger that has had its evaluations has a higher mean.
  [[nodiscard]] Recommendation recommend() const final;

 protected:
  /// The next challenger; the first incumbent is a random point.
  virtual Point propose(const Point& incumbent, Rng& rng) = 0;
  /// Whether the challenger of a round whose evaluations have come back is the next incumbent: by
  /// default where its mean is higher.
  virtual bool takes_over(const Point& challenger, const Point& incumbent, Rng& /*rng*/) {
    return points_.has_higher_mean(challenger, incumbent);
  }

 private:
  /// A round that is not decided. The last one may still be asking.
  struct Round {
    Point challenger;
    std::int64_t first = 0;  ///< number of asks before it
  };

  Point next(Rng& rng);
  [[nodiscard]] Point first_incumbent() const;
  /// Whether a point has failed and never succeeded.
  [[nodiscard]] bool hopeless(const Point& point) const {
    return failures_.failed(point) && points_.at(point).count == 0;
  }
  /// Whether a point has the higher mean of two, or is the only one that is reliable.
  [[nodiscard]] bool beats(const Point& point, const Point& other) const;
  [[nodiscard]] Point challenger(Rng& rng);
  void decide_rounds(Rng& rng);

  std::int64_t resamples_;  ///< evaluations of a challenger
  std::int64_t round_;      ///< and those of the incumbent after it
  Point incumbent_;
  std::vector<Round> rounds_;  ///< in the order of their asks
};

struct RandomSearchOptions {
  int resamples = 5;

  void visit(Options& options) {
    options.integer("resamples", resamples, between(1, 1e9),
                    "evaluations of each challenger, and again of the incumbent, per round; "
                    "without noise one of the challenger");
  }
};

/// Random search: every challenger is a random point.
class RandomSearch final : public IncumbentSearch {
 public:
  RandomSearch(const RandomSearchOptions& options, const OptimiserContext& context)
      : IncumbentSearch(context, options.resamples) {}

 private:
  Point propose(const Point&, Rng& rng) override { return space_->sample(rng); }
};

struct RmhcOptions : RandomSearchOptions {
  AutoNumber mutation_rate;

  void visit(Options& options) {
    RandomSearchOptions::visit(options);
    options.number("mutation_rate", mutation_rate, between(0, 1),
                   "probability that a parameter mutates; auto: 1 / d (one always does)");
  }
};

/// Random mutation hill climber: every challenger is a mutant of the incumbent.
class Rmhc final : public IncumbentSearch {
 public:
  Rmhc(const RmhcOptions& options, const OptimiserContext& context)
      : IncumbentSearch(context, options.resamples),
        neighbourhood_(*context.space, {.size = 1, .mutation_rate = options.mutation_rate}) {}

 private:
  Point propose(const Point& incumbent, Rng& rng) override {
    neighbourhood_.draw(incumbent, rng);
    return neighbourhood_.size() == 0 ? incumbent : neighbourhood_.mutant(incumbent, 0);
  }

  Neighbourhood neighbourhood_;
};

}  // namespace ntune
