#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/rng.h"
#include "ntune/objective/unit.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// What is known of the numbers that an objective returns.
struct Payoffs {
  /// Smallest and largest possible payoff, where they are known.
  std::optional<double> low = {};
  std::optional<double> high = {};
  /// Every payoff is either `low` or `high` (win or loss), so that a proportion describes a sample.
  bool two_valued = false;
  /// Two evaluations of a point may differ.
  bool noisy = true;
  /// One evaluation may bring several payoffs that count one by one.
  bool several = false;
};

/// Which evaluation of a study this is, for objectives that hand it on to a program, and the switch
/// that ends it early.
struct EvaluationId {
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t evaluation = 0;
  const std::atomic<bool>* stop = nullptr;  ///< where it turns true: fail soon
};

/// What one evaluation gave.
struct Outcome {
  double payoff = 0.0;  ///< mean of the observations; higher is better
  /// The single payoffs where each of them counts as an evaluation, else empty.
  std::vector<double> observations = {};
  std::string failure = {};  ///< one line why the evaluation failed; empty: it did not
  int attempts = 1;
};

/// A noisy black box to be maximised. A payoff is a deterministic function of (point, stream) and
/// of nothing else; all members may be called from several threads at once.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The space whose allowed points `evaluate` accepts.
  [[nodiscard]] virtual const SearchSpace& space() const = 0;

  /// One noisy payoff; higher is better. May throw std::exception: the evaluation has failed.
  [[nodiscard]] virtual double evaluate(const Point& point, Rng& rng) const = 0;

  /// The same with all that objectives outside this process need and give.
  [[nodiscard]] virtual Outcome observe(const Point& point, Rng& rng,
                                        const EvaluationId& /*id*/) const {
    return {.payoff = evaluate(point, rng)};
  }

  /// True if an evaluation leaves this process: it takes milliseconds or more, may fail for reasons
  /// of its own and is worth recording one by one.
  [[nodiscard]] virtual bool is_external() const { return false; }

  /// Values that parameters have where nobody tunes them, by name, as far as they are known; what
  /// the space declares comes first.
  [[nodiscard]] virtual Json defaults() const;

  /// True if the players of two points can meet.
  [[nodiscard]] virtual bool has_matches() const { return false; }
  /// Points of `first`, from 0 to 2, in two games against `second` from one start, one from either
  /// side; where there are matches.
  [[nodiscard]] virtual double play_pair(const Point& first, const Point& second,
                                         const Rng& rng) const;

  /// Evaluates once and tells, in lines of text, what was sent and how the answer was understood.
  [[nodiscard]] virtual std::string rehearse(const Point& point, Rng& rng) const;

  /// One line for reports: "hartmann6, win or loss".
  [[nodiscard]] virtual std::string description() const = 0;

  [[nodiscard]] virtual Payoffs payoffs() const { return {}; }

  /// The unit in which values are reported.
  [[nodiscard]] virtual Unit unit() const { return {}; }

  /// The expected value of a point in the reported unit, where it is known.
  [[nodiscard]] virtual std::optional<double> true_value(const Point&) const { return {}; }
  /// The largest true value over the space, where it is known.
  [[nodiscard]] virtual std::optional<double> optimum() const { return {}; }
};

}  // namespace ntune
