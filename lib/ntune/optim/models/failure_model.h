#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ntune/optim/models/sampled_points.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// How likely the evaluation of a point is to fail. Every value of a parameter, every pair of
/// values, and chance have a rate at which they make an evaluation fail. They do so independently
/// of one another (a noisy-or: Pearl 1988, section 4.3). A rate is the mean of a beta distribution
/// over the successes of the setting and the failures that are laid to it. Each failure is divided
/// among its causes by their rates, anew as more is known (expectation and maximisation). So causes
/// that have also succeeded are cleared at the expense of those that have not.
///
/// A point's own evaluations then count beside what its settings say as one evaluation. Pairs of
/// more than 65,536 settings, or after 4 million settings, are left out.
class FailureModel {
 public:
  /// Starts from the payoffs of earlier points.
  FailureModel(const SearchSpace& space, const SampledPoints& payoffs);

  void succeed(const Point& point);
  /// A failure, or the part of one that this point is to blame for, above 0.
  void fail(const Point& point, double part = 1.0);

  /// Probability that a point fails, by its settings alone.
  [[nodiscard]] double rate(const Point& point) const;
  /// The probability to fail if every cause's rate were squared. A suspect with a small rate counts
  /// little, and a convicted one with a rate near 1 counts nearly in full. By the rates themselves
  /// a search would never clear a suspect.
  [[nodiscard]] double risk(const Point& point) const;
  /// The rate where what has never failed is suspected too, the less the more it has succeeded: it
  /// tells a point that is to blame from one that is not.
  [[nodiscard]] double suspicion(const Point& point) const;
  /// A rate or risk by settings beside the point's own failures and so many payoffs.
  [[nodiscard]] double beside_own(double by_settings, const Point& point,
                                  std::uint32_t payoffs) const;
  /// Failed evaluations of a point, and its parts of those of several.
  [[nodiscard]] double failures_of(const Point& point) const;
  /// Distinct points that have failed.
  [[nodiscard]] std::size_t failed_points() const { return failures_.size(); }

 private:
  /// A setting of one parameter or of two, or chance.
  struct Cause {
    double successes = 0.0;
    double blame = 0.0;    ///< failures laid to it
    double settled = 0.0;  ///< failures that are not divided again
    double rate = 0.0;     ///< 0 while it has had no failure
  };
  struct Level {
    double rate;      ///< mean of the prior
    double strength;  ///< strength of the prior, in evaluations
  };
  struct Failed {
    Point point;
    double failures = 0.0;
  };

  /// Calls visit(index of a cause) for all causes of a point.
  template <class Visit>
  void for_each_cause(const Point& point, const Visit& visit) const;
  [[nodiscard]] const Level& level_of(std::size_t cause) const;
  void count_successes(const Point& point, double successes);
  [[nodiscard]] double expected_rate(std::size_t cause) const;
  void set_rate(std::size_t cause);
  void divide(const Failed& failed, double Cause::*share);
  void divide_all();

  std::vector<std::uint16_t> parameters_;  ///< those with several values
  std::vector<std::size_t> first_;         ///< first cause of each parameter, then of each pair
  std::vector<std::size_t> cardinalities_;
  std::size_t singles_ = 0;
  Level levels_[3];                    ///< one each for values, pairs and chance
  std::vector<Cause> causes_;          ///< values, pairs, chance
  std::vector<std::size_t> suspects_;  ///< causes that have had a failure
  std::vector<Failed> failed_;         ///< divided again and again
  std::size_t most_divided_ = 0;       ///< points that failed_ holds
  std::size_t oldest_ = 0;             ///< in failed_, once it is full
  double undivided_ = 0.0;             ///< successes since blame was divided
  std::unordered_map<Point, double> failures_;
};

}  // namespace ntune
