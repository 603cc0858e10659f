#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/point_search.h"

namespace ntune {

class Options;

struct SpsaOptions {
  double perturbation = 0.2;
  double step = 0.03;
  double stability = 0.1;
  double alpha = 0.602;
  double gamma = 0.101;

  void visit(Options& options);
};

/// Simultaneous perturbation stochastic approximation (Spall 1992; the gains are those of Spall
/// 1998, which engine authors use) for ordered parameters. The iterate holds a real number for
/// every parameter, a share of its range of indices, and starts in the middle. Pair k = 0, 1, …
/// evaluates the iterate plus and minus c_k in a random direction of each parameter, rounded to
/// values at least one step apart. Then every coordinate moves by
///   a_k * (difference of the payoffs / their standard deviation so far) / distance of the values
/// with c_k = perturbation / (k + 1)^gamma and a_k = a / (k + 1 + A)^alpha, A = stability * pairs.
/// a is such that a first move over twice the perturbation is `step` for one deviation.
///
/// Unordered parameters move along their values as written. With several evaluations in flight
/// pairs start from the iterate of the moment. The answer is the mean iterate of the second half of
/// the budget (Polyak and Juditsky 1992), in the first half the iterate. The last one or two
/// evaluations are of the answer. Recommends the sampled point nearest to the answer: by the sum
/// over the parameters of distances as shares of the ranges, then by the higher mean. Without noise
/// it is the point with the highest payoff. In both cases it is one of those unlikely to fail.
///
/// Pairs that are likely to fail are drawn again. A side that fails against one that does not loses
/// by one standard deviation.
class Spsa final : public PointSearch {
 public:
  Spsa(const SpsaOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override { return {.point = next(rng)}; }
  /// It starts at the best of the points adopted before the first ask, with the budget that is
  /// left.
  void adopt(const Point& point, Rng& rng) override;
  using PointSearch::tell;
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] Recommendation recommend() const override;

  /// The iterate, a share of the range of indices for every parameter.
  [[nodiscard]] const std::vector<double>& iterate() const { return iterate_; }

 private:
  struct Pair {
    std::int64_t first = 0;  ///< number of asks before it
    std::array<Point, 2> sides = {};
    std::array<RunningStats, 2> payoffs = {};
    std::array<bool, 2> failed = {};
    bool moves = true;  ///< false: not both sides are where they should be
  };

  Point next(Rng& rng);
  [[nodiscard]] std::vector<double> answer() const;
  [[nodiscard]] double distance(const Point& point, const std::vector<double>& shares) const;
  [[nodiscard]] bool accepts(const Pair& pair, Rng& rng) const;
  [[nodiscard]] Point rounded(const std::vector<double>& shares) const;
  void start_at_best();
  Pair make_pair(Rng& rng) const;
  /// Calls visit(pair, side) for what was returned last, if it is of a pair that has not moved.
  template <class Visit>
  void at_returned(const Visit& visit);
  void close_pairs();
  [[nodiscard]] double difference(const Pair& pair) const;
  void move(const Pair& pair);

  SpsaOptions options_;
  std::int64_t budget_;
  std::vector<double> iterate_;
  std::vector<double> sums_;  ///< sum of the iterates in the second half of the budget
  double summed_ = 0.0;       ///< number of iterates in sums_
  std::vector<Pair> pairs_;   ///< those that have not moved the iterate yet, as they were asked for
};

}  // namespace ntune
