#pragma once

#include <cstddef>

#include <Eigen/Core>

namespace ntune {

/// Eigen cuts products into blocks by the sizes of the caches that it finds, and the order of the
/// sums with them. With fixed sizes the order of sums does not depend on the machine. Done once in
/// a process, before the first product.
inline void fix_eigen_blocks() {
  static const bool fixed = [] {
    constexpr std::ptrdiff_t kKibibyte = 1024;
    Eigen::setCpuCacheSizes(32 * kKibibyte, 1024 * kKibibyte, 32 * 1024 * kKibibyte);
    return true;
  }();
  static_cast<void>(fixed);
}

}  // namespace ntune
