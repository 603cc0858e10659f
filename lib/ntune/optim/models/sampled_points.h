#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ntune/core/hash.h"
#include "ntune/core/statistics.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Count and sum of the payoffs that one tuple setting (or one point) has received.
struct Cell {
  double sum = 0.0;
  double deviations = 0.0;  ///< sum of their squared deviations from their mean; of points alone
  std::uint32_t count = 0;
  std::uint32_t pending = 0;  ///< evaluations in flight

  /// Mean of the payoffs; there must be one.
  [[nodiscard]] double mean() const { return sum / count; }
  /// What counts as visited in the exploration term.
  [[nodiscard]] std::uint32_t visits() const { return count + pending; }
  void add(double payoff) {
    sum += payoff;
    ++count;
  }
  /// The same, and the deviations follow.
  void add_with_deviation(double payoff);
  /// Makes one of the payoffs count as another number.
  void amend(double before, double now) { sum += now - before; }
  /// The same, and the deviations follow.
  void amend_with_deviation(double before, double now);
  /// Count, mean and variance; minimum and maximum are the mean.
  [[nodiscard]] RunningStats statistics() const;
  /// Counts one more evaluation in flight (1), or one less (-1).
  void mark(int change) { pending += static_cast<std::uint32_t>(change); }
};

/// The distinct points of a run with their statistics, in order of first sampling. A point that was
/// marked as in flight is held too, and stays, with a count of 0, should its evaluation fail.
/// Points are found by a 64-bit key that is linear in the indices: key(point) = sum of index *
/// stride mod 2^64. So a neighbour's key costs one addition per changed parameter. Up to 2^63 grid
/// points the key is the mixed-radix index, hence exact. Above, strides are random odd numbers, and
/// two points of n share a key with a probability of about n^2 / 2^65.
class SampledPoints {
 public:
  /// Reserves for `expected` distinct points (at most 65,536; grows beyond).
  SampledPoints(const SearchSpace& space, std::int64_t expected);

  [[nodiscard]] std::uint64_t stride(int parameter) const {
    return strides_[static_cast<std::size_t>(parameter)];
  }
  [[nodiscard]] std::uint64_t key(const Point& point) const {
    std::uint64_t key = 0;
    for (int i = 0; i < point.size(); ++i) key += point[i] * stride(i);
    return key;
  }

  /// Statistics of the point with this key; an empty cell if it was never sampled.
  [[nodiscard]] const Cell& find(std::uint64_t key) const {
    static constexpr Cell kEmpty{};
    const std::uint32_t rank = rank_of(key);
    return rank == 0 ? kEmpty : cells_[rank - 1];
  }

  /// Statistics of a point, empty if it was never sampled.
  [[nodiscard]] const Cell& at(const Point& point) const { return find(key(point)); }
  /// Whether the payoffs of one point have a higher mean than those of another. A point without
  /// payoffs is worse than any with.
  [[nodiscard]] bool has_higher_mean(const Point& point, const Point& other) const {
    const Cell& cell = at(point);
    const Cell& others = at(other);
    if (cell.count == 0 || others.count == 0) return cell.count > others.count;
    return cell.mean() > others.mean();
  }

  /// Rank of the point with this key in order of first sampling, from 1; 0 if never sampled.
  [[nodiscard]] std::uint32_t rank_of(std::uint64_t key) const { return finder().rank_of(key); }

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t rank = 0;
  };
  /// The table of ranks as plain values, for loops that must not read it through `this`.
  struct Finder {
    const Slot* slots;
    std::size_t mask;
    /// Where a key's search begins: by multiplication (Knuth), or in a small space at the key
    /// itself.
    std::uint64_t multiplier;
    int shift;

    [[nodiscard]] std::size_t home(std::uint64_t key) const {
      return static_cast<std::size_t>((key * multiplier) >> shift);
    }
    [[nodiscard]] std::uint32_t rank_of(std::uint64_t key) const {
      std::size_t slot = home(key);
      while (slots[slot].key != key && slots[slot].rank != 0) slot = (slot + 1) & mask;
      return slots[slot].rank;
    }
  };
  [[nodiscard]] Finder finder() const { return {slots_.data(), mask_, multiplier_, shift_}; }
  [[nodiscard]] const std::uint64_t* strides() const { return strides_.data(); }

  /// Adds a payoff and returns the rank of the point.
  std::uint32_t add(const Point& point, double payoff);
  /// Makes one of a point's payoffs count as another number, and returns the rank of the point.
  std::uint32_t amend(const Point& point, double before, double now);
  /// Forgets all payoffs, but not their points.
  void clear_payoffs();
  /// Takes a number away from every payoff. What payoffs of one point differ by is lost.
  void shift(double by);
  /// Adds a pending evaluation (1) or takes one away (-1), and returns the rank of the point.
  std::uint32_t mark(const Point& point, int change);

  /// Mean of all payoffs; 0 where there are none.
  [[nodiscard]] double mean() const {
    return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_);
  }
  /// The distinct payoffs, as long as they are at most kFewValues; else nothing.
  [[nodiscard]] std::span<const double> few_values() const {
    const bool many = values_.size() > kFewValues || other_values_ > 0;
    return many ? std::span<const double>() : values_;
  }
  static constexpr std::size_t kFewValues = 3;

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] std::size_t capacity() const { return cells_.capacity(); }
  [[nodiscard]] Point point(std::size_t index) const;
  [[nodiscard]] const Cell& cell(std::size_t index) const { return cells_[index]; }

 private:
  [[nodiscard]] std::size_t home(std::uint64_t key) const { return finder().home(key); }
  std::uint32_t hold(const Point& point);
  void resize_table(std::size_t slots);
  void note_value(double payoff);
  void forget_value(double payoff);

  std::size_t dimensions_;
  std::vector<std::uint64_t> strides_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint64_t multiplier_ = kGolden64;
  int shift_ = 0;
  bool direct_ = false;
  std::vector<Cell> cells_;
  std::vector<std::uint16_t> indices_;  ///< dimensions() per point
  std::int64_t count_ = 0;              ///< payoffs
  double sum_ = 0.0;
  std::vector<double> values_;              ///< distinct payoffs, up to one more than kFewValues
  std::vector<std::int64_t> value_counts_;  ///< payoffs of each of them
  std::int64_t other_values_ = 0;           ///< payoffs of any other value
};

/// Count, mean and variance of all payoffs; the range is that of the points' means.
RunningStats payoffs_of(const SampledPoints& points);

}  // namespace ntune
