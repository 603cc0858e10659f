#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "ntune/agents/turn_game/transposition_table.h"
#include "ntune/games/amazons/evaluation.h"
#include "ntune/games/amazons/sums/sum.h"

namespace ntune {

class Options;

/// The most that a decision may cost.
struct SumBudget {
  std::int64_t nodes = std::numeric_limits<std::int64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();  ///< processor time of the thread

  [[nodiscard]] SumBudget share(double part) const;
};

struct AmazonsSumSearchOptions {
  AmazonsWeights weights = {};
  int depth = 60;       ///< most plies
  int table_bits = 17;  ///< places of the transposition table, as a power of two

  void visit(Options& options);
};

/// Alpha-beta over a whole sum, taken for one board of separate areas: the role of Arrow in Zhang
/// and Mueller 2015. Iterative deepening, null windows (principal variation search, Marsland 1983),
/// a transposition table, moves ordered by it and by the evaluation, boards evaluated once each.
/// One per thread. Scores are in sixteenths of a move, from the player on turn; who has won a sum
/// of integers has kWin more.
template <int kSide>
class AmazonsSumSearch {
 public:
  using Sum = AmazonsSum<kSide>;
  static constexpr int kWin = 16'000;

  struct Found {
    AmazonsSumMove move;
    int value = 0;
    int depth = 0;           ///< of the last search that was completed; 0: none was
    bool is_solved = false;  ///< whether that search saw the end of all lines
  };

  explicit AmazonsSumSearch(const AmazonsSumSearchOptions& options);

  /// The best move found in a sum without an outcome; always a legal one, whatever the budget.
  Found best_move(const Sum& sum, const SumBudget& budget);
  /// The minimax value of a search of `depth` plies.
  int value(const Sum& sum, int depth);
  /// Moves made so far.
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }

 private:
  using Position = typename Sum::Position;
  struct BoardValue {
    std::uint64_t key = 0;
    int value = 0;
    bool is_integer = false;
  };
  struct Option {
    AmazonsSumMove move;
    int promise = 0;
  };
  struct Entry {
    std::uint64_t key = 0;
    AmazonsSumMove move = {};
    std::int16_t value = 0;
    std::uint8_t depth = 0;
    ValueBound bound = ValueBound::kEmpty;
  };
  static_assert(sizeof(Entry) == 16);

  void begin(const Sum& sum, const SumBudget& budget);
  int visit(int depth, int alpha, int beta);
  int search_options(std::size_t begin, int depth, int alpha, int beta, std::size_t& best);
  void add_options(int depth, const AmazonsSumMove* first);
  void add_filler();
  [[nodiscard]] std::uint64_t key() const;
  [[nodiscard]] int ended() const;
  BoardValue value_of(const Position& board);
  BoardValue play(const AmazonsSumMove& move);
  void take_back(const AmazonsSumMove& move, const BoardValue& before);
  [[nodiscard]] int side() const { return sum_.on_turn() == Player::kLeft ? 1 : -1; }
  bool count();

  static constexpr int kInfinite = 32'000;
  static constexpr std::size_t kKnownBoards = std::size_t{1} << 15;

  AmazonsSumSearchOptions options_;
  std::vector<Entry> table_;
  std::vector<BoardValue> known_boards_;
  std::vector<Option> list_;  ///< a stack
  Sum sum_;
  std::array<BoardValue, Sum::kMostBoards> values_{};
  int total_ = 0;  ///< sum of the values, to Black
  int open_ = 0;   ///< number of boards that are no integer
  std::int64_t nodes_ = 0;
  std::int64_t last_node_ = 0;
  double last_second_ = 0.0;
  bool stopped_ = false;
  bool saw_horizon_ = false;
};

}  // namespace ntune
