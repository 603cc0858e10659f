#pragma once

#include <cstdint>

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

}  // namespace ntune
