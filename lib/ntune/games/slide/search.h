#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ntune/games/slide/evaluation.h"
#include "ntune/games/slide/position.h"

namespace ntune {

/// What the transposition table holds. For a randomised evaluation this decides whether a position
/// that is met twice at one depth has one value or two.
enum class TableMode {
  kAll,       ///< leaves too: one value per position and depth
  kExpanded,  ///< expanded positions alone (Heuser 2003, Section 4.1.2)
  kOff        ///< no table: every path is searched
};
/// "all", "expanded", "off".
const std::vector<std::pair<std::string, TableMode>>& table_mode_names();

/// The value of Win: -1000 in the repaired programs, 0 in the first ones (Heuser 2003, Chapter 7).
inline constexpr double kRepairedWinValue = -1000.0;

struct DepthSearchOptions {
  TableMode table = TableMode::kAll;  ///< fits the published tables best
  double win_value = kRepairedWinValue;
};

/// A successor of the root with its value backed up from the leaves.
struct SlideSuccessor {
  int line = 0;  ///< the move
  float value = 0.0F;
  std::int64_t minimal_leaves = 0;  ///< paths to leaves of this value, by search_and_count
};

/// Depth-t search (Heuser 2003, Tables 4.1 and 4.2): no pruning, the minimum is backed up. The
/// transposition table of 2^19 entries is cleared for every search and matches on position and
/// depth. A new entry overwrites another position; of the same position the entry nearer to the
/// root stays. One per thread: it holds the table, 8 MiB.
class SlideSearch {
 public:
  SlideSearch();

  struct Result {
    std::span<const SlideSuccessor> successors;  ///< lowest line first; valid until the next search
    bool win_seen = false;
  };

  /// Searches `depth` >= 1 moves deep from a position other than Win.
  Result search(const SlidePosition<3>& root, int depth, const SlideEvaluator& evaluator,
                const DepthSearchOptions& options, Rng& rng);
  /// Searches with an evaluation without chance and counts the minimal leaves. The counts do not
  /// depend on the table.
  Result search_and_count(const SlidePosition<3>& root, int depth, const SlideEvaluator& evaluator,
                          const DepthSearchOptions& options);

  /// Leaves evaluated since this was made.
  [[nodiscard]] std::int64_t leaves() const { return leaves_; }
  /// Positions overwritten in the table since this was made (the thesis's collisions of type 1).
  [[nodiscard]] std::int64_t collisions() const { return collisions_; }

 private:
  static constexpr int kTableBits = 19;
  struct Node {
    std::uint64_t bits;
    std::uint32_t pattern;
  };
  struct Entry {
    std::uint64_t bits = 0;
    float value = 0.0F;
    std::uint32_t stamp = 0;  ///< search * 32 + ply
  };
  struct Counted {
    float value;
    std::int64_t leaves;
  };
  struct Search;

  template <TableMode mode>
  float visit(Node node, int ply, Search& search);
  template <TableMode mode>
  float leaf(Node node, Search& search);
  template <class Visit>
  Result run(const SlidePosition<3>& root, Visit visit);
  Counted visit_and_count(Node node, int ply, Search& search);

  static std::size_t place(std::uint64_t bits);
  void begin_search();
  [[nodiscard]] const Entry* find(std::size_t place, std::uint64_t bits, int ply) const;
  void store(std::size_t place, std::uint64_t bits, int ply, float value);

  std::vector<Entry> table_;
  std::vector<std::int64_t> counts_;  ///< minimal leaves by place of the table
  std::uint32_t search_ = 0;          ///< number of the current search
  std::array<SlideSuccessor, SlidePosition<3>::kMostMoves> successors_{};
  std::int64_t leaves_ = 0;
  std::int64_t collisions_ = 0;
  bool win_seen_ = false;
};

}  // namespace ntune
