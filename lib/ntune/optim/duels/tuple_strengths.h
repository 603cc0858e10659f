#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/duels/draw_model.h"

namespace ntune {

/// Strengths of points as sums over tuples, learned from differences: a match credits the tuple
/// settings of one player and debits those of the other, and what both share cancels. A setting has
/// a mean and a variance. A result moves the means by their shares of the variance, and lowers the
/// variances (a Kalman filter without covariances, linear about the expected score). One match
/// costs as much as the number of tuples, however many came before it.
///
/// Tuples are single parameters, pairs (of at most kMostPaired parameters) and the whole point.
/// Ordered parameters count at once in halves, quarters, eighths, … of their range, so that
/// neighbours share; in pairs in quarters. What is inactive counts nothing. Strengths are in Elo,
/// by DrawModel. Variances before any game are fixed, in all 60 Elo squared for single parameters.
class TupleStrengths {
 public:
  static constexpr std::size_t kMostPaired = 64;

  explicit TupleStrengths(const SearchSpace& space);

  /// The settings of a point; the last one is the point itself.
  using Settings = std::vector<std::uint32_t>;
  [[nodiscard]] Settings settings(const Point& point) const;
  /// Makes room for the strength of the point itself.
  void remember(const Point& point);

  void record(const Point& first, const Point& second, const MatchResult& result);
  /// Strength of the first less that of the second in Elo, and its standard deviation.
  [[nodiscard]] Belief difference(const Settings& first, const Settings& second) const;
  /// Strength of a point, of a sum that has no zero.
  [[nodiscard]] double mean(const Settings& settings) const;
  [[nodiscard]] const DrawModel& draws() const { return draws_; }

 private:
  struct Axis {
    int parameter = 0;
    std::uint32_t values = 0;
    std::uint32_t first = 0;                 ///< of its settings
    std::vector<std::uint32_t> blocks = {};  ///< numbers of blocks, coarse to fine
    std::uint32_t paired = 0;                ///< blocks that pairs see
  };
  struct Setting {
    double mean = 0.0;
    double variance = 0.0;
  };
  static constexpr std::uint32_t kUnknownPoint = 0;  ///< of a point that has not played

  void add_settings(std::uint32_t count, double variance);

  const SearchSpace* space_;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> pairs_;  ///< first setting of each pair
  std::vector<Setting> settings_;
  std::unordered_map<Point, std::uint32_t> points_;
  DrawModel draws_;
  double counted_ = 0.0;  ///< games whose draws were counted
  double drawn_ = 0.0;
};

}  // namespace ntune
