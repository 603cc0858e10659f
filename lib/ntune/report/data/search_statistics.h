#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// Count, sums and ends of payoffs. Their spread is summed about the first one: about 0 it would be
/// lost where all are far from 0.
struct PayoffSum {
  std::int64_t n = 0;
  double sum = 0.0;
  double first = 0.0;
  double moved = 0.0;    ///< sum of the differences from the first
  double squares = 0.0;  ///< of these differences
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double payoff) {
    if (n++ == 0) first = payoff;
    least = std::min(least, payoff);
    most = std::max(most, payoff);
    sum += payoff;
    const double difference = payoff - first;
    moved += difference;
    squares += difference * difference;
  }
  void add(const PayoffSum& others);
  /// Takes out some of them again; least and most stay.
  void take_out(const PayoffSum& some);
  [[nodiscard]] double mean() const { return n > 0 ? sum / static_cast<double>(n) : 0.0; }
  /// The sum of squared deviations from the mean.
  [[nodiscard]] double deviations() const;
  [[nodiscard]] RunningStats stats() const;
};

/// A parameter's values in groups of at most kMostValueGroups: of neighbours, where they have an
/// order.
struct ValueGroups {
  explicit ValueGroups(const Parameter& parameter);

  std::vector<std::uint8_t> group_of;  ///< of each value
  std::vector<std::string> labels;     ///< of each group: "0.4", "10 to 14" or "a, b, c"
  bool numeric = false;

  [[nodiscard]] std::size_t size() const { return labels.size(); }
};

/// A point and what was observed there.
struct SampledPoint {
  Point point;
  PayoffSum payoffs;
};

/// What the searches of an objective observed, by single values and pairs of values, over all runs
/// together. Memory grows with the distinct points, 200 bytes each or so.
class SearchStatistics {
 public:
  static constexpr std::size_t kSlices = 20;   ///< of a run's evaluations, in order
  static constexpr std::size_t kBatches = 10;  ///< of evaluations, for what is left out in turn

  explicit SearchStatistics(const Objective& objective);

  /// `progress` is the share of its run that was over, 0 to 1. Payoffs of one batch are left out
  /// together where uncertainty is computed: those of the same runs.
  void add(const Point& point, double payoff, double progress, std::size_t batch = 0);

  [[nodiscard]] const Objective& objective() const { return *objective_; }
  [[nodiscard]] const PayoffSum& all() const { return all_; }
  [[nodiscard]] const ValueGroups& groups(int parameter) const {
    return groups_[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] const PayoffSum& one(int parameter, std::size_t group) const {
    return ones_[static_cast<std::size_t>(parameter)][group];
  }
  /// Payoffs of the evaluations with both values, of a pair of parameters a < b.
  [[nodiscard]] const PayoffSum& two(int a, int b, std::size_t group_a, std::size_t group_b) const;
  /// These sums without the payoffs of a batch. Least and most are those of all.
  [[nodiscard]] PayoffSum one_without(std::size_t batch, int parameter, std::size_t group) const;
  [[nodiscard]] PayoffSum two_without(std::size_t batch, int a, int b, std::size_t group_a,
                                      std::size_t group_b) const;
  /// Whether pairs can be told without a batch: of very many pairs that is not kept.
  [[nodiscard]] bool has_batches_of_pairs() const { return batches_of_pairs_; }
  [[nodiscard]] std::size_t batches() const { return batches_seen_; }
  /// Evaluations in a slice of the runs that had this value.
  [[nodiscard]] std::int64_t sampled(int parameter, std::size_t group, std::size_t slice) const {
    return slices_[static_cast<std::size_t>(parameter)][group * kSlices + slice];
  }
  [[nodiscard]] std::size_t distinct_points() const { return points_.size(); }
  /// The points that were evaluated most often, first.
  [[nodiscard]] std::vector<SampledPoint> most_sampled(std::size_t count) const;
  /// The payoffs of a point; nullptr: it has none.
  [[nodiscard]] const PayoffSum* payoffs_of(const Point& point) const;
  /// The share of the variance of evaluations at points that were sampled twice or more that lies
  /// within equal points; none below 30 degrees of freedom.
  [[nodiscard]] std::optional<double> noise_share() const;
  /// Parameters with more than one value.
  [[nodiscard]] const std::vector<int>& varied() const { return varied_; }

 private:
  /// What a batch adds to the sums of all.
  struct BatchSums {
    std::vector<std::vector<PayoffSum>> ones = {};
    std::vector<std::vector<PayoffSum>> twos = {};
  };

  [[nodiscard]] std::size_t pair_index(int a, int b) const;

  const Objective* objective_;
  PayoffSum all_;
  std::vector<int> varied_;
  std::vector<int> place_;  ///< a parameter's place in varied_
  std::vector<ValueGroups> groups_;
  std::vector<std::vector<PayoffSum>> ones_;
  std::vector<std::vector<PayoffSum>> twos_;
  std::vector<std::vector<std::int64_t>> slices_;
  std::vector<BatchSums> batches_;
  bool batches_of_pairs_ = false;
  std::size_t batches_seen_ = 0;
  std::unordered_map<Point, PayoffSum> points_;
};

/// How much of the variance of the observed payoffs goes with the values of a parameter, or of a
/// pair beyond its two parameters.
struct PairShare {
  int a = 0;
  int b = 0;
  double share = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %
};
struct Importance {
  std::vector<double> mains;  ///< per parameter; 0 for those with one value
  std::vector<std::optional<Interval>> main_intervals;  ///< 95 %
  std::vector<PairShare> pairs;                         ///< largest first
  std::optional<double> noise;  ///< share within equal points, of points sampled again
};

/// Omega squared (Hays 1963) of the groups of values: the share of the sum of squares beyond what
/// chance gives. An interaction is what the cells of a pair explain beyond both main effects. The
/// searches sample what they like, so that effects of parameters that moved together are counted in
/// both. Intervals are by the jackknife over the batches of the statistics, with Student's quantile
/// of one degree less than batches, kept within 0 and 1.
Importance importance_of(const SearchStatistics& search);

}  // namespace ntune
