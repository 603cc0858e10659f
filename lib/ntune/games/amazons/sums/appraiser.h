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

/// What a player of sums knows of a board.
struct BoardAppraisal {
  ThermographValue value;
  bool is_final = false;                 ///< a larger budget would not tell more
  bool is_unknown = false;               ///< no search came to an end; the temperature is a guess
  int delta_exponent = 0;                ///< of the search that told
  std::optional<AmazonsMove> move = {};  ///< a good one, where the search showed any
};

/// A source of temperatures and of the moves that go with them.
template <int kSide>
class AmazonsAppraiser {
 public:
  using Position = AmazonsPosition<kSide>;
  virtual ~AmazonsAppraiser() = default;

  /// Of a board that is not easily seen to be an integer, for the player on turn.
  virtual BoardAppraisal appraise(const Position& board, Player player,
                                  const SumBudget& budget) = 0;
  /// The player's best move there while coupons are worth `temperature`; none where that is not
  /// found within the budget.
  virtual std::optional<AmazonsMove> best_move(const Position& board, Player player,
                                               const BoardAppraisal& appraisal, Dyadic temperature,
                                               const SumBudget& budget) = 0;
  /// Of all searches so far.
  [[nodiscard]] virtual std::int64_t nodes() const { return 0; }
};

/// From the exact thermographs: the option whose wall at that temperature is best.
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

/// The temperature of a board where no search came to an end: what the settings of TDS say of it
/// (the paper's t_min / 2), or half of what the evaluation can change by one move of either player.
enum class UnknownTemperature { kRule, kSwing };

/// By temperature discovery search. A board move is the first one of a principal variation if it is
/// the player's; else of the search whose largest coupon is the temperature, the player on turn and
/// ties broken to the board. The original's way from temperatures to moves is not published.
template <int kSide>
class TdsAppraiser final : public AmazonsAppraiser<kSide> {
 public:
  using Position = AmazonsPosition<kSide>;

  /// The limits of the options are not used.
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
