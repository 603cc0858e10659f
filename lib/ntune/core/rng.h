#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "ntune/core/hash.h"

namespace ntune {

/// Name of a random stream, hashed (FNV-1a, 64 bits), at compile time for a literal.
struct Purpose {
  constexpr Purpose(const char* name) : Purpose(std::string_view(name)) {}
  constexpr Purpose(std::string_view name) {
    for (const char c : name) hash = fnv_step(hash, static_cast<unsigned char>(c));
  }
  std::uint64_t hash = kFnvBegin;
};

/// Splittable random generator: xoshiro256++ (Blackman and Vigna 2021) behind a 64-bit key.
/// `stream(purpose, index...)` depends on the key alone: a stream is the same on any thread,
/// whatever has been drawn from its parent or its siblings before.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Rng(std::uint64_t seed) : Rng(mix64(seed + kGolden64), Key()) {}

  /// A stream's key, from which another process makes the same stream.
  [[nodiscard]] constexpr std::uint64_t key() const { return key_; }
  static constexpr Rng with_key(std::uint64_t key) { return Rng(key, Key()); }

  /// How far the stream has been drawn from: with the key, it determines all further numbers. It is
  /// never all zeros.
  using State = std::array<std::uint64_t, 4>;
  [[nodiscard]] constexpr const State& state() const { return state_; }
  constexpr void set_state(const State& state) { state_ = state; }

  /// The child stream of this name. Equal names give equal streams; all others are independent.
  template <std::convertible_to<std::uint64_t>... Index>
  [[nodiscard]] constexpr Rng stream(Purpose purpose, Index... index) const {
    std::uint64_t key = mix64(key_ ^ purpose.hash);
    ((key = mix64(key + (static_cast<std::uint64_t>(index) + 1) * kGolden64)), ...);
    return Rng(key);
  }

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  /// 64 uniform bits.
  constexpr std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform integer in [0, n), exact (Lemire 2019); n >= 1.
  constexpr std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = ((*this)() >> 32) * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t threshold = (0U - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = ((*this)() >> 32) * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform real in [0, 1), 53 bits.
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// True with probability p.
  constexpr bool bernoulli(double p) { return uniform() < p; }

  /// Standard normal deviate (Box and Muller, one of the pair).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  struct Key {};
  constexpr Rng(std::uint64_t key, Key) : key_(key) {
    std::uint64_t counter = key_;
    for (auto& word : state_) word = mix64(counter += kGolden64);
  }

  std::uint64_t key_;
  State state_{};
};

}  // namespace ntune
