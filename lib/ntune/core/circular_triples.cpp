#include "ntune/core/circular_triples.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ntune {

namespace {

/// Probability that a fair coin falls to one side at least `least` times of n.
double fair_tail(std::int64_t least, std::int64_t n) {
  if (least <= 0) return 1.0;
  const auto all = static_cast<double>(n);
  double sum = 0.0;
  for (std::int64_t k = n; k >= least; --k) {
    const auto heads = static_cast<double>(k);
    sum += std::exp(std::lgamma(all + 1.0) - std::lgamma(heads + 1.0) -
                    std::lgamma(all - heads + 1.0) - all * std::log(2.0));
  }
  return std::min(1.0, sum);
}

double p_value_of(const Meeting& meeting) {
  return fair_tail(meeting.won, meeting.won + meeting.lost);
}

/// The same matches from the other side.
Meeting turned(const Meeting& meeting) {
  return {.first = meeting.second,
          .second = meeting.first,
          .won = meeting.lost,
          .drawn = meeting.drawn,
          .lost = meeting.won};
}

}  // namespace

CircularTriples find_circular_triples(const std::vector<Meeting>& meetings, double level) {
  // Opponents with a higher number, by player.
  std::map<std::size_t, std::map<std::size_t, Meeting>> met;
  for (const Meeting& meeting : meetings) {
    if (meeting.won + meeting.lost < kFewestDecisions) continue;
    const Meeting ordered = meeting.first < meeting.second ? meeting : turned(meeting);
    met[ordered.first].emplace(ordered.second, ordered);
  }
  CircularTriples triples;
  for (const auto& [a, opponents] : met) {
    for (const auto& [b, of_a_and_b] : opponents) {
      const auto of_b = met.find(b);
      if (of_b == met.end()) continue;
      for (const auto& [c, of_b_and_c] : of_b->second) {
        const auto of_a_and_c = opponents.find(c);
        if (of_a_and_c == opponents.end()) continue;
        ++triples.looked_at;
        CircularTriple triple{.meetings = {of_a_and_b, of_b_and_c, turned(of_a_and_c->second)}};
        if (of_a_and_b.won < of_a_and_b.lost) {
          triple.meetings = {of_a_and_c->second, turned(of_b_and_c), turned(of_a_and_b)};
        }
        double largest = 0.0;
        for (const Meeting& meeting : triple.meetings) {
          largest = std::max(largest, p_value_of(meeting));
        }
        triple.p_value = 2.0 * largest;
        if (triple.p_value <= level) triples.found.push_back(triple);
      }
    }
  }
  for (CircularTriple& triple : triples.found) {
    triple.p_value *= static_cast<double>(triples.looked_at);
  }
  std::erase_if(triples.found,
                [level](const CircularTriple& triple) { return triple.p_value > level; });
  std::ranges::stable_sort(triples.found, {}, &CircularTriple::p_value);
  return triples;
}

}  // namespace ntune
