#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "apps/slide3/four/keys.h"
#include "ntune/core/hash.h"

namespace ntune {

/// Pairs of bits, chosen by the hash value of a key.
class KeyBits {
 public:
  /// At least `pairs` pairs, a quarter as many bytes; all zero.
  explicit KeyBits(std::uint64_t pairs)
      : width_(static_cast<int>(std::bit_width(std::max<std::uint64_t>(pairs, 64) - 1))),
        words_((std::size_t{2} << width_) / 64) {}

  /// The number of the first or second bit of a key; the other one is `bit ^ 1`.
  [[nodiscard]] std::uint64_t bit(SlideKey key, bool second) const {
    return 2 * ((key * kGolden64) >> (64 - width_)) + (second ? 1 : 0);
  }
  [[nodiscard]] bool holds(std::uint64_t bit) const {
    return (words_[bit / 64] >> bit % 64 & 1) != 0;
  }
  void set(std::uint64_t bit) { words_[bit / 64] |= std::uint64_t{1} << bit % 64; }
  void prefetch(std::uint64_t bit) const { __builtin_prefetch(&words_[bit / 64], 1); }

 private:
  int width_;
  std::vector<std::uint64_t> words_;
};

/// A key whose reversal is among the keys too, if there is any. `for_each(visit)` calls visit(key)
/// for all `count` keys, in any order; a key may come more than once. It is called twice. The first
/// pass marks keys by hash, and notes those whose reversal may have come before. The second one
/// looks the reversals up. Memory: up to a byte a key; sorting would take eight and more time.
template <int K, class ForEach>
std::optional<SlideKey> find_reversed_pair(std::uint64_t count, const ForEach& for_each) {
  struct Seen {
    SlideKey key;
    std::uint64_t bit;
  };
  std::array<Seen, 64> batch;
  std::size_t size = 0;
  KeyBits bits(2 * count);
  std::vector<SlideKey> wanted;
  const auto mark = [&] {
    for (std::size_t i = 0; i < size; ++i) {
      if (bits.holds(batch[i].bit ^ 1)) wanted.push_back(reverse_tiles<K>(batch[i].key));
      bits.set(batch[i].bit);
    }
    size = 0;
  };
  for_each([&](SlideKey key) {
    const SlideKey reversed = reverse_tiles<K>(key);
    const std::uint64_t bit = bits.bit(std::min(key, reversed), key > reversed);
    bits.prefetch(bit);
    batch[size++] = {key, bit};
    if (size == batch.size()) mark();
  });
  mark();
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty()) return std::nullopt;

  std::optional<SlideKey> found;
  KeyBits wanted_bits(16 * wanted.size());
  for (const SlideKey key : wanted) wanted_bits.set(wanted_bits.bit(key, false));
  for_each([&](SlideKey key) {
    if (wanted_bits.holds(wanted_bits.bit(key, false)) && std::ranges::binary_search(wanted, key)) {
      found = key;
    }
  });
  return found;
}

}  // namespace ntune
