#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "apps/slide3/four/keys.h"
#include "apps/slide3/four/packed_keys.h"
#include "ntune/core/parallel.h"

namespace ntune {

/// The positions of SlideK at one distance from Win, held as sorted keys, pattern by pattern; of
/// two transposed patterns one is held. With the tiles reversed they are the positions at that
/// distance from Start. So the balls around both meet where a level meets its reversal. Start and
/// Win are an even distance apart, as moves lead from one half of the patterns to the other.
template <int K>
class SlideLevels {
 public:
  /// Level 0: Win itself. With a folder the last two levels are kept there, a file for each pattern
  /// and level, and mapped into memory. A run that was broken off goes on: from the last whole
  /// level, without the patterns that it had done. Throws InputError "path: reason".
  explicit SlideLevels(Parallel& parallel, std::filesystem::path folder = {});

  [[nodiscard]] int depth() const { return depth_; }
  /// Positions at distance depth() from Win.
  [[nodiscard]] std::uint64_t count() const;
  /// All positions of the level; for small levels.
  [[nodiscard]] std::vector<SlidePosition<K>> positions() const;
  /// Bytes that the keys of the last two levels take, in memory or in the folder.
  [[nodiscard]] std::uint64_t bytes() const;

  /// Replaces the level by the next one. Throws InputError if the folder cannot be written.
  void advance();

  /// A position that depth() + steps moves can reach from Win and from Start, if there is any. Else
  /// Start is at least 2 * (depth() + steps) + 2 moves from Win, provided that no level before has
  /// such a position. Those beyond depth() are made pattern by pattern and not kept: a step takes
  /// up to a byte a move. Each step beyond the first takes some nine times as long as the one
  /// before; a level takes three times as long.
  [[nodiscard]] std::optional<SlidePosition<K>> meeting(int steps = 0) const;

 private:
  using Keys = PackedSlideKeys<K>;
  using Level = std::vector<Keys>;  // by pattern
  /// What leads to a pattern, and from which positions.
  struct Source {
    const SlideStep<K>* step;
    Keys keys;
  };

  [[nodiscard]] std::vector<Source> sources(int pattern, int steps) const;
  /// What `steps` >= 1 moves from the last level reach in a pattern, ascending.
  [[nodiscard]] std::vector<SlideKey> reached(int pattern, int steps) const;
  [[nodiscard]] Keys next_keys(int pattern) const;
  [[nodiscard]] std::optional<SlideKey> reversed_pair(int pattern, int steps) const;

  [[nodiscard]] std::filesystem::path level_folder(int depth) const;
  [[nodiscard]] Level load(int depth) const;

  Parallel& parallel_;
  std::filesystem::path folder_;
  std::vector<int> patterns_;
  std::vector<std::vector<SlideStep<K>>> steps_;  // by the pattern that they lead to
  int depth_ = 0;
  Level older_;
  Level level_;
};

}  // namespace ntune
