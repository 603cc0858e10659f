#include "ntune/core/circular_triples.h"

#include <algorithm>
#include <map>

#include <boost/math/special_functions/beta.hpp>

namespace ntune {

namespace {

/// Probability that of equal players one wins so often, or more often (the exact sign test).
double p_value_of(const Meeting& meeting) {
  if (meeting.won == 0) return 1.0;
  return boost::math::ibeta(static_cast<double>(meeting.won),
                            static_cast<double>(meeting.lost) + 1.0, 0.5);
}

}  // namespace

Meeting turned(const Meeting& meeting) {
  return {.first = meeting.second,
          .second = meeting.first,
          .won = meeting.lost,
          .drawn = meeting.drawn,
          .lost = meeting.won};
}

CircularTriples find_circular_triples(const std::vector<Meeting>& meetings) {
  constexpr double kLevel = 0.05;
  // Opponents with a higher number, by player.
  std::map<std::size_t, std::map<std::size_t, Meeting>> met;
  for (const Meeting& meeting : meetings) {
    if (meeting.won + meeting.lost < kFewestDecisions) continue;
    const Meeting ordered = meeting.first < meeting.second ? meeting : turned(meeting);
    met[ordered.first].emplace(ordered.second, ordered);
  }
  // A triple has its players in the order a < b < c, so that each is looked at once.
  CircularTriples triples;
  for (const auto& [a, opponents] : met) {
    for (const auto& [b, of_a_and_b] : opponents) {
      const auto of_b = met.find(b);
      if (of_b == met.end()) continue;
      for (const auto& [c, of_b_and_c] : of_b->second) {
        const auto of_a_and_c = opponents.find(c);
        if (of_a_and_c == opponents.end()) continue;
        ++triples.looked_at;
        // The cycle runs a, b, c if a has won more against b, else the other way round: a, c, b.
        CircularTriple triple{.meetings = {of_a_and_b, of_b_and_c, turned(of_a_and_c->second)}};
        if (of_a_and_b.won < of_a_and_b.lost) {
          triple.meetings = {of_a_and_c->second, turned(of_b_and_c), turned(of_a_and_b)};
        }
        double largest = 0.0;
        for (const Meeting& meeting : triple.meetings) {
          largest = std::max(largest, p_value_of(meeting));
        }
        // The largest of the three p-values is that of the intersection-union test; the factor 2 is
        // for the two directions.
        triple.p_value = 2.0 * largest;
        if (triple.p_value <= kLevel) triples.found.push_back(triple);
      }
    }
  }
  // Bonferroni's factor is known only now, since it is the number of all triples looked at. The
  // early comparison above has dropped only what the factor cannot bring back.
  for (CircularTriple& triple : triples.found) {
    triple.p_value *= static_cast<double>(triples.looked_at);
  }
  std::erase_if(triples.found,
                [](const CircularTriple& triple) { return triple.p_value > kLevel; });
  std::ranges::stable_sort(triples.found, {}, &CircularTriple::p_value);
  return triples;
}

}  // namespace ntune
