#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
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

/// IDA* with a limit of evaluations, see BestFirstKind. A position that is met again is evaluated
/// and counted again. A randomised value is then the same, as the position names its stream.
class SlideIdaStar {
 public:
  explicit SlideIdaStar(const BestFirstPlayer& player);

  /// As SlideAStar::find.
  void find(const SlidePosition<3>& root, Rng& rng, std::vector<int>& way);

  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  /// The least of the numbers seen, and the first move towards it; of equal numbers a random one's.
  class Least {
   public:
    void add(float number, int line, Rng& rng) {
      if (number > least_) return;
      alike_ = number < least_ ? 1 : alike_ + 1;
      least_ = number;
      if (alike_ == 1 || rng.below(alike_) == 0) line_ = line;
    }
    [[nodiscard]] float least() const { return least_; }
    [[nodiscard]] int line() const { return line_; }

   private:
    float least_ = std::numeric_limits<float>::infinity();
    std::uint32_t alike_ = 0;
    int line_ = -1;
  };
  struct Child {
    SlidePosition<3> position;
    float total = 0.0F;
    std::uint32_t tie = 0;
    int line = 0;
  };
  using Children = std::array<Child, SlidePosition<3>::kMostMoves>;

  /// Searches all nodes up to the bound; whether it met Win there or spent its evaluations.
  bool search(const SlidePosition<3>& position, Rng& rng);
  /// Evaluates all children but Win and the last position.
  std::span<Child> make_children(const SlidePosition<3>& position, Children& children, Rng& rng);
  void meet_win(int line);
  float evaluate(const SlidePosition<3>& position) const;

  SlideEvaluator evaluator_;
  float weight_;
  std::int64_t budget_;
  BestFirstTarget target_;
  std::int64_t evaluations_ = 0;

  // Of the current search:
  SlidePosition<3> root_;
  Rng chance_{0};
  std::int64_t last_evaluation_ = 0;
  float bound_ = 0.0F;
  Least beyond_;           ///< f of the nodes beyond the bound
  Least values_;           ///< weight * h of all nodes but the root
  std::vector<int> path_;  ///< lines from the root
  std::vector<int> win_;   ///< the shortest way to Win met so far; empty: none
};

}  // namespace ntune
