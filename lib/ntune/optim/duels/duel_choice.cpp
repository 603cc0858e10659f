#include "ntune/optim/duels/duel_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "ntune/core/normal.h"
#include "ntune/space/parameter.h"

namespace ntune {

namespace {

using Pair = std::pair<Point, Point>;

/// Returns the expected improvement on 0 of a normal variable X (Jones, Schonlau and Welch 1998,
/// equation 15). It is E max(X, 0) = sd phi(z) + mean Phi(z), with z = mean / sd.
double expected_improvement(double mean, double variance) {
  if (variance <= 0.0) return std::max(mean, 0.0);
  const double sd = std::sqrt(variance);
  const double z = mean / sd;
  constexpr double kFar = 8.0;
  if (z < -kFar) return 0.0;
  if (z > kFar) return mean;
  return sd * normal_density(z) + mean * normal_below(z);
}

/// Makes one choice of duels. It draws targets and candidate duels, gets the joint belief of their
/// differences, and takes the duels that are worth most.
class DuelChoice {
 public:
  DuelChoice(const DuelProcess& process, const DuelTask& task, Rng& rng)
      : process_(process),
        task_(task),
        rng_(rng),
        space_(process.kernel().space()),
        axes_(process.kernel().all_axes()) {}

  std::vector<Pair> choose() {
    if (axes_.empty()) return {};
    draw_targets();
    draw_duels();
    if (duels_.empty()) return {};
    believe();
    return select();
  }

 private:
  using Axis = StrengthKernel::Axis;
  static constexpr int kDuels = 150;    ///< candidates
  static constexpr int kTargets = 120;  ///< points that may replace the incumbent

  /// Another value of an axis, at most `width` of the range away where it is ordered.
  std::uint16_t other_value(const Axis& axis, std::uint16_t value, double width) {
    const int values = axis.values;
    if (!axis.ordered || width >= 1.0) {
      auto other = static_cast<std::uint16_t>(rng_.below(static_cast<std::uint32_t>(values - 1)));
      if (other >= value) ++other;
      return other;
    }
    const int most = std::max(1, static_cast<int>(std::lround(width * (values - 1))));
    const int step = 1 + static_cast<int>(rng_.below(static_cast<std::uint32_t>(most)));
    const bool up = rng_.below(2) == 1;
    int other = value + (up ? step : -step);
    // A step beyond an end is taken to the other side, where it may still have to be cut.
    if (other < 0 || other >= values) other = value - (up ? step : -step);
    return static_cast<std::uint16_t>(std::clamp(other, 0, values - 1));
  }

  /// Returns the point with its inactive parameters settled, or `before` if it may not be asked
  /// for.
  Point settled(Point point, const Point& before) {
    space_.settle(point, before, rng_);
    return space_.is_allowed(point) && is_usable(point) ? point : before;
  }
  [[nodiscard]] bool is_usable(const Point& point) const {
    return !task_.usable || task_.usable(point);
  }

  /// Changes one random axis in any case and each other one with probability `rate`. Of axes
  /// without an order about one changes, as there is no small step along them.
  Point mutant(const Point& parent, double rate, double width) {
    Point point = parent;
    const double few = 1.0 / static_cast<double>(axes_.size());
    const std::uint32_t chosen = rng_.below(static_cast<std::uint32_t>(axes_.size()));
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const double chance = axes_[a].ordered || width >= 1.0 ? rate : std::min(rate, few);
      if (a != chosen && rng_.uniform() >= chance) continue;
      std::uint16_t& value = point[axes_[a].parameter];
      value = other_value(axes_[a], value, width);
    }
    return settled(point, parent);
  }

  /// Returns a point that might replace the incumbent. One axis is changed (30 %), about two are
  /// changed anywhere (30 %), all are changed a little (30 %), or it is any point (10 %).
  Point target(const Point& parent) {
    // A width of 1 or more means the whole range.
    constexpr double kAnywhere = 2.0;
    const double kind = rng_.uniform();
    if (kind < 0.3) return mutant(parent, 0.0, rng_.uniform());
    if (kind < 0.6) return mutant(parent, 1.0 / static_cast<double>(axes_.size()), kAnywhere);
    if (kind < 0.9) return mutant(parent, 1.0, 0.05 + 0.4 * rng_.uniform());
    const Point anywhere = space_.sample(rng_);
    return is_usable(anywhere) ? anywhere : parent;
  }

  /// Returns the point at this share of the way from the reference (0) to the incumbent (1). Above
  /// 1 it lies beyond the incumbent. Values without an order switch halfway.
  Point on_way(double share) {
    Point point = task_.incumbent;
    for (const Axis& axis : axes_) {
      const double from = place_of(space_[axis.parameter], task_.reference[axis.parameter]);
      const int to = task_.incumbent[axis.parameter];
      if (!axis.ordered) {
        if (share < 0.5) point[axis.parameter] = task_.reference[axis.parameter];
        continue;
      }
      const auto value = static_cast<int>(std::lround(from + share * (to - from)));
      point[axis.parameter] = static_cast<std::uint16_t>(std::clamp(value, 0, axis.values - 1));
    }
    return settled(point, task_.incumbent);
  }

  /// Draws points on the way from reference to incumbent, then mutants of the incumbent, which make
  /// about half. The rest are the best by mean of many mutants of strong points.
  void draw_targets() {
    constexpr int kCandidates = 3;  // for each of the best
    constexpr std::size_t kParents = 4;
    const std::size_t wanted = kTargets;
    for (const double share : {0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5}) add_target(on_way(share));
    add_target(task_.reference);
    ways_ = targets_.size();
    for (std::size_t i = 0; i < wanted / 2; ++i) add_target(target(task_.incumbent));
    if (!process_.duels().empty()) {
      // Three mutants are rated for each target wanted, and the best rated fill the other half.
      std::vector<Point> parents = process_.strongest(kParents);
      parents.push_back(task_.incumbent);
      std::erase_if(parents, [&](const Point& point) {
        return !space_.is_allowed(point) || !is_usable(point);
      });
      // Where none of them is usable, the incumbent is still a place to begin.
      if (parents.empty()) parents.push_back(task_.incumbent);
      std::vector<std::pair<double, Point>> rated;
      for (int i = 0; i < kCandidates * kTargets; ++i) {
        const Point& parent = parents[rng_.below(static_cast<std::uint32_t>(parents.size()))];
        const Point point = target(parent);
        rated.emplace_back(-process_.mean(point), point);
      }
      std::ranges::sort(rated);
      for (const auto& [rating, point] : rated) {
        if (targets_.size() >= wanted) break;
        add_target(point);
      }
    }
    // Small spaces have fewer points than targets wanted, so the attempts are limited.
    while (targets_.size() < wanted && attempts_ < 4 * wanted) add_target(target(task_.incumbent));
  }

  void add_target(const Point& point) {
    ++attempts_;
    if (point == task_.incumbent || std::ranges::find(targets_, point) != targets_.end()) return;
    targets_.push_back(point);
  }

  /// Two points on opposite sides of the incumbent; along axes without an order two values, one of
  /// which may be its own.
  Pair opposites() {
    // In 70 % of draws all axes move, as in SPSA; else a random share of them does, on average
    // half.
    constexpr double kAll = 0.7;
    const double rate = rng_.uniform() < kAll
                            ? 1.0
                            : std::max(1.0 / static_cast<double>(axes_.size()), rng_.uniform());
    // Each player is 15 to 50 % of the range away from the incumbent.
    const double distance = 0.15 + 0.35 * rng_.uniform();
    const std::uint32_t chosen = rng_.below(static_cast<std::uint32_t>(axes_.size()));
    Pair pair{task_.incumbent, task_.incumbent};
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (a != chosen && rng_.uniform() >= rate) continue;
      const Axis& axis = axes_[a];
      const int value = task_.incumbent[axis.parameter];
      int one = 0;
      int other = 0;
      if (axis.ordered) {
        const int step = std::max(1, static_cast<int>(std::lround(distance * (axis.values - 1))));
        one = std::clamp(value + step, 0, axis.values - 1);
        other = std::clamp(value - step, 0, axis.values - 1);
      } else {
        const auto values = static_cast<std::uint32_t>(axis.values);
        // Half of the pairs compare a random value with the incumbent's own, the others two random
        // values.
        one = static_cast<int>(rng_.below(values));
        other = rng_.below(2) == 0 ? value : static_cast<int>(rng_.below(values));
      }
      if (rng_.below(2) == 0) std::swap(one, other);
      pair.first[axis.parameter] = static_cast<std::uint16_t>(one);
      pair.second[axis.parameter] = static_cast<std::uint16_t>(other);
    }
    return {settled(pair.first, task_.incumbent), settled(pair.second, task_.incumbent)};
  }

  /// Draws the candidate duels: 70 % are opposite sides, 20 % target and incumbent, and 10 % two
  /// targets.
  void draw_duels() {
    const auto add = [this](const Pair& pair) {
      if (pair.first != pair.second) duels_.push_back(pair);
    };
    const auto any_target = [this] {
      return targets_[rng_.below(static_cast<std::uint32_t>(targets_.size()))];
    };
    const bool with_targets = !targets_.empty();
    constexpr int kTenth = 10;
    for (int i = 0; i < kDuels; ++i) {
      const int kind = i % kTenth;
      if (!with_targets || kind < 7) {
        add(opposites());
      } else {
        const Point point = any_target();
        add({point, kind == 9 ? any_target() : task_.incumbent});
      }
    }
    if (!with_targets) return;
    // Points between reference and incumbent always have a candidate duel.
    for (std::size_t i = 0; i < std::min(ways_, targets_.size()); ++i) {
      add({targets_[i], task_.incumbent});
    }
  }

  /// The differences of all duels, then those of the targets and the incumbent.
  void believe() {
    StrengthPoints points(axes_.size());
    std::unordered_map<Point, std::size_t> places;
    const auto row_of = [&](const Point& point) {
      const auto [found, is_new] = places.emplace(point, points.size());
      if (is_new) process_.kernel().append(points, point);
      return found->second;
    };
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const Pair& duel : duels_) {
      const std::size_t first = row_of(duel.first);
      pairs.emplace_back(first, row_of(duel.second));
    }
    for (const Point& point : targets_) {
      const std::size_t first = row_of(point);
      pairs.emplace_back(first, row_of(task_.incumbent));
    }
    belief_ = process_.believe(points, pairs);
  }

  /// Returns the variance with which the games of this duel measure its difference, in squared
  /// strength. It is dispersion / (games * variance of a game).
  [[nodiscard]] double noise(Eigen::Index duel) const {
    return process_.dispersion() /
           (task_.games * std::max(1e-9, process_.draws().variance(belief_.means[duel])));
  }

  /// Returns what a duel is worth. Its matches count as if they were played four times, so that
  /// what needs more matches than one plan has is worth something too.
  [[nodiscard]] double worth(Eigen::Index duel) const {
    constexpr double kRepeats = 4.0;
    const double all = belief_.covariance(duel, duel) + noise(duel) / kRepeats;
    const auto first = static_cast<Eigen::Index>(duels_.size());
    double gain = 0.0;
    for (Eigen::Index t = first; t < belief_.means.size(); ++t) {
      // Seeing the duel lowers the variance of target t by cov(t, duel)^2 / (variance + noise). The
      // lower expected improvement is what is gained.
      const double before = belief_.covariance(t, t);
      const double shared = belief_.covariance(t, duel);
      const double taken = std::min(before, shared * shared / all);
      const double mean = belief_.means[t];
      gain += expected_improvement(mean, before) - expected_improvement(mean, before - taken);
    }
    return gain;
  }

  /// Returns the square of the chance that neither player makes the match fail, 1 before any
  /// failure.
  [[nodiscard]] double chance(const Pair& duel) const {
    if (!task_.success) return 1.0;
    const double success = task_.success(duel.first) * task_.success(duel.second);
    return success * success;
  }

  /// Chooses greedily: the best duel, then the next one given that the first was played. A duel may
  /// be chosen again.
  std::vector<Pair> select() {
    std::vector<Pair> chosen;
    const auto count = static_cast<Eigen::Index>(duels_.size());
    Eigen::VectorXd chances(count);
    for (Eigen::Index duel = 0; duel < count; ++duel) {
      chances[duel] = chance(duels_[static_cast<std::size_t>(duel)]);
    }
    Eigen::VectorXd worths(count);
    while (chosen.size() < task_.wanted) {
      for (Eigen::Index duel = 0; duel < count; ++duel) worths[duel] = worth(duel);
      // Chances scale what exceeds the least worth.
      const double least = task_.success ? worths.minCoeff() : 0.0;
      const Eigen::VectorXd promises = chances.array() * (worths.array() - least);
      const auto best = std::max_element(promises.begin(), promises.end()) - promises.begin();
      chosen.push_back(duels_[static_cast<std::size_t>(best)]);
      if (chosen.size() == task_.wanted) break;
      // Covariances are now those after this duel, which do not depend on its result; the means
      // stay. Rounding may make a variance negative.
      const Eigen::VectorXd column = belief_.covariance.col(best);
      belief_.covariance -=
          column * column.transpose() / (belief_.covariance(best, best) + noise(best));
      belief_.covariance.diagonal() = belief_.covariance.diagonal().cwiseMax(0.0);
    }
    return chosen;
  }

  const DuelProcess& process_;
  const DuelTask& task_;
  Rng& rng_;
  const SearchSpace& space_;
  const std::vector<StrengthKernel::Axis>& axes_;
  std::vector<Point> targets_;
  std::size_t ways_ = 0;  ///< targets between reference and incumbent, the first ones
  std::size_t attempts_ = 0;
  std::vector<Pair> duels_;
  StrengthBelief belief_;
};

}  // namespace

std::vector<std::pair<Point, Point>> choose_duels(const DuelProcess& process, const DuelTask& task,
                                                  Rng& rng) {
  return DuelChoice(process, task, rng).choose();
}

}  // namespace ntune
