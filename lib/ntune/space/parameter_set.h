#pragma once

#include <bitset>
#include <cstddef>

#include "ntune/space/point.h"

namespace ntune {

/// Some of the parameters of a space, by index.
class ParameterSet {
 public:
  static ParameterSet all() {
    ParameterSet set;
    set.bits_.set();
    return set;
  }

  void add(int parameter) { bits_.set(static_cast<std::size_t>(parameter)); }
  void remove(int parameter) { bits_.reset(static_cast<std::size_t>(parameter)); }
  [[nodiscard]] bool has(int parameter) const { return bits_[static_cast<std::size_t>(parameter)]; }
  [[nodiscard]] bool is_within(const ParameterSet& other) const {
    return (bits_ & ~other.bits_).none();
  }

 private:
  std::bitset<kMaxDimensions> bits_;
};

}  // namespace ntune
