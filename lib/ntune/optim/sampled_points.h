#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// Count, sum and sum of squares of the payoffs that one tuple setting (or one point) has received.
struct Cell {
  double sum = 0.0;
  double sum_squares = 0.0;
  std::uint32_t count = 0;

  void add(double payoff) {
    sum += payoff;
    sum_squares += payoff * payoff;
    ++count;
  }
};

/// The distinct points of a run with their statistics, in order of first sampling. Found by a
/// 64-bit key that is linear in the indices, so that a neighbour's key costs one addition per
/// changed parameter: key(point) = sum of index * stride mod 2^64. Up to 2^63 grid points the key is
/// the mixed-radix index, hence exact; above, strides are random odd numbers and two points of n
/// share a key with a probability of about n^2 / 2^65.
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
    for (std::size_t slot = home(key);; slot = (slot + 1) & mask_) {
      const Slot& candidate = slots_[slot];
      if (candidate.index < 0) return kEmpty;
      if (candidate.key == key) return cells_[static_cast<std::size_t>(candidate.index)];
    }
  }

  void add(const Point& point, double payoff);

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] Point point(std::size_t index) const;
  [[nodiscard]] const Cell& cell(std::size_t index) const { return cells_[index]; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t index = -1;
  };

  [[nodiscard]] std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);
  }
  void rehash(std::size_t slots);

  std::size_t dimensions_;
  std::vector<std::uint64_t> strides_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  int shift_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint16_t> indices_;  ///< dimensions() per point
};

}  // namespace ntune
