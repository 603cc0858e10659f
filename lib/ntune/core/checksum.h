#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "ntune/core/hash.h"

namespace ntune {

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
