#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ntune/objective/functions/simulated_games.h"
#include "support/optimisers.h"

namespace ntune::test {

/// The matches of a search, by point and opponent, and what it recommends.
struct MatchTrace {
  std::vector<std::pair<Point, Point>> matches;
  Recommendation recommendation;
  std::optional<Certainty> certainty;

  friend bool operator==(const MatchTrace& one, const MatchTrace& other) {
    return one.matches == other.matches && one.recommendation.point == other.recommendation.point &&
           one.recommendation.estimate == other.recommendation.estimate;
  }
};

using Duel = std::function<MatchResult(const Point&, const Point&, Rng&)>;

inline void tell_match(Optimiser& search, const Proposal& match, const MatchResult& result) {
  search.tell(match, {.payoffs = std::span(&result.score, 1), .games = result.games});
}

/// A search of so many matches.
inline MatchTrace search(const std::string& optimiser, OptimiserContext context, std::uint64_t seed,
                         const Duel& duel) {
  context.matches = true;
  const auto made = make_plan(optimiser, *context.space).make(context);
  Rng rng = Rng(seed).stream("optimiser");
  Rng noise = Rng(seed).stream("noise");
  MatchTrace trace;
  for (std::int64_t i = 0; i < context.budget; ++i) {
    const Proposal match = made->ask(rng);
    trace.matches.emplace_back(match.point, match.opponent.value());
    tell_match(*made, match, duel(match.point, *match.opponent, noise));
  }
  trace.recommendation = made->recommend();
  trace.certainty = made->certainty();
  return trace;
}

/// Pairs of games of simulated players.
inline Duel duels_of(const SimulatedGames& games) {
  return [&games](const Point& first, const Point& second, Rng& rng) {
    const Outcome outcome = games.play(first, second, rng, {});
    return MatchResult{.score = outcome.payoff, .games = outcome.games};
  };
}

}  // namespace ntune::test
