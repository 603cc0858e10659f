#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ntune/core/hash.h"

namespace ntune {

/// Most parameters of a space, and most values of one parameter.
inline constexpr int kMaxDimensions = 1024;
inline constexpr int kMaxValues = 65'535;

/// One setting: for every parameter the index of its value. Up to 64 indices take no heap memory.
class Point {
 public:
  Point() = default;
  /// All indices 0; 0 <= dimensions <= 1024.
  explicit Point(int dimensions) : size_(static_cast<std::uint32_t>(dimensions)) {
    assert(dimensions >= 0 && dimensions <= kMaxDimensions);
    if (size_ > kFew) many_.resize(size_);
  }
  explicit Point(std::span<const std::uint16_t> indices) : Point(static_cast<int>(indices.size())) {
    std::ranges::copy(indices, data());
  }
  /// A move is a copy: what a point was moved from keeps its indices.
  Point(const Point&) = default;
  Point& operator=(const Point&) = default;
  ~Point() = default;

  [[nodiscard]] int size() const { return static_cast<int>(size_); }
  std::uint16_t& operator[](int i) { return data()[i]; }
  std::uint16_t operator[](int i) const { return data()[i]; }
  [[nodiscard]] std::span<const std::uint16_t> indices() const { return {data(), size_}; }

  friend bool operator==(const Point& a, const Point& b) {
    return std::ranges::equal(a.indices(), b.indices());
  }
  friend std::strong_ordering operator<=>(const Point& a, const Point& b) {
    return std::lexicographical_compare_three_way(a.indices().begin(), a.indices().end(),
                                                  b.indices().begin(), b.indices().end());
  }

 private:
  static constexpr std::uint32_t kFew = 64;

  [[nodiscard]] std::uint16_t* data() { return size_ <= kFew ? few_.data() : many_.data(); }
  [[nodiscard]] const std::uint16_t* data() const {
    return size_ <= kFew ? few_.data() : many_.data();
  }

  std::array<std::uint16_t, kFew> few_{};  ///< copied whole: faster than by size
  std::uint32_t size_ = 0;
  std::vector<std::uint16_t> many_;  ///< all indices, where they are more
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
