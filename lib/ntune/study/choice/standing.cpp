#include "ntune/study/choice/standing.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ntune {

namespace {

/// Of the standard normal distribution within one standard deviation.
constexpr double kWithinOne = 0.6826894921370859;
constexpr double kMostDraws = 20'000.0;
constexpr double kFewestDraws = 1'000.0;
constexpr double kMostWork = 1e8;  ///< products of all draws

/// A symmetric matrix, then its Cholesky factor, row by row.
class PositiveMatrix {
 public:
  explicit PositiveMatrix(std::size_t size) : size_(size), values_(size * size, 0.0) {}

  double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    return values_[row * size_ + column];
  }

  /// Replaces the lower triangle by L, matrix = L L^T.
  void factorise() {
    for (std::size_t j = 0; j < size_; ++j) {
      for (std::size_t i = j; i < size_; ++i) {
        double sum = at(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
        at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
      }
    }
  }
  /// x := L^-1 x.
  void solve_lower(std::vector<double>& x) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= at(i, k) * x[k];
      x[i] /= at(i, i);
    }
  }
  /// x := L^-T x.
  void solve_upper(std::vector<double>& x) const {
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) x[i] -= at(k, i) * x[k];
      x[i] /= at(i, i);
    }
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

RunningStats all_payoffs(const MeasuredPoint& point) {
  RunningStats stats = point.alone;
  for (const StreamPayoff& one : point.common) stats.add(one.payoff);
  return stats;
}

/// Differences of two points on the streams that both have met.
RunningStats shared_differences(std::span<const StreamPayoff> a, std::span<const StreamPayoff> b) {
  RunningStats stats;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].stream < b[j].stream) {
      ++i;
    } else if (b[j].stream < a[i].stream) {
      ++j;
    } else {
      stats.add(a[i++].payoff - b[j++].payoff);
    }
  }
  return stats;
}

/// Variances of single values, pooled by degrees of freedom.
class PooledVariance {
 public:
  /// That of the sample as its confidence interval has it.
  void add(const RunningStats& sample, const std::optional<Interval>& interval) {
    if (sample.count() < 2) return;
    const auto n = static_cast<double>(sample.count());
    const double half = interval ? 0.5 * (interval->high - interval->low) : 0.0;
    sum_ += (n - 1.0) * n * half * half;
    freedom_ += n - 1.0;
  }
  [[nodiscard]] bool is_known() const { return freedom_ > 0.0; }
  [[nodiscard]] double value() const { return freedom_ > 0.0 ? sum_ / freedom_ : 0.0; }

 private:
  double sum_ = 0.0;
  double freedom_ = 0.0;
};

/// Of one payoff: of the effect of its stream, and the error beside it.
struct Variances {
  double stream = 0.0;
  double error = 0.0;
};

Variances variances_of(std::span<const MeasuredPoint> points, const PossibleValues& possible) {
  PooledVariance whole;
  std::size_t leader = 0;
  RunningStats of_leader;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RunningStats payoffs = all_payoffs(points[i]);
    whole.add(payoffs, mean_interval(payoffs, possible, kWithinOne));
    const auto rank = [](const RunningStats& stats) {
      return std::pair(stats.count(), stats.mean());
    };
    if (rank(payoffs) <= rank(of_leader)) continue;
    leader = i;
    of_leader = payoffs;
  }
  PooledVariance paired;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == leader) continue;
    const RunningStats differences = shared_differences(points[leader].common, points[i].common);
    paired.add(differences, paired_difference(differences, possible, kWithinOne).interval);
  }
  // Where streams shift all points alike, nothing but rounding is left of the error: what is below
  // this share of the whole is no measurement, and too small to be solved for.
  constexpr double kLeastShare = 1e-10;
  const double error = paired.is_known() ? std::clamp(0.5 * paired.value(),
                                                      kLeastShare * whole.value(), whole.value())
                                         : whole.value();
  return {.stream = whole.value() - error, .error = error};
}

/// Means of payoffs as a normal distribution.
class Posterior {
 public:
  Posterior(std::span<const MeasuredPoint> points, const Variances& variances)
      : points_(points), variances_(variances), precision_(points.size()), mean_(points.size()) {
    std::map<std::int64_t, std::vector<std::pair<std::size_t, double>>> streams;
    for (std::size_t i = 0; i < points.size(); ++i) {
      add_alone(i);
      for (const StreamPayoff& one : points[i].common) {
        streams[one.stream].emplace_back(i, one.payoff);
      }
    }
    for (const auto& [stream, payoffs] : streams) add_stream(payoffs);
    precision_.factorise();
    precision_.solve_lower(mean_);
    precision_.solve_upper(mean_);
  }

  void draw(Rng& rng, std::vector<double>& means) const {
    for (double& mean : means) mean = rng.normal();
    precision_.solve_upper(means);
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i] = points_[i].known.value_or(means[i] + mean_[i]);
    }
  }

 private:
  void add_alone(std::size_t point) {
    if (points_[point].known) {
      precision_.at(point, point) = 1.0;  // any: nothing depends on this mean
      return;
    }
    const RunningStats& alone = points_[point].alone;
    const double weight =
        static_cast<double>(alone.count()) / (variances_.error + variances_.stream);
    precision_.at(point, point) += weight;
    mean_[point] += weight * alone.mean();
  }

  /// The inverse of error I + stream J is (I - stream / (error + n stream) J) / error.
  void add_stream(const std::vector<std::pair<std::size_t, double>>& payoffs) {
    const double common =
        variances_.stream /
        (variances_.error + static_cast<double>(payoffs.size()) * variances_.stream);
    double sum = 0.0;
    for (const auto& [point, payoff] : payoffs) sum += payoff;
    for (const auto& [point, payoff] : payoffs) {
      mean_[point] += (payoff - common * sum) / variances_.error;
      precision_.at(point, point) += 1.0 / variances_.error;
      for (const auto& [other, unused] : payoffs) {
        precision_.at(point, other) -= common / variances_.error;
      }
    }
  }

  std::span<const MeasuredPoint> points_;
  Variances variances_;
  PositiveMatrix precision_;
  std::vector<double> mean_;
};

/// Adds a draw: the best points share its probability. Means beyond the bounds fall short by what
/// lies within them.
void count_draw(const std::vector<double>& means, const PossibleValues& bounds,
                std::vector<Standing>& standings) {
  const double best = *std::ranges::max_element(means);
  const auto within = [&](double mean) {
    if (bounds.high) mean = std::min(mean, *bounds.high);
    return bounds.low ? std::max(mean, *bounds.low) : mean;
  };
  const auto winners = static_cast<double>(std::ranges::count(means, best));
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (means[i] == best) standings[i].best_probability += 1.0 / winners;
    standings[i].regret += within(best) - within(means[i]);
  }
}

/// `bounds`: of means.
std::vector<Standing> standings_of_measured(std::span<const MeasuredPoint> points,
                                            const PossibleValues& possible,
                                            const PossibleValues& bounds, Rng rng) {
  std::vector<Standing> result(points.size());
  std::vector<double> means(points.size());
  const Variances variances = variances_of(points, possible);
  if (!(variances.error > 0.0)) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      means[i] = points[i].known.value_or(all_payoffs(points[i]).mean());
    }
    count_draw(means, bounds, result);
    return result;
  }
  const Posterior posterior(points, variances);
  const auto size = static_cast<double>(points.size());
  const auto draws =
      static_cast<int>(std::clamp(kMostWork / (size * size), kFewestDraws, kMostDraws));
  for (int i = 0; i < draws; ++i) {
    posterior.draw(rng, means);
    count_draw(means, bounds, result);
  }
  for (Standing& standing : result) {
    standing.best_probability /= draws;
    standing.regret /= draws;
  }
  return result;
}

}  // namespace

std::vector<std::optional<Standing>> standings(std::span<const MeasuredPoint> points,
                                               const PossibleValues& possible, Rng rng) {
  std::vector<std::optional<Standing>> result(points.size());
  std::vector<MeasuredPoint> measured;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool has_payoffs = !points[i].common.empty() || points[i].alone.count() > 0;
    if (!has_payoffs && !points[i].known) continue;
    measured.push_back(points[i]);
    places.push_back(i);
  }
  if (measured.empty()) return result;
  RunningStats all;
  for (const MeasuredPoint& point : measured) all.merge(all_payoffs(point));
  PossibleValues range = possible;
  if (const PossibleValues games = evident_range(all); !range.is_known() && games.is_known()) {
    range = games;
  }
  const PossibleValues bounds = {.low = range.low, .high = range.highest_mean(all.max())};
  const std::vector<Standing> found = standings_of_measured(measured, range, bounds, rng);
  for (std::size_t i = 0; i < places.size(); ++i) result[places[i]] = found[i];
  return result;
}

}  // namespace ntune
