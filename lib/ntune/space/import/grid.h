#pragma once

#include <cstdint>
#include <set>

#include "ntune/space/import/source.h"

namespace ntune {

using Indices = std::set<std::uint64_t>;

/// About `points` of the indices 0 … last, with both ends and the kept ones. They are in equal
/// steps if at most half as many points more allow that, else as evenly spread as whole numbers can
/// be.
Indices thin(std::uint64_t last, const Indices& kept, int points);

/// The integers low, low + step, … up to high, by index. low <= high, step >= 1.
class IntegerGrid {
 public:
  explicit IntegerGrid(const SourceIntegers& domain)
      : domain_(domain),
        extent_(static_cast<std::uint64_t>(domain.high) - static_cast<std::uint64_t>(domain.low)) {}

  [[nodiscard]] std::uint64_t last() const {
    return extent_ / static_cast<std::uint64_t>(domain_.step);
  }
  [[nodiscard]] bool reaches_high() const {
    return extent_ % static_cast<std::uint64_t>(domain_.step) == 0;
  }
  [[nodiscard]] std::int64_t at(std::uint64_t index) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(domain_.low) +
                                     index * static_cast<std::uint64_t>(domain_.step));
  }
  /// Adds the index of a value that is one of the integers.
  void keep(const Value& value, Indices& kept) const;
  /// About `points` indices with equal ratios between the values, and the kept ones. low >= 1.
  [[nodiscard]] Indices thin_log(Indices kept, int points) const;

 private:
  SourceIntegers domain_;
  std::uint64_t extent_;
};

}  // namespace ntune
