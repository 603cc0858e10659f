#pragma once

#include <cstdint>

#include "ntune/core/rng.h"

namespace ntune::cli {

// What commands of several programs are told; apps/common/flags.h has the options for it.

enum class Format { kText, kJson, kCsv };

inline constexpr int kMostThreads = 1024;
inline constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;

/// What is said to all commands that compute.
struct OutputArguments {
  Format format = Format::kText;
  int threads = 0;
  bool quiet = false;
};
/// The random numbers of everything that a command draws.
inline Rng rng_of(std::int64_t seed) { return Rng(static_cast<std::uint64_t>(seed)); }

}  // namespace ntune::cli
