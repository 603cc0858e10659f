#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/failure_model.h"

namespace ntune {

/// How likely points are to fail, by a model that an optimiser brings along.
class SmoothFailures {
 public:
  virtual ~SmoothFailures() = default;

  /// Adds failed and successful evaluations of a point, each >= 0 and together above 0.
  virtual void add(const Point& point, double failures, double successes) = 0;
  /// Whether anything has been added of a point.
  [[nodiscard]] virtual bool knows(const Point& point) const = 0;
  /// Probability to fail, within (0, 1).
  [[nodiscard]] virtual double rate(const Point& point) = 0;
};

/// What the searches of one run know of failures. Before the first failure it costs nothing and
/// changes nothing; every draw of random numbers stays as it is without.
struct RunFailures {
  std::optional<FailureModel> model = {};  ///< from the first failure on
  std::function<std::unique_ptr<SmoothFailures>()> make_smooth = {};
  std::unique_ptr<SmoothFailures> smooth = {};  ///< from then on, if it can be made
  /// How much better smooth has foretold new points than model: logarithm of the Bayes factor.
  double evidence = 0.0;
};

/// How an optimiser uses what it knows of failures. It makes a RunFailures, or reads that of its
/// context, which then belongs to the optimiser that started it.
class Failures {
 public:
  explicit Failures(const OptimiserContext& context);

  /// The knowledge of failures that searches started within this one share.
  [[nodiscard]] const std::shared_ptr<RunFailures>& shared() const { return known_; }

  /// From the first failure on the model that `make` returns counts beside values and pairs, by how
  /// well it has foretold new points. Called before any failure; the first of a run is kept.
  void foretell_by(std::function<std::unique_ptr<SmoothFailures>()> make);

  /// A payoff has been told.
  void succeed(const Point& point);
  /// An evaluation has failed. `payoffs` are all those told before.
  void fail(const Point& point, const SampledPoints& payoffs);
  /// A match of two points has failed by the fault of either: each is to blame for a part, by
  /// how suspicious it was.
  void fail_match(const Point& point, const Point& opponent, const SampledPoints& payoffs);

  /// Whether any evaluation has failed.
  [[nodiscard]] bool any() const { return known_->model.has_value(); }
  /// Probability that an evaluation fails, of a point that has had so many payoffs. Without noise 0
  /// for a point with a payoff, 1 for one that has failed.
  [[nodiscard]] double rate(const Point& point, std::uint32_t payoffs) const;
  /// What counts against asking for a point: its FailureModel::risk, or the square of its smooth
  /// rate; without noise 0 or 1 as for `rate`.
  [[nodiscard]] double risk(const Point& point, std::uint32_t payoffs) const;
  /// Whether a point may be recommended: its rate is at most the limit.
  [[nodiscard]] bool reliable(const Point& point, std::uint32_t payoffs) const {
    return !any() || rate(point, payoffs) <= limit_;
  }
  /// Whether a point has failed, at least once.
  [[nodiscard]] bool failed(const Point& point) const {
    return any() && known_->model->failures_of(point) >= 1.0;
  }
  /// Whether a point is never to be asked for again: it failed, and would again.
  [[nodiscard]] bool refused(const Point& point) const { return !noisy_ && failed(point); }
  /// Distinct points that have failed.
  [[nodiscard]] std::size_t failed_points() const {
    return any() ? known_->model->failed_points() : 0;
  }
  /// What a point is worth to a search if its success has the payoff `value`. For this choice alone
  /// a failure counts as `lowest`, the lowest payoff seen.
  [[nodiscard]] static double discounted(double value, double risk, double lowest) {
    const double success = (1.0 - risk) * (1.0 - risk);
    return lowest + success * (value - lowest);
  }

  /// Draws points until one is kept, each with the square of its chance to succeed. After a hundred
  /// it returns the one with the best chance.
  template <class Draw>
  [[nodiscard]] Point draw(Rng& rng, const SampledPoints& payoffs, const Draw& draw) const {
    constexpr int kTries = 100;
    Point best = draw();
    if (!any()) return best;
    Point point = best;
    double lowest = 2.0;
    for (int i = 0; i < kTries; ++i) {
      const double failing = refused(point) ? 1.0 : risk(point, payoffs.at(point).count);
      if (rng.uniform() < (1.0 - failing) * (1.0 - failing)) return point;
      if (failing < lowest) {
        lowest = failing;
        best = point;
      }
      point = draw();
    }
    return best;
  }

 private:
  void begin(const SampledPoints& payoffs);
  void blame(const Point& point, double part);
  void compare_models(const Point& point, bool failed);
  void compare_models(const Point& point, const Point& opponent);
  [[nodiscard]] double suspicion(const Point& point, std::uint32_t payoffs) const;
  [[nodiscard]] double smooth_share() const;
  [[nodiscard]] std::optional<double> certain_rate(const Point& point, std::uint32_t payoffs) const;

  const SearchSpace* space_;
  bool noisy_;
  double limit_;
  bool own_;
  std::shared_ptr<RunFailures> known_;
};

}  // namespace ntune
