#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ntune {

/// Matches of two players, whose numbers are in no particular order.
struct Meeting {
  std::size_t first = 0;
  std::size_t second = 0;
  std::int64_t won = 0;  ///< by the first
  std::int64_t drawn = 0;
  std::int64_t lost = 0;
};

/// Turns the matches round, as the second player counts them.
Meeting turned(const Meeting& meeting);

/// Three players of which each beats the next, and the last the first, so that no strengths explain
/// their results.
struct CircularTriple {
  std::array<Meeting, 3> meetings;  ///< the first of each has won more, and meets the second next
  double p_value = 1.0;             ///< after correction for the number looked at
};

struct CircularTriples {
  std::int64_t looked_at = 0;  ///< triples in which all pairs have met often enough
  std::vector<CircularTriple> found = {};
};

/// Fewest matches of a pair that were won or lost, for a triple to be looked at.
inline constexpr std::int64_t kFewestDecisions = 8;

/// The triples that are significantly circular, most significant first. A player beats another if
/// it wins more matches than it loses, by the exact sign test of one side. A triple is circular if
/// all three tests say so, and its p-value is the largest of theirs, doubled for the two ways round
/// and times the number of triples looked at (Berger 1982, intersection-union tests; Bonferroni).
/// So at most 5 % of all sets of players with strengths have any triple that is found. Every pair
/// is given once.
CircularTriples find_circular_triples(const std::vector<Meeting>& meetings);

}  // namespace ntune
