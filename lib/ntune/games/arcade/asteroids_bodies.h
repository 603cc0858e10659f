#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ntune {

inline constexpr float kAsteroidsWidth = 640;   ///< pixels
inline constexpr float kAsteroidsHeight = 480;  ///< pixels

struct AsteroidsBody {
  float x = 0, y = 0;    ///< pixels
  float vx = 0, vy = 0;  ///< pixels a tick
  friend bool operator==(const AsteroidsBody&, const AsteroidsBody&) = default;
};

/// Four numbers at a time, in the vectors of GCC and Clang.
namespace lanes {

inline constexpr std::size_t kCount = 4;
using Floats [[gnu::vector_size(16)]] = float;
using Masks [[gnu::vector_size(16)]] = std::int32_t;

/// `from` and `to` are aligned like Floats.
inline Floats load(const float* from) {
  Floats values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
inline void store(float* to, Floats values) { std::memcpy(to, &values, sizeof values); }
inline Floats all(float x) { return Floats{x, x, x, x}; }

/// x back into [0, size], from less than `size` outside.
inline Floats wrap(Floats x, float size) {
  x += x < 0.0F ? all(size) : all(0.0F);
  return x - (x >= size ? all(size) : all(0.0F));
}

}  // namespace lanes

/// Bodies by coordinate, moved four at a time.
template <std::size_t kCapacity>
struct AsteroidsBodies {
  static_assert(kCapacity % lanes::kCount == 0);
  alignas(sizeof(lanes::Floats)) std::array<float, kCapacity> x{}, y{}, vx{}, vy{};

  [[nodiscard]] AsteroidsBody body(int i) const {
    const auto at = static_cast<std::size_t>(i);
    return {x[at], y[at], vx[at], vy[at]};
  }
  void put(int i, const AsteroidsBody& body) {
    const auto at = static_cast<std::size_t>(i);
    x[at] = body.x;
    y[at] = body.y;
    vx[at] = body.vx;
    vy[at] = body.vy;
  }
  /// Moves the first four times `fours` places by one tick.
  void move(std::size_t fours) {
    for (std::size_t i = 0; i < lanes::kCount * fours; i += lanes::kCount) {
      lanes::store(&x[i], lanes::wrap(lanes::load(&x[i]) + lanes::load(&vx[i]), kAsteroidsWidth));
      lanes::store(&y[i], lanes::wrap(lanes::load(&y[i]) + lanes::load(&vy[i]), kAsteroidsHeight));
    }
  }
  friend bool operator==(const AsteroidsBodies&, const AsteroidsBodies&) = default;
};

}  // namespace ntune
