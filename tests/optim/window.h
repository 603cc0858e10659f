#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/optimisers.h"

namespace ntune::test {

/// A payoff for any space, best where every index is the largest.
inline double noisy_height(const SearchSpace& space, const Point& point, Rng& rng) {
  return height(space, point) + 0.3 * rng.normal();
}

struct Window {
  std::size_t size = 4;       ///< evaluations in flight
  std::int64_t failures = 0;  ///< every so manieth evaluation fails and is never told; 0: none
  int payoffs = 1;            ///< told for each evaluation
};

struct WindowTrace : Trace {
  std::vector<Point> asked;  ///< the points of the trace are those told
};

/// One run of `budget` payoffs with several evaluations in flight, told in the order of the asks.
template <class Payoff>
WindowTrace run_window(Optimiser& optimiser, std::int64_t budget, std::uint64_t seed,
                       const Window& window, const Payoff& payoff) {
  Rng rng = Rng(seed).stream("optimiser");
  Rng noise = Rng(seed).stream("noise");
  WindowTrace trace;
  std::size_t returned = 0;
  const auto left = [&] { return static_cast<std::size_t>(budget) - trace.points.size(); };
  while (left() > 0) {
    while (trace.asked.size() - returned < std::min(window.size, left())) {
      trace.asked.push_back(optimiser.ask(rng).point);
      optimiser.pending(trace.asked.back(), true);
    }
    const Point point = trace.asked[returned++];
    optimiser.pending(point, false);
    const auto number = static_cast<std::int64_t>(returned);
    if (window.failures > 0 && number % window.failures == 0) continue;
    for (int i = 0; i < window.payoffs && left() > 0; ++i) {
      const double value = payoff(point, noise);
      optimiser.tell(point, value);
      trace.points.push_back(point);
      trace.payoffs.push_back(value);
    }
  }
  trace.recommendation = optimiser.recommend();
  return trace;
}

template <class Payoff>
WindowTrace run_window(const std::string& optimiser, const SearchSpace& space, std::int64_t budget,
                       std::uint64_t seed, const Window& window, const Payoff& payoff) {
  const auto made = make_plan(optimiser, space).make(make_context(space, budget));
  return run_window(*made, budget, seed, window, payoff);
}

inline bool same(const Trace& a, const Trace& b) {
  return a.points == b.points && a.payoffs == b.payoffs &&
         a.recommendation.point == b.recommendation.point &&
         a.recommendation.estimate == b.recommendation.estimate &&
         a.recommendation.evaluations == b.recommendation.evaluations;
}

}  // namespace ntune::test
