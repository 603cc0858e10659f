#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/objective/objective.h"

namespace ntune {

class YamlNode;

/// The expected values of an objective, in the reported unit.
class KnownTruth {
 public:
  virtual ~KnownTruth() = default;

  /// The expected value of a point.
  [[nodiscard]] virtual double true_value(const Point& point) const = 0;
  /// The largest true value over the space, where it is known.
  [[nodiscard]] virtual std::optional<double> optimum() const = 0;
};

struct SeatedGame;  // seated_games.h

/// Games between the players of two points.
class Matches {
 public:
  virtual ~Matches() = default;

  /// Games of `first` against `second` from one start, one from either side; of a program, those of
  /// one call. Without a failure the outcome has the counts of the games.
  [[nodiscard]] virtual Outcome play(const Point& first, const Point& second, Rng& rng,
                                     const EvaluationId& id) const = 0;

  /// Where every evaluation is a match against one point, that point: it is worth 1/2 by
  /// definition, and evaluating it costs nothing.
  [[nodiscard]] virtual std::optional<Point> opponent() const { return std::nullopt; }
  /// Whom a search may not choose: fixed opponents of evaluations; empty where evaluations are no
  /// matches, or a search may not choose any other.
  [[nodiscard]] virtual std::span<const Point> anchors() const { return {}; }
  /// How often each anchor is an opponent, in their order; > 0.
  [[nodiscard]] virtual std::span<const double> anchor_weights() const { return {}; }
  /// The anchor that an evaluation of this stream is against. Only where there are anchors.
  [[nodiscard]] virtual const Point& anchor_for(const Rng& /*stream*/) const {
    return anchors().front();
  }
  /// The games of a match of this stream, in their order, where they have seats; else none.
  [[nodiscard]] virtual std::vector<SeatedGame> seats_of(const Point& first, const Point& second,
                                                         const Rng& stream,
                                                         const Instance* instance) const;
};

/// Payoffs on instances, such as levels, maps or opponents.
class OnInstances {
 public:
  virtual ~OnInstances() = default;

  /// One noisy payoff, as Objective::evaluate.
  [[nodiscard]] virtual double evaluate_on(const Instance& instance, const Point& point,
                                           Rng& rng) const = 0;
};

/// The outcome of games alone. The payoff is the points per game, from 0 to 1.
Outcome outcome_of(const GameCounts& games);

/// An evaluation made once for a person to look at.
struct Rehearsal {
  std::string text;                  ///< in lines: what was sent and how the answer was understood
  double seconds = 0.0;              ///< duration of the evaluation
  std::string failure = {};          ///< why it failed; empty: it did not
  std::optional<double> value = {};  ///< in the reported unit, of one that ran to its end
  std::optional<double> cost = {};   ///< of a budget of costs, where it is not the duration
  /// kNotStarted: the program does not exist, or cannot be started. kOutside: it is evaluated by
  /// whoever asks, so that there was nothing to try.
  enum class Kind { kEvaluated, kNotStarted, kOutside } kind = Kind::kEvaluated;
};

/// An evaluation leaves this process: it takes milliseconds or more, may fail for reasons of its
/// own and is worth recording one by one.
class OutsideProgram {
 public:
  virtual ~OutsideProgram() = default;

  /// An evaluation with all that the program needs and gives.
  [[nodiscard]] virtual Outcome observe(const Point& point, Rng& rng,
                                        const EvaluationId& id) const = 0;
  [[nodiscard]] virtual Rehearsal rehearse(const Point& point, Rng& rng,
                                           const EvaluationId& id) const = 0;
  /// Throws InputError at the place in the objective's options where the program asks for what the
  /// instances do not have.
  virtual void check_instances(std::span<const Instance> /*instances*/,
                               const YamlNode& /*options*/) const {}

  /// Parameters that the program is never told, and whether it is told the instance.
  [[nodiscard]] virtual std::vector<std::string> unused_parameters() const { return {}; }
  [[nodiscard]] virtual bool uses_instance() const { return true; }
  /// What of its results may be meant otherwise, as a sentence without its end; mostly empty.
  [[nodiscard]] virtual std::string doubt() const { return {}; }
  /// What stands before a parameter's value in an argument of its own, as --depth=; or nothing.
  [[nodiscard]] virtual std::string switch_of(int /*parameter*/) const { return {}; }

  /// True if the reported value is the time that an evaluation takes in seconds, and `observe` ends
  /// it at EvaluationId::cap.
  [[nodiscard]] virtual bool costs_time() const { return false; }
  /// Seconds after which an evaluation is cut off; infinite: it never is.
  [[nodiscard]] virtual double cutoff() const { return std::numeric_limits<double>::infinity(); }
  /// What counts for one that is cut off or unsolved, in the reported unit; nothing: none can be.
  [[nodiscard]] virtual std::optional<double> penalty() const { return std::nullopt; }
};

inline bool is_external(const Objective& objective) {
  return objective.outside_program() != nullptr;
}

/// What a cut-off evaluation of a program counts as; nothing of other objectives.
inline std::optional<double> penalty_of(const Objective& objective) {
  const OutsideProgram* program = objective.outside_program();
  return program == nullptr ? std::nullopt : program->penalty();
}

/// True if every evaluation is a match against this point.
inline bool is_opponent(const Objective& objective, const Point& point) {
  const Matches* matches = objective.matches();
  return matches != nullptr && matches->opponent() == point;
}

/// True if evaluations are matches in which a search may choose both players. Payoffs are then
/// points per game.
inline bool are_duels(const Objective& objective) {
  const Matches* matches = objective.matches();
  return matches != nullptr && !matches->anchors().empty();
}

/// The expected value of a point in the reported unit, where it is known.
inline std::optional<double> true_value_of(const Objective& objective, const Point& point) {
  const KnownTruth* truth = objective.known_truth();
  return truth == nullptr ? std::nullopt : std::optional(truth->true_value(point));
}

/// The largest true value over the space, where it is known.
inline std::optional<double> optimum_of(const Objective& objective) {
  const KnownTruth* truth = objective.known_truth();
  return truth == nullptr ? std::nullopt : truth->optimum();
}

/// Why a reported value contradicts the payoffs that the objective declares; empty: it does not.
/// What a function of this process can be worth is known, but not declared.
std::string fault_of_declared(double value, const Objective& objective);

/// Why a reported value is none of a declared range, or none of its two values; empty: it is one.
std::string fault_within(double value, double low, double high, bool two_valued);

/// True if evaluations may be made on the instances of a study.
inline bool takes_instances(const Objective& objective) {
  return is_external(objective) || objective.on_instances() != nullptr;
}

/// A match of a point against the anchor of this stream. Against itself an anchor has 1/2 without a
/// game.
Outcome meet_anchor(const Matches& matches, const Point& point, Rng& rng, const EvaluationId& id);

/// Evaluates a point, by the outside program where there is one. May throw std::exception.
Outcome observe(const Objective& objective, const Point& point, Rng& rng, const EvaluationId& id);

/// Evaluates once. What the objective throws becomes the failure.
Rehearsal rehearse(const Objective& objective, const Point& point, Rng& rng,
                   const EvaluationId& id = {});

}  // namespace ntune
