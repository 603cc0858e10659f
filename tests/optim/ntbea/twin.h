#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/ntbea/ntbea.h"
#include "optim/pending_reference.h"
#include "optim/window.h"
#include "support/spaces.h"

namespace ntune::test {

/// Slow twin: the steps of section 2.2 on the reference model. It draws the same mutants from a
/// copy of the stream, and names all of them whose upper bound is the highest.
class Twin {
 public:
  using Rank = std::pair<double, double>;  ///< the second number breaks ties of the first

  Twin(const SearchSpace& space, const NtbeaOptions& options)
      : options_(options),
        model_(space, options.model),
        neighbourhood_(space, options.neighbourhood) {}

  std::vector<Point> best_mutants(const Point& current, Rng rng) {
    neighbourhood_.draw(current, rng);
    std::vector<std::pair<double, Point>> bounds;
    for (std::size_t i = 0; i < neighbourhood_.size(); ++i) {
      const Point candidate = mutant(current, neighbourhood_[i]);
      const Score score = model_.score(candidate);
      bounds.emplace_back(score.mean + k() * score.exploration, candidate);
    }
    double best = -1e300;
    for (const auto& [bound, candidate] : bounds) best = std::max(best, bound);
    std::vector<Point> list;
    for (const auto& [bound, candidate] : bounds) {
      if (bound >= best - kTie * half_range()) list.push_back(candidate);
    }
    return list;
  }

  void add_pending(const Point& point) { model_.add_pending(point); }
  void remove_pending(const Point& point) { model_.remove_pending(point); }
  void tell(const Point& point, double payoff) {
    model_.add(point, payoff);
    lowest_ = std::min(lowest_, payoff);
    highest_ = std::max(highest_, payoff);
  }

  /// The highest rank over the sampled points, and the rank of this one.
  [[nodiscard]] std::pair<Rank, Rank> ranks(const Point& point) const {
    Rank best = {-1e300, 0.0};
    for (const auto& [sampled, statistics] : model_.points()) best = std::max(best, rank(sampled));
    return {best, rank(point)};
  }

  [[nodiscard]] double mean(const Point& point) const { return model_.score(point).mean; }
  [[nodiscard]] std::int64_t count(const Point& point) const {
    return model_.points().at(point).count;
  }

 private:
  /// Above the tie distance of Ntbea itself.
  static constexpr double kTie = 3e-9;

  [[nodiscard]] double half_range() const {
    return highest_ > lowest_ ? (highest_ - lowest_) / 2.0 : 1.0;
  }
  [[nodiscard]] double k() const { return options_.k.automatic ? half_range() : options_.k.value; }
  [[nodiscard]] Rank rank(const Point& point) const {
    return options_.recommend->rank(model_.score(point), static_cast<double>(count(point)), k());
  }

  NtbeaOptions options_;
  PendingReference model_;
  Neighbourhood neighbourhood_;
  double lowest_ = 1e300;
  double highest_ = -1e300;
};

/// A point asked for must be among the best mutants, or the last one where there are none. True if
/// that left no choice.
inline bool check_step(std::vector<Point> wanted, const Point& last, const Point& asked) {
  if (wanted.empty()) wanted.push_back(last);
  REQUIRE(std::ranges::count(wanted, asked) > 0);
  return std::ranges::count(wanted, wanted[0]) == std::ssize(wanted);
}

inline void check_recommendation(const Recommendation& recommendation, const Twin& twin) {
  const auto [best, recommended] = twin.ranks(recommendation.point);
  REQUIRE(recommended.first == Approx(best.first).epsilon(1e-9).margin(1e-9));
  REQUIRE(recommended.second == Approx(best.second).epsilon(1e-9).margin(1e-9));
  REQUIRE(recommendation.estimate ==
          Approx(twin.mean(recommendation.point)).epsilon(1e-9).margin(1e-9));
  REQUIRE(recommendation.evaluations == twin.count(recommendation.point));
}

/// Runs both side by side, with `window` evaluations in flight; each third one fails where
/// `failures` is set.
template <class Model>
void follow(const SearchSpace& space, const NtbeaOptions& options, int iterations,
            std::uint64_t seed, std::size_t window = 1, bool failures = false) {
  Ntbea<Model> ntbea(options, make_context(space, iterations));
  Twin twin(space, options);
  Rng rng(seed);
  Rng noise = rng.stream("noise");
  std::vector<Point> asked;
  std::size_t told = 0;
  int decided = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(iterations); ++i) {
    while (asked.size() < i + window) {
      const Rng before = rng;
      asked.push_back(ntbea.ask(rng).point);
      if (told > 0) {
        const Point& last = asked[asked.size() - 2];
        decided += check_step(twin.best_mutants(last, before), last, asked.back()) ? 1 : 0;
      }
      if (window == 1) continue;
      ntbea.pending(asked.back(), true);
      twin.add_pending(asked.back());
    }
    const Point point = asked[i];
    if (window > 1) {
      ntbea.pending(point, false);
      twin.remove_pending(point);
    }
    if (failures && i % 3 == 1) continue;
    const double payoff = noisy_height(space, point, noise);
    ntbea.tell(point, payoff);
    twin.tell(point, payoff);
    ++told;
    if (i % 20 == 0) check_recommendation(ntbea.recommend(), twin);
  }
  CHECK(2 * decided > iterations);  // ties are the exception, so that the twin decides
}

}  // namespace ntune::test
