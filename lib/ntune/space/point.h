#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "ntune/core/hash.h"

namespace ntune {

/// Most parameters of a space, and most values of one parameter.
inline constexpr int kMaxDimensions = 64;
inline constexpr int kMaxValues = 65'535;

/// One setting: for every parameter the index of its value. A small value without heap memory.
class Point {
 public:
  Point() = default;
  /// All indices 0; 0 <= dimensions <= 64.
  explicit Point(int dimensions) : size_(static_cast<std::uint8_t>(dimensions)) {
    assert(dimensions >= 0 && dimensions <= kMaxDimensions);
  }
  explicit Point(std::span<const std::uint16_t> indices)
      : size_(static_cast<std::uint8_t>(indices.size())) {
    assert(indices.size() <= kMaxDimensions);
    std::copy(indices.begin(), indices.end(), indices_.begin());
  }
  [[nodiscard]] int size() const { return size_; }
  std::uint16_t& operator[](int i) { return indices_[static_cast<std::size_t>(i)]; }
  std::uint16_t operator[](int i) const { return indices_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::span<const std::uint16_t> indices() const { return {indices_.data(), size_}; }

  friend bool operator==(const Point& a, const Point& b) {
    return std::ranges::equal(a.indices(), b.indices());
  }
  friend std::strong_ordering operator<=>(const Point& a, const Point& b) {
    return std::lexicographical_compare_three_way(a.indices_.begin(), a.indices_.begin() + a.size_,
                                                  b.indices_.begin(), b.indices_.begin() + b.size_);
  }

 private:
  std::array<std::uint16_t, kMaxDimensions> indices_{};  ///< copied whole: faster than by size
  std::uint8_t size_ = 0;
};

}  // namespace ntune

template <>
struct std::hash<ntune::Point> {
  std::size_t operator()(const ntune::Point& point) const noexcept {
    std::uint64_t code = ntune::kFnvBegin;
    for (const std::uint16_t index : point.indices()) code = ntune::fnv_step(code, index);
    return code ^ (code >> 32);
  }
};
