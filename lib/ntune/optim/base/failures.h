#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "ntune/core/rng.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/failure_model.h"

namespace ntune {

class FailureProcess;

/// What the searches of one run know of failures. Before the first failure it costs nothing and
/// changes nothing; every draw of random numbers stays as it is without.
struct RunFailures {
  std::optional<FailureModel> model = {};        ///< from the first failure on
  bool wants_process = false;                    ///< before the first failure
  std::shared_ptr<FailureProcess> process = {};  ///< from the first failure on, if it is wanted
  /// How much better the process has foretold new points than the model: logarithm of the Bayes
  /// factor.
  double evidence = 0.0;
};

/// How an optimiser uses what it knows of failures. It makes a RunFailures, or reads that of its
/// context, which then belongs to the optimiser that started it.
class Failures {
 public:
  /// `points` are those that the optimiser was told of, payoffs alone; they outlive this.
  Failures(const OptimiserContext& context, const SampledPoints& points);

  /// The knowledge of failures that searches started within this one share.
  [[nodiscard]] const std::shared_ptr<RunFailures>& shared() const { return known_; }

  /// From the first failure on a FailureProcess counts beside values and pairs, by how well it has
  /// foretold new points. Called before any failure.
  void foretell_by_process() { known_->wants_process = true; }

  /// A payoff has been told.
  void succeed(const Point& point);
  /// An evaluation has failed.
  void fail(const Point& point);
  /// A match of two points has failed by the fault of either: each is to blame for a part, by
  /// how suspicious it was.
  void fail_match(const Point& point, const Point& opponent);

  /// Whether any evaluation has failed.
  [[nodiscard]] bool any() const { return known_->model.has_value(); }
  /// Probability that the next evaluation of a point fails. Without noise 0 for a point with a
  /// payoff, 1 for one that has failed.
  [[nodiscard]] double rate(const Point& point) const;
  /// What counts against asking for a point: its FailureModel::risk, or the square of its rate by
  /// the process; without noise 0 or 1 as for `rate`.
  [[nodiscard]] double risk(const Point& point) const;
  /// Whether a point may be recommended: its rate is at most the limit.
  [[nodiscard]] bool reliable(const Point& point) const { return !any() || rate(point) <= limit_; }
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
  [[nodiscard]] Point draw(Rng& rng, const Draw& draw) const {
    constexpr int kTries = 100;
    Point best = draw();
    if (!any()) return best;
    Point point = best;
    double lowest = 2.0;
    for (int i = 0; i < kTries; ++i) {
      const double failing = refused(point) ? 1.0 : risk(point);
      if (rng.uniform() < (1.0 - failing) * (1.0 - failing)) return point;
      if (failing < lowest) {
        lowest = failing;
        best = point;
      }
      point = draw();
    }
    return best;
  }
  /// Draws points from the whole space so.
  [[nodiscard]] Point draw(Rng& rng) const {
    return draw(rng, [&] { return space_->sample(rng); });
  }

  /// A point drawn so that is not known, and may be asked for. A thousand draws in vain mean that
  /// nearly all points of the space are known.
  template <class IsKnown>
  [[nodiscard]] std::optional<Point> draw_new(Rng& rng, const IsKnown& is_known) const {
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries; ++i) {
      Point point = draw(rng);
      if (!is_known(point) && !refused(point)) return point;
    }
    return std::nullopt;
  }

  /// How a point compares with others, and what its payoffs are estimated to be.
  struct Rated {
    std::pair<double, double> rank;
    double estimate = 0.0;
  };
  /// The first point of the highest rank among those with payoffs that may be recommended; among
  /// all with payoffs where none may. `rate` makes a Rated of the index of a point and the point.
  template <class Rate>
  [[nodiscard]] Recommendation highest(const Rate& rate) const {
    Recommendation best;
    bool best_reliable = false;
    std::pair best_rank(0.0, 0.0);
    for (std::size_t i = 0; i < points_->size(); ++i) {
      // Without payoffs its evaluation is in flight, or has failed.
      if (points_->cell(i).count == 0) continue;
      const Point point = points_->point(i);
      const bool is_reliable = reliable(point);
      if (best_reliable && !is_reliable) continue;
      const Rated rated = rate(i, point);
      if (best.evaluations > 0 && is_reliable == best_reliable && !(rated.rank > best_rank)) {
        continue;
      }
      best_rank = rated.rank;
      best_reliable = is_reliable;
      best = {.point = point, .estimate = rated.estimate, .evaluations = points_->cell(i).count};
    }
    return best;
  }

 private:
  void begin();
  void blame(const Point& point, double part);
  void compare_models(const Point& point, bool failed);
  void compare_models(const Point& point, const Point& opponent);
  [[nodiscard]] std::uint32_t payoffs(const Point& point) const { return points_->at(point).count; }
  [[nodiscard]] double suspicion(const Point& point) const;
  [[nodiscard]] double share_of_process() const;
  [[nodiscard]] std::optional<double> certain_rate(const Point& point) const;

  const SearchSpace* space_;
  const SampledPoints* points_;
  bool noisy_;
  double limit_;
  bool own_;
  std::shared_ptr<RunFailures> known_;
};

}  // namespace ntune
