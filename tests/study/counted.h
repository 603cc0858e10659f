#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "ntune/objective/capabilities.h"
#include "study/scripted.h"

namespace ntune::test {

/// An objective that counts what it is asked.
struct Counted {
  std::shared_ptr<std::atomic<std::int64_t>> calls = std::make_shared<std::atomic<std::int64_t>>(0);
  std::shared_ptr<const Objective> objective;

  explicit Counted(std::shared_ptr<const Objective> inner) {
    objective = std::make_shared<Scripted>(
        inner->space(),
        [calls = calls, inner](const Point& point, Rng& rng) {
          ++*calls;
          return observe(*inner, point, rng, {});
        },
        inner->payoffs());
  }
};

}  // namespace ntune::test
