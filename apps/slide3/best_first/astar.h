#pragma once

#include <cstdint>
#include <vector>

#include "apps/slide3/best_first/best_first.h"

namespace ntune {

/// A* with a limit of evaluations, see BestFirstKind. Its memory, some 60 bytes per evaluation
/// that a move may take, is kept from search to search.
class SlideAStar {
 public:
  explicit SlideAStar(const BestFirstPlayer& player);

  /// Puts the lines to slide into `way` in reverse order: the whole way to Win, or one step towards
  /// the target. The root is not Win.
  void find(const SlidePosition<3>& root, Rng& rng, std::vector<int>& way);

  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  struct Node {
    SlidePosition<3> position;
    float value = 0.0F;  ///< weight * h
    std::int32_t parent = -1;
    std::int32_t moves = 0;  ///< from the root, the fewest so far
    std::int32_t line = -1;  ///< from the parent
  };
  struct Open {
    float total;        ///< f
    std::uint32_t tie;  ///< random
    std::int32_t node;
    std::int32_t moves;  ///< Node::moves when this was pushed; stale once the node has fewer

    friend bool operator<(const Open& a, const Open& b) {  // for a heap with the least on top
      return a.total != b.total ? a.total > b.total : a.tie > b.tie;
    }
  };
  struct Place {
    std::uint32_t search = 0;
    std::int32_t node = 0;
  };

  void begin(const SlidePosition<3>& root, Rng& rng);
  void expand(std::int32_t parent, Rng& rng);
  void push(std::int32_t node, Rng& rng);
  Place& place(const SlidePosition<3>& position);
  /// The open node of least f, -1 if there is none.
  std::int32_t best_open();
  std::int32_t target(Rng& rng);
  std::int32_t least_value(Rng& rng) const;

  SlideEvaluator evaluator_;
  float weight_;
  std::int64_t budget_;
  BestFirstTarget target_;
  std::int64_t evaluations_ = 0;

  std::vector<Node> nodes_;  ///< of this search, the root first
  std::vector<Open> open_;
  std::vector<Place> places_;  ///< hash table of the nodes, a power of two
  std::uint32_t search_ = 0;
  std::int32_t win_ = -1;
};

}  // namespace ntune
