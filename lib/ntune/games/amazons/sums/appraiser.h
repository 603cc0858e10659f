#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/games/amazons/database/database.h"
#include "ntune/games/amazons/position.h"
#include "ntune/games/amazons/sums/sum_search.h"

namespace ntune {

/// What a player of sums has found out about a board.
struct BoardAppraisal {
  ThermographValue value;
  bool is_final = false;                 ///< a larger budget would not tell more
  bool is_unknown = false;               ///< no search came to an end; the temperature is a guess
  int delta_exponent = 0;                ///< of the search that found the value
  std::optional<AmazonsMove> move = {};  ///< a good move, where the search showed one
};

/// A source of temperatures and of the moves that go with them.
template <int kSide>
class AmazonsAppraiser {
 public:
  using Position = AmazonsPosition<kSide>;
  virtual ~AmazonsAppraiser() = default;

  /// Appraises a board that is not easily seen to be an integer, for the player on turn.
  virtual BoardAppraisal appraise(const Position& board, Player player,
                                  const SumBudget& budget) = 0;
  /// The player's best move there while coupons are worth `temperature`; none where that is not
  /// found within the budget.
  virtual std::optional<AmazonsMove> best_move(const Position& board, Player player,
                                               const BoardAppraisal& appraisal, Dyadic temperature,
                                               const SumBudget& budget) = 0;
  /// Nodes of all searches so far.
  [[nodiscard]] virtual std::int64_t nodes() const { return 0; }
};

/// Appraises boards by their exact thermographs; the best move leads to the option whose wall at
/// that temperature is best.
class DatabaseAppraiser final : public AmazonsAppraiser<4> {
 public:
  explicit DatabaseAppraiser(std::shared_ptr<const AmazonsDatabase> database)
      : database_(std::move(database)) {}

  BoardAppraisal appraise(const Position& board, Player player, const SumBudget& budget) override;
  std::optional<AmazonsMove> best_move(const Position& board, Player player,
                                       const BoardAppraisal& appraisal, Dyadic temperature,
                                       const SumBudget& budget) override;

 private:
  std::shared_ptr<const AmazonsDatabase> database_;
};

/// The temperature of a board where no search came to an end. It is that of the option
/// no_board_move of TDS (the paper's t_min / 2), or half the swing of the evaluation by one move of
/// either player.
enum class UnknownTemperature { kRule, kSwing };

/// Appraises boards by temperature discovery search. The best move is the first board move of the
/// principal variation if it is the player's. Otherwise a second search finds it, with the player
/// on turn, the temperature as largest coupon, and ties broken to the board. The original's way
/// from temperatures to moves is not published.
template <int kSide>
class TdsAppraiser final : public AmazonsAppraiser<kSide> {
 public:
  using Position = AmazonsPosition<kSide>;

  /// The options' limits of nodes and seconds are not used; budgets are given with each call.
  TdsAppraiser(const TdsOptions& options, UnknownTemperature unknown,
               const AmazonsWeights& weights);

  BoardAppraisal appraise(const Position& board, Player player, const SumBudget& budget) override;
  std::optional<AmazonsMove> best_move(const Position& board, Player player,
                                       const BoardAppraisal& appraisal, Dyadic temperature,
                                       const SumBudget& budget) override;
  [[nodiscard]] std::int64_t nodes() const override { return nodes_; }

 private:
  [[nodiscard]] Dyadic swing(const Position& board) const;

  TdsOptions options_;
  UnknownTemperature unknown_;
  AmazonsWeights weights_;
  std::int64_t nodes_ = 0;
};

}  // namespace ntune
