#pragma once

#include <cstdint>

#include "ntune/objective/ending.h"

namespace ntune {

/// How many evaluations were ended before their end, on purpose.
struct EarlyEndings {
  std::int64_t cut_off = 0;  ///< at the cutoff
  std::int64_t capped = 0;   ///< when they could no longer win

  void add(Ending ending) {
    cut_off += ending == Ending::kCutOff ? 1 : 0;
    capped += ending == Ending::kCapped ? 1 : 0;
  }
  void merge(const EarlyEndings& other) {
    cut_off += other.cut_off;
    capped += other.capped;
  }
};

}  // namespace ntune
