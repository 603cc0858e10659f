#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ntune {

/// Temperatures and values within a search are whole numbers of units of 2^-16.
inline constexpr int kTdsBits = 16;
inline constexpr int kTdsOne = 1 << kTdsBits;
/// Larger than all values.
inline constexpr int kTdsInfinity = (1 << 23) - 1;

/// The interval that a value is known to lie in.
struct TdsBounds {
  int lower = -kTdsInfinity;
  int upper = kTdsInfinity;
};

/// A hash table of bounds in entries of 16 bytes. The hash of a position chooses a line of the
/// processor's cache with four entries, so that all entries of a position are found at once. Of
/// four the entry with the fewest moves left gives way.
class TdsTable {
 public:
  enum Kind : std::uint64_t { kLeft = 1, kRight = 2, kOther = 3 };
  static constexpr int kNoMove = 0xfff;
  static constexpr int kMostWeight = 15;

  class Entry {
   public:
    [[nodiscard]] bool is_empty() const { return tag_ == 0; }
    [[nodiscard]] bool is_of(std::uint64_t hash) const {
      return tag_ >> kHashShift == hash >> kHashShift && tag_ != 0;
    }
    [[nodiscard]] Kind kind() const { return static_cast<Kind>(tag_ & 3); }
    /// -1 for what has no temperature.
    [[nodiscard]] int temperature() const {
      return static_cast<int>(tag_ >> 2 & kTemperatureMask) - kTdsOne;
    }
    [[nodiscard]] TdsBounds bounds() const {
      return {static_cast<int>(data_ >> 40) - kOffset,
              static_cast<int>(data_ >> 16 & kValueMask) - kOffset};
    }
    /// The number of a move; kNoMove: none.
    [[nodiscard]] int move() const { return static_cast<int>(data_ >> 4 & 0xfff); }

   private:
    friend class TdsTable;
    [[nodiscard]] int weight() const { return static_cast<int>(data_ & 0xf); }
    void set(TdsBounds bounds, int move, int weight) {
      data_ = static_cast<std::uint64_t>(bounds.lower + kOffset) << 40 |
              static_cast<std::uint64_t>(bounds.upper + kOffset) << 16 |
              static_cast<std::uint64_t>(move) << 4 | static_cast<std::uint64_t>(weight);
    }

    static constexpr int kHashShift = 24;
    static constexpr std::uint64_t kTemperatureMask = (1U << 22) - 1;
    static constexpr std::uint64_t kValueMask = (1U << 24) - 1;
    static constexpr int kOffset = kTdsInfinity;

    std::uint64_t tag_ = 0;   ///< hash 40 bits, temperature 22, kind 2
    std::uint64_t data_ = 0;  ///< lower 24 bits, upper 24, move 12, weight 4
  };
  static_assert(sizeof(Entry) == 16);
  using Bucket = std::array<Entry, 4>;

  explicit TdsTable(int megabytes)
      : lines_(std::bit_floor(static_cast<std::size_t>(megabytes) << 20) / sizeof(Line)),
        mask_(lines_.size() - 1) {}

  void clear() { std::fill(lines_.begin(), lines_.end(), Line()); }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&lines_[hash & mask_]); }
  [[nodiscard]] const Bucket& bucket(std::uint64_t hash) const {
    return lines_[hash & mask_].entries;
  }
  /// The entry, or null if there is none.
  [[nodiscard]] const Entry* find(std::uint64_t hash, Kind kind, int temperature) const {
    const std::uint64_t tag = tag_of(hash, kind, temperature);
    for (const Entry& entry : bucket(hash)) {
      if (entry.tag_ == tag) return &entry;
    }
    return nullptr;
  }
  /// Narrows the bounds of an entry, or makes a new one; kNoMove keeps the move that is stored.
  void improve(std::uint64_t hash, Kind kind, int temperature, TdsBounds bounds, int move,
               int moves_left) {
    const std::uint64_t tag = tag_of(hash, kind, temperature);
    Bucket& bucket = lines_[hash & mask_].entries;
    Entry* entry = &bucket[0];
    for (Entry& candidate : bucket) {
      if (candidate.tag_ == tag) {
        const TdsBounds known = candidate.bounds();
        candidate.set({std::max(known.lower, bounds.lower), std::min(known.upper, bounds.upper)},
                      move == kNoMove ? candidate.move() : move, candidate.weight());
        return;
      }
      if (worth(candidate, hash) < worth(*entry, hash)) entry = &candidate;
    }
    entry->tag_ = tag;
    entry->set(bounds, move, std::min(moves_left, kMostWeight));
  }

 private:
  struct alignas(64) Line {
    Bucket entries;
  };

  static std::uint64_t tag_of(std::uint64_t hash, Kind kind, int temperature) {
    assert(temperature >= -kTdsOne && temperature < 63 * kTdsOne);
    return hash >> Entry::kHashShift << Entry::kHashShift |
           static_cast<std::uint64_t>(temperature + kTdsOne) << 2 | kind;
  }
  /// A mean outlasts walls, the most if it is the position's own.
  static int worth(const Entry& entry, std::uint64_t hash) {
    if (entry.is_empty()) return -1;
    const bool is_mean = entry.kind() == kOther;
    return entry.weight() * 2 + (is_mean ? (entry.is_of(hash) ? 100 : 1) : 0);
  }

  std::vector<Line> lines_;
  std::size_t mask_;
};

}  // namespace ntune
