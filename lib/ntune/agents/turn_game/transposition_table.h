#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ntune {

/// What a stored value says about the true one.
enum class ValueBound : std::uint8_t { kEmpty, kExact, kLower, kUpper };

/// A hash table of values of positions with a fixed number of places, a power of two. The low bits
/// of the key choose the place. The newer entry replaces the older one, whatever their depths: with
/// the exact depths that a fixed-depth search asks for, keeping deep entries measured no better.
template <class Score>
class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    Score value = {};
    std::int16_t depth = 0;  ///< plies that the value looked ahead
    ValueBound bound = ValueBound::kEmpty;
    std::uint8_t move = 0;  ///< index of the best successor, or of the one that cut off
  };

  /// 2^bits places; bits from 0 to 30.
  explicit TranspositionTable(int bits)
      : entries_(std::size_t{1} << bits), mask_(entries_.size() - 1) {
    assert(bits >= 0 && bits <= 30);
  }

  /// The entry of a key, or nullptr.
  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    const Entry& entry = entries_[key & mask_];
    return entry.key == key && entry.bound != ValueBound::kEmpty ? &entry : nullptr;
  }
  void store(const Entry& entry) { entries_[entry.key & mask_] = entry; }
  void clear() { std::fill(entries_.begin(), entries_.end(), Entry()); }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Entry> entries_;
  std::size_t mask_;
};

}  // namespace ntune
