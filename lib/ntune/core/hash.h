#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ntune {

/// 2^64 divided by the golden ratio, made odd: the multiplier of Fibonacci hashing (Knuth, The Art
/// of Computer Programming 3, section 6.4).
inline constexpr std::uint64_t kGolden64 = 0x9e3779b97f4a7c15ULL;

/// A bijection of 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood 2014; Stafford's
/// variant 13).
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// Fibonacci hashing: a slot from 0 to 2^bits - 1 for a key, bits from 1 to 64.
constexpr std::uint64_t golden_slot(std::uint64_t key, int bits) {
  return key * kGolden64 >> (64 - bits);
}

/// The hash FNV-1a of 64 bits begins with this number.
inline constexpr std::uint64_t kFnvBegin = 0xcbf29ce484222325ULL;

/// The hash FNV-1a after one more value.
constexpr std::uint64_t fnv_step(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3ULL;
}

/// A hash of 64 bits of a multiple of 32 bytes, in the byte order of the machine. Any change within
/// one word of 8 bytes changes it. For every step is a bijection of the lane for a given word, and
/// of the word for a given lane. Four independent lanes let the processor overlap their steps.
inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  constexpr int kTurn = 29;
  std::array<std::uint64_t, 4> lanes = {1, 2, 3, 4};
  assert(bytes.size() % sizeof(lanes) == 0);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(lanes)) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + i, sizeof(words));
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      lanes[l] = std::rotl((lanes[l] ^ words[l]) * kGolden64, kTurn);
    }
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = mix64(sum ^ lane);
  return sum;
}

}  // namespace ntune
