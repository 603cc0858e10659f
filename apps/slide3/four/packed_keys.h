#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "apps/slide3/four/keys.h"

namespace ntune {

/// Ascending keys of one pattern, each as its distance from the one before in seven bits a byte,
/// without the last tile, which follows from the others. The bytes are in memory or in a mapped
/// file; copies share them.
template <int K>
class PackedSlideKeys {
 public:
  PackedSlideKeys() = default;
  /// Maps a file of `save` into memory; it must not be cut meanwhile. Throws InputError
  /// "path: reason": cannot be read, not such a file, cut short.
  static PackedSlideKeys load(const std::filesystem::path& file);
  /// Writes the file whole or not at all. Throws InputError "path: reason".
  void save(const std::filesystem::path& file) const;

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t bytes() const { return image_.size(); }
  /// Calls visit(key) for each key, ascending.
  template <class Visit>
  void for_each(const Visit& visit) const {
    SlideKey rest = 0;
    const std::uint8_t* at = image_.data() + kHeader;
    for (std::uint64_t i = 0; i < count_; ++i) {
      SlideKey gap = *at & 127U;
      for (int shift = 7; (*at++ & 128U) != 0; shift += 7) gap |= (*at & 127ULL) << shift;
      visit(with_last_digit(rest += gap));
    }
  }

 private:
  template <int>
  friend class SlideKeyPacker;
  /// A name and the number of keys.
  static constexpr std::size_t kHeader = 16;

  /// Exclusive-or of all tiles less one, and so of a key's digits.
  static constexpr SlideKey all_digits() {
    SlideKey digits = 0;
    for (SlideKey tile = 0; tile < K * K; ++tile) digits ^= tile;
    return digits;
  }
  static constexpr SlideKey with_last_digit(SlideKey rest) {
    SlideKey folded = rest ^ rest >> 32;
    folded ^= folded >> 16;
    folded ^= folded >> 8;
    folded ^= folded >> 4;
    return rest << 4 | ((folded & 15) ^ all_digits());
  }

  std::span<const std::uint8_t> image_;
  std::uint64_t count_ = 0;
  std::shared_ptr<const void> owner_;  ///< of the image: a vector or a mapped file
};

/// Packs keys that come in ascending order.
template <int K>
class SlideKeyPacker {
 public:
  SlideKeyPacker() : image_(PackedSlideKeys<K>::kHeader) {}
  void add(SlideKey key) {
    SlideKey gap = (key >> 4) - std::exchange(last_, key >> 4);
    for (; gap > 127; gap >>= 7) image_.push_back(static_cast<std::uint8_t>(gap | 128));
    image_.push_back(static_cast<std::uint8_t>(gap));
    ++count_;
  }
  /// What was added; the packer is empty afterwards.
  PackedSlideKeys<K> packed() &&;

 private:
  std::vector<std::uint8_t> image_;
  std::uint64_t count_ = 0;
  SlideKey last_ = 0;
};

}  // namespace ntune
