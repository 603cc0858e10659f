#include "ntune/games/amazons/sums/appraiser.h"

#include <algorithm>

#include "ntune/games/amazons/tds.h"

namespace ntune {

namespace {

/// An exponent as fine as any position of six moves needs.
constexpr int kFineExponent = 6;

/// Sets the limits of a search to what is left of a budget, at least one node and a moment.
void limit(TdsOptions& options, const SumBudget& budget) {
  if (budget.nodes < std::numeric_limits<std::int64_t>::max()) {
    options.nodes = {false, std::max<std::int64_t>(budget.nodes, 1)};
  }
  if (budget.seconds < std::numeric_limits<double>::infinity()) {
    options.seconds = {false, std::max(budget.seconds, 1e-6)};
  }
}

/// The player's move that a principal variation begins with after its coupons, if it is his, whom
/// the search takes for Left.
template <int kSide>
std::optional<AmazonsMove> shown_move(const TdsResult<AmazonsPosition<kSide>>& result) {
  for (const auto& move : result.variation) {
    if (move.is_coupon) continue;
    return move.player == Player::kLeft ? std::optional(move.move) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

BoardAppraisal DatabaseAppraiser::appraise(const Position& board, Player /*player*/,
                                           const SumBudget& /*budget*/) {
  return {.value = database_->value(board), .is_final = true};
}

std::optional<AmazonsMove> DatabaseAppraiser::best_move(const Position& board, Player player,
                                                        const BoardAppraisal& /*appraisal*/,
                                                        Dyadic temperature,
                                                        const SumBudget& /*budget*/) {
  std::optional<AmazonsMove> best;
  Dyadic highest;
  // The best option at the ambient temperature: the wall of the other side, who then is on turn.
  board.for_each_option(player, [&](const AmazonsMove& move, const Position& option) {
    const Thermograph after = database_->thermograph(option);
    const Dyadic value =
        player == Player::kLeft ? after.right(temperature) : -after.left(temperature);
    if (!best || value > highest) {
      best = move;
      highest = value;
    }
    return true;
  });
  return best;
}

template <int kSide>
TdsAppraiser<kSide>::TdsAppraiser(const TdsOptions& options, UnknownTemperature unknown,
                                  const AmazonsWeights& weights)
    : options_((options.check(), options)), unknown_(unknown), weights_(weights) {
  // The options of the budget are set anew for each search.
  options_.nodes = {};
  options_.seconds = {};
  options_.variation = false;
}

template <int kSide>
BoardAppraisal TdsAppraiser<kSide>::appraise(const Position& board, Player player,
                                             const SumBudget& budget) {
  TdsOptions options = options_;
  limit(options, budget);
  TemperatureDiscovery<Position> search(options);
  // The search takes the player on turn for Left, so Right's board is turned round and the mean
  // back.
  const auto result = search.solve(player == Player::kLeft ? board : board.negative());
  nodes_ += result.nodes;
  BoardAppraisal appraisal = {.value = result.value,
                              .is_final = result.is_finished,
                              .is_unknown = result.searches == 0,
                              .delta_exponent = result.delta_exponent,
                              .move = shown_move<kSide>(result)};
  if (player == Player::kRight) appraisal.value.mean = -appraisal.value.mean;
  // A search that did not end once knows no temperature; half the swing of the evaluation stands
  // for it.
  if (appraisal.is_unknown && unknown_ == UnknownTemperature::kSwing) {
    appraisal.value.temperature = swing(board);
  }
  return appraisal;
}

template <int kSide>
std::optional<AmazonsMove> TdsAppraiser<kSide>::best_move(const Position& board, Player player,
                                                          const BoardAppraisal& appraisal,
                                                          Dyadic /*temperature*/,
                                                          const SumBudget& budget) {
  // The variation of the appraisal may show a move already.
  if (appraisal.move || appraisal.is_unknown) return appraisal.move;
  TdsOptions options = options_;
  limit(options, budget);
  // A search with given delta and t_max needs no searches before it.
  options.enhancements.set(TdsEnhancement::kPresearches, false);
  options.enhancements.set(TdsEnhancement::kRecursive, false);
  options.enhancements.set(TdsEnhancement::kWalls, false);
  options.enhancements.set(TdsEnhancement::kSharedBounds, false);
  // The stack begins at the temperature, where a move on the board is as good as a coupon, and ties
  // prefer the board.
  const Dyadic temperature = appraisal.value.temperature;
  const int exponent =
      std::min(appraisal.delta_exponent, std::max(temperature.exponent() + 2, kFineExponent));
  options.delta_exponent = {false, exponent};
  options.ties = TdsTies::kBoard;
  options.t_max = {false, temperature.to_double()};
  TemperatureDiscovery<Position> search(options);
  const auto result = search.solve(player == Player::kLeft ? board : board.negative());
  nodes_ += result.nodes;
  return shown_move<kSide>(result);
}

template <int kSide>
Dyadic TdsAppraiser<kSide>::swing(const Position& board) const {
  // The swing is between the best moves of both players by the evaluation; half of it is the
  // temperature.
  int highest = amazons_evaluation<kSide>(board, weights_);
  int lowest = highest;
  for (const Player player : {Player::kLeft, Player::kRight}) {
    board.for_each_option(player, [&](const AmazonsMove&, const Position& option) {
      const int value = amazons_evaluation<kSide>(option, weights_);
      (player == Player::kLeft ? highest : lowest) =
          player == Player::kLeft ? std::max(highest, value) : std::min(lowest, value);
      return true;
    });
  }
  constexpr int kBits = 5;
  static_assert(1 << kBits == 2 * kAmazonsUnit);
  return Dyadic::ratio(highest - lowest, kBits);
}

template class TdsAppraiser<4>;
template class TdsAppraiser<5>;
template class TdsAppraiser<6>;

}  // namespace ntune
