#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json_fwd.h"
#include "ntune/core/rng.h"
#include "ntune/objective/unit.h"
#include "ntune/space/search_space.h"

namespace ntune {

class KnownTruth;
class Matches;
class OnInstances;
class OutsideProgram;
class SeatedGames;
struct Instance;

/// What is known of the numbers that an objective returns.
struct Payoffs {
  /// Smallest and largest possible payoff, where they are known.
  std::optional<double> low = {};
  std::optional<double> high = {};
  /// Every payoff is either `low` or `high` (win or loss), so that a proportion describes a sample.
  bool two_valued = false;
  /// Two evaluations of a point may differ.
  bool noisy = true;
  /// They differ by their instances alone.
  bool exact_on_instances = false;
  /// One evaluation may bring several payoffs that count one by one.
  bool several = false;
  /// Evaluations are of games, and their outcomes have the counts; without an outside program of
  /// one game each, with 1, 1/2 or 0 as the reported value.
  bool games = false;
  /// Payoffs are negative costs, which are below 0 unless one has been seen that is not.
  bool negated_costs = false;
};

/// One of several numbers that an evaluation brings, and what is wanted of it.
struct Goal {
  std::string name = {};
  Unit unit = {};                    ///< a cost, or plain
  Payoffs payoffs = {};              ///< what is known of them
  std::string measure = {};          ///< of its values, such as "ms"; may be empty
  bool logarithmic = false;          ///< factors of its values count, which are above 0
  int order = 0;                     ///< its place among those that are sought one by one; 0: none
  std::optional<double> limit = {};  ///< value that its mean is to reach; of a cost: not to exceed

  /// "ms", or "size (MB)" where it has a measure of another name.
  [[nodiscard]] std::string title() const;
  /// "at most 50 ms"; there must be a limit.
  [[nodiscard]] std::string limit_text() const;
  /// Why a reported value is none that there can be; empty if it is one.
  [[nodiscard]] std::string fault_of(double value) const;
};

/// How many goals there may be.
inline constexpr std::size_t kFewestGoals = 2;
inline constexpr std::size_t kMostGoals = 6;
/// Why a study cannot have these goals together; empty if it can.
std::string problem_of(std::span<const Goal> goals);
/// The goals in which one setting is to be the best. With an order these are its goals, each among
/// what is level in the ones before it. With limits alone it is the first goal without one. Else
/// there is none, as a front is sought.
std::vector<std::size_t> sought_goals(std::span<const Goal> goals);

/// Which evaluation of a study this is, for objectives that hand it on to a program, and the switch
/// that ends it early.
struct EvaluationId {
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t evaluation = 0;
  const Instance* instance = nullptr;       ///< on which it is made, where the study has instances
  const std::atomic<bool>* stop = nullptr;  ///< the evaluation is to fail soon once this is true
  /// The cost from which on it cannot win any more, where `OutsideProgram::costs_time`.
  double cap = std::numeric_limits<double>::infinity();
};

/// What a failure is held against.
enum class Blame : std::uint8_t {
  kPoint,
  kMachine,      ///< what evaluating needs is lacking: ends the study, not recorded
  kInterruption  ///< this process was told to end: not recorded
};

/// How far an evaluation went.
enum class Ending : std::uint8_t {
  kWhole,
  kCutOff,  ///< ended at the cutoff or without a solution; the payoff is that of the penalty
  kCapped   ///< ended because it could no longer win; the payoff is the most that it can be
};

/// What a solver says of its problem.
enum class SolverAnswer : std::uint8_t { kNone, kSatisfiable, kUnsatisfiable };

/// What one evaluation gave.
struct Outcome {
  double payoff = 0.0;  ///< mean of the observations; higher is better
  /// The payoffs of all goals in their order, where there are several; `payoff` is the first.
  std::vector<double> goals = {};
  /// The single payoffs where each of them counts as an evaluation, else empty.
  std::vector<double> observations = {};
  GameCounts games = {};        ///< counts, where the evaluation played games
  std::string failure = {};     ///< one line why the evaluation failed; empty: it did not
  Blame blame = Blame::kPoint;  ///< where it failed
  int attempts = 1;
  Ending ending = Ending::kWhole;
  SolverAnswer answer = SolverAnswer::kNone;
  std::optional<double> cost = {};  ///< what it used of a budget of costs; >= 0
  double stood_still = 0.0;         ///< seconds of it in which this process was stopped
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

  /// Values that parameters have where nobody tunes them, by name, as far as they are known; what
  /// the space declares comes first.
  [[nodiscard]] virtual Json defaults() const;

  /// One line for reports: "hartmann6, win or loss".
  [[nodiscard]] virtual std::string description() const = 0;

  [[nodiscard]] virtual Payoffs payoffs() const { return {}; }

  /// The unit in which values are reported.
  [[nodiscard]] virtual Unit unit() const { return {}; }

  /// What an evaluation brings, where it is more than one number: at least two. `payoffs` and
  /// `unit` are then those of the first.
  [[nodiscard]] virtual std::span<const Goal> goals() const { return {}; }
  /// The reported values of all goals, where there are several and the objective is evaluated in
  /// this process.
  [[nodiscard]] virtual std::vector<double> evaluate_goals(const Point& /*point*/,
                                                           Rng& /*rng*/) const {
    return {};
  }
  /// Takes the goals that a study declares; false: its evaluations bring one number alone.
  virtual bool take_goals(std::vector<Goal> /*goals*/) { return false; }

  /// What only some objectives have (capabilities.h); nullptr: this one has not.
  [[nodiscard]] virtual const KnownTruth* known_truth() const { return nullptr; }
  [[nodiscard]] virtual const Matches* matches() const { return nullptr; }
  [[nodiscard]] virtual const OnInstances* on_instances() const { return nullptr; }
  [[nodiscard]] virtual const OutsideProgram* outside_program() const { return nullptr; }
  /// seated_games.h
  [[nodiscard]] virtual const SeatedGames* seated_games() const { return nullptr; }
};

/// What is known of the first of several goals; noisy where any of them is.
Payoffs payoffs_of(std::span<const Goal> goals);
/// Gives an outcome the reported values of all goals, in their order.
void set_goals(Outcome& outcome, std::span<const Goal> goals, std::span<const double> values);

/// Largest magnitude of a payoff: squares, and sums of squares, stay finite.
inline constexpr double kLargestPayoff = 1e100;
/// Where no payoff is as large as this, though one is not 0, squares of what is small beside it may
/// vanish: such results are in doubt.
inline constexpr double kSmallestPayoff = 1e-100;

/// The seed that a program is given, from 1: the first that is drawn from the stream of its call.
/// Seeds fit into 32 bits with a sign, because many programs keep them in an int.
inline std::int64_t draw_program_seed(Rng& rng) {
  constexpr std::uint32_t kSeeds = std::numeric_limits<std::int32_t>::max();
  return 1 + std::int64_t{rng.below(kSeeds)};
}

}  // namespace ntune
