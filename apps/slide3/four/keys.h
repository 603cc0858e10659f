#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/games/slide/position.h"

namespace ntune {

/// The tiles of a SlideK position row by row, less one, in four bits each, the last one lowest.
/// Sliding a row leaves the key as it was; sliding a column rearranges it in a way that depends on
/// the pattern alone.
using SlideKey = std::uint64_t;

template <int K>
SlideKey slide_key(const SlidePosition<K>& position);
template <int K>
SlidePosition<K> slide_key_position(int pattern, SlideKey key);

/// Tile t becomes K * K + 1 - t, which takes Win to Start; the order of keys is reversed.
template <int K>
constexpr SlideKey reverse_tiles(SlideKey key) {
  SlideKey last = 0;
  for (int i = 0; i < K * K; ++i) last = last << 4 | static_cast<SlideKey>(K * K - 1);
  return last - key;
}

/// The board mirrored at its main diagonal, with the tiles renamed in the same way. That leaves Win
/// and Start as they were and takes moves to moves.
template <int K>
int transposed_pattern(int pattern);
template <int K>
SlidePosition<K> transposed(const SlidePosition<K>& position);

/// Leads from the keys of one pattern to those of another: by a move, or by a transposition and a
/// move.
template <int K>
class SlideStep {
 public:
  /// Slides `line` in every position of pattern `from`, which is transposed first if `transpose`.
  SlideStep(int from, bool transpose, int line);

  [[nodiscard]] int from() const { return from_; }
  [[nodiscard]] SlideKey operator()(SlideKey key) const {
    SlideKey moved = 0;
    for (int i = 0; i < count_; ++i) {
      const Term& term = terms_[static_cast<std::size_t>(i)];
      moved |= std::rotl(key & term.mask, term.rotation);
    }
    return transpose_ ? renamed(moved) : moved;
  }

 private:
  struct Term {
    SlideKey mask = 0;
    int rotation = 0;
  };

  /// Tile (row, column) becomes tile (column, row).
  static SlideKey renamed(SlideKey key) {
    if constexpr (K == 4) {
      constexpr SlideKey kColumns = 0x3333333333333333;
      return (key & kColumns) << 2 | (key >> 2 & kColumns);
    } else {
      SlideKey result = 0;
      for (int i = 0; i < K * K; ++i) {
        const SlideKey tile = key >> (4 * i) & 15;
        result |= (tile % K * K + tile / K) << (4 * i);
      }
      return result;
    }
  }

  int from_;
  bool transpose_;
  int count_ = 0;
  std::array<Term, 16> terms_{};
};

/// One pattern of each pair of transposed patterns: the smaller one.
template <int K>
std::vector<int> slide_pattern_classes();

/// All steps to a pattern from patterns of `slide_pattern_classes`.
template <int K>
std::vector<SlideStep<K>> slide_steps_to(int pattern);

}  // namespace ntune
