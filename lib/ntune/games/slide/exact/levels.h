#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/games/slide/exact/keys.h"

namespace ntune {

/// The positions of SlideK at one distance from Win, held as sorted keys, pattern by pattern; of
/// two transposed patterns one is held. With the tiles reversed they are the positions at that
/// distance from Start. So the balls around both meet where a level meets its reversal. Start and
/// Win are an even distance apart, as moves lead from one half of the patterns to the other.
template <int K>
class SlideLevels {
 public:
  /// Level 0: Win itself.
  explicit SlideLevels(Parallel& parallel);

  [[nodiscard]] int depth() const { return depth_; }
  /// Positions at distance depth() from Win.
  [[nodiscard]] std::uint64_t count() const;
  /// All positions of the level; for small levels.
  [[nodiscard]] std::vector<SlidePosition<K>> positions() const;
  /// Bytes that the keys of the last two levels take.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Replaces the level by the next one.
  void advance();

  /// A position that depth() + steps moves can reach from Win and from Start, if there is any. Else
  /// Start is at least 2 * (depth() + steps) + 2 moves from Win. Of the positions beyond depth() a
  /// few patterns are held at a time, so that steps cost time, not memory. Each takes about nine
  /// times as long as the one before; a level takes three times as long.
  [[nodiscard]] std::optional<SlidePosition<K>> meeting(int steps = 0) const;

 private:
  /// Ascending keys, each as its distance from the one before in seven bits a byte, without the
  /// last tile, which follows from the others.
  struct Keys {
    std::vector<std::uint8_t> bytes;
    std::uint64_t count = 0;
  };
  using Level = std::vector<Keys>;  // by pattern

  static Keys packed(const std::vector<SlideKey>& keys);
  static std::vector<SlideKey> unpacked(const Keys& keys);
  [[nodiscard]] const Keys& keys_of(int pattern) const {
    return level_[static_cast<std::size_t>(pattern)];
  }
  /// What `steps` moves from the last level reach in a pattern, ascending.
  [[nodiscard]] std::vector<SlideKey> reached(int pattern, int steps) const;

  Parallel& parallel_;
  std::vector<int> patterns_;
  std::vector<std::vector<SlideStep<K>>> steps_;  // by the pattern that they lead to
  int depth_ = 0;
  Level older_;
  Level level_;
};

}  // namespace ntune
