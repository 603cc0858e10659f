#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/sums/appraiser.h"
#include "ntune/games/amazons/sums/sum.h"
#include "ntune/games/amazons/sums/sum_player.h"

namespace ntune {

/// Mean and temperature of a board.
struct BoardWorth {
  ThermographValue value;
  bool is_exact = false;  ///< else by a search that a limit stopped, or by the evaluation
};

/// What a move gains for the player who makes it, over the mean of its board, while moves elsewhere
/// are worth the temperature t: R_t(G^L) - mean(G) for Black, mean(G) - L_t(G^R) for White
/// (Berlekamp 1996). It is at most t where the board is no hotter than t, and t for the best move
/// on a board of temperature t.
struct MoveGain {
  AmazonsSumMove move;
  Dyadic gain;
  bool is_exact = false;
};

/// Values boards and moves for somebody who watches a sum. Exact by the database, for boards of
/// 4x4 with a queen each, and where few squares are left; else by temperature discovery search, and
/// by the evaluation where that finds nothing within its budget. For the sides 4, 5 and 6.
template <int kSide>
class AmazonsValuer {
 public:
  using Sum = AmazonsSum<kSide>;
  using Position = typename Sum::Position;

  /// A board has the budget of one decision of the options, all moves of a sum that of twenty.
  /// Without a database, boards of 4x4 are valued as the larger ones.
  AmazonsValuer(const SumPlayerOptions& options, std::shared_ptr<const AmazonsDatabase> database);

  BoardWorth board(const Position& board, Player on_turn);
  /// Of a board that is valued exactly without a search; else nothing.
  [[nodiscard]] std::optional<Thermograph> thermograph(const Position& board) const;
  /// All moves of the player on turn by what they gain at the temperature, best first, else in
  /// their order.
  std::vector<MoveGain> moves(const Sum& sum, Dyadic temperature);

 private:
  void add_exact(const Sum& sum, std::size_t board, Dyadic temperature,
                 std::vector<MoveGain>& gains) const;
  void add_searched(const Sum& sum, std::size_t board, Dyadic temperature, const SumBudget& budget,
                    std::vector<MoveGain>& gains);
  BoardWorth searched(const Position& board, Player on_turn, const SumBudget& budget);
  [[nodiscard]] bool is_in_database(const Position& board) const;
  /// Whether its thermograph is computed from scratch in no time.
  [[nodiscard]] static bool is_small(const Position& board);

  SumPlayerOptions options_;
  std::shared_ptr<const AmazonsDatabase> database_;
  TdsAppraiser<kSide> appraiser_;
};

}  // namespace ntune
