#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/evaluation.h"

namespace ntune {

/// Searches that order positions by f = g + weight * h: g moves from the root, h the evaluation (0
/// for Win), randomised or not. Within a search a position has one h.
enum class BestFirstKind {
  kAStar,   ///< A* (Hart, Nilsson and Raphael 1968); positions reached by fewer moves are reopened
  kIdaStar  ///< IDA* (Korf 1985); children in order of f, no table. The next bound is the least f
            ///< beyond the last, or one more than that: shorter steps cannot find shorter ways
};
/// "astar", "idastar".
const std::vector<std::pair<std::string, BestFirstKind>>& best_first_names();

/// The position to move towards when the evaluations are spent and Win has not been met. Ties are
/// broken at random.
enum class BestFirstTarget {
  kTotal,  ///< A*: the open node of least f; IDA*: the node of least f beyond the last bound whose
           ///< search was completed, or, before the first was, of all nodes seen
  kValue   ///< the node of least h that the search has met, the root excluded
};
/// "total", "value".
const std::vector<std::pair<std::string, BestFirstTarget>>& best_first_target_names();

/// Settings of a player that searches best first.
struct BestFirstPlayer {
  SlideEvaluation evaluation = {};
  BestFirstKind kind = BestFirstKind::kAStar;
  std::int64_t evaluations = 1000;  ///< most per move, kFewestEvaluations … kMostEvaluations
  double weight = 1.0;              ///< factor of h, >= 0; 0 is breadth-first search
  BestFirstTarget target = BestFirstTarget::kValue;

  static constexpr std::int64_t kFewestEvaluations = SlidePosition<3>::kMostMoves;
  static constexpr std::int64_t kMostEvaluations = 20'000'000;  ///< there are 11,612,160 positions
};

/// weight * h; 0 where the product is no number, as with NormPlus of h = 0.
inline float weighted_value(float weight, float h) {
  const float value = weight * h;
  return value == value ? value : 0.0F;
}

/// Searches at every move, forgets the tree and makes one step towards the target. A search ends
/// with a way to Win when Win has the least f, or when the evaluations are spent and Win has been
/// met. The way is then followed without another search. It is a shortest one where weight * h
/// never exceeds the distance and the evaluations suffice. Throws InputError: evaluations or weight
/// out of range.
std::unique_ptr<SlideAgent> make_best_first_agent(const BestFirstPlayer& player);

}  // namespace ntune
