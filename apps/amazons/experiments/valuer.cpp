#include "apps/amazons/experiments/valuer.h"

#include <algorithm>
#include <utility>

#include "ntune/games/amazons/evaluation.h"

namespace ntune {

namespace {

/// Some ten thousand positions at most follow from a board with so few empty squares.
constexpr int kSmallEmpties = 8;
/// Budgets of a decision for the moves of a sum.
constexpr double kMovesShare = 20.0;

/// What a player's move to an option with these walls gains over the mean.
Dyadic gain_of(const Thermograph& option, Player player, Dyadic mean, Dyadic temperature) {
  return player == Player::kLeft ? option.right(temperature) - mean
                                 : mean - option.left(temperature);
}

/// The least that it gains where only the option's mean and temperature are known: a wall has slope
/// 0 or 1.
Dyadic gain_of(const ThermographValue& option, Player player, Dyadic mean, Dyadic temperature) {
  const Dyadic threat = std::max(Dyadic(0), option.temperature - temperature);
  return (player == Player::kLeft ? option.mean - mean : mean - option.mean) - threat;
}

}  // namespace

template <int kSide>
AmazonsValuer<kSide>::AmazonsValuer(const SumPlayerOptions& options,
                                    std::shared_ptr<const AmazonsDatabase> database)
    : options_(options),
      database_(std::move(database)),
      appraiser_(options.tds, options.unknown, options.search.weights) {}

template <int kSide>
bool AmazonsValuer<kSide>::is_in_database(const Position& board) const {
  if constexpr (kSide == 4) return database_ != nullptr && AmazonsDatabase::contains(board);
  return false;
}

template <int kSide>
bool AmazonsValuer<kSide>::is_small(const Position& board) {
  return board.empties() <= kSmallEmpties;
}

template <int kSide>
std::optional<Thermograph> AmazonsValuer<kSide>::thermograph(const Position& board) const {
  if (const auto integer = board.integer_value()) return Thermograph(*integer);
  if constexpr (kSide == 4) {
    if (is_in_database(board)) return database_->thermograph(board);
  }
  if (is_small(board)) return *ThermographSolver<Position>().solve(board);
  return std::nullopt;
}

template <int kSide>
BoardWorth AmazonsValuer<kSide>::board(const Position& board, Player on_turn) {
  if (const auto known = thermograph(board)) return {known->value(), true};
  return searched(board, on_turn, options_.budget());
}

template <int kSide>
BoardWorth AmazonsValuer<kSide>::searched(const Position& board, Player on_turn,
                                          const SumBudget& budget) {
  if (const auto integer = board.integer_value()) return {{*integer, -1}, true};
  const BoardAppraisal appraisal = appraiser_.appraise(board, on_turn, budget);
  BoardWorth worth = {appraisal.value, appraisal.is_final && !appraisal.is_unknown};
  if (appraisal.is_unknown) {
    static_assert(kAmazonsUnit == 1 << 4);
    worth.value.mean = Dyadic::ratio(amazons_evaluation<kSide>(board, options_.search.weights), 4);
  }
  return worth;
}

template <int kSide>
std::vector<MoveGain> AmazonsValuer<kSide>::moves(const Sum& sum, Dyadic temperature) {
  std::vector<MoveGain> gains;
  std::vector<std::size_t> open;
  std::size_t options = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (is_in_database(sum[i]) || is_small(sum[i]) || sum[i].integer_value()) {
      add_exact(sum, i, temperature, gains);
      continue;
    }
    open.push_back(i);
    sum[i].for_each_move(sum.on_turn(), [&](const AmazonsMove&) { return ++options > 0; });
  }
  const SumBudget budget =
      options_.budget().share(kMovesShare / static_cast<double>(std::max<std::size_t>(options, 1)));
  for (const std::size_t i : open) add_searched(sum, i, temperature, budget, gains);
  std::ranges::stable_sort(gains, [](const MoveGain& a, const MoveGain& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.move < b.move;
  });
  return gains;
}

template <int kSide>
void AmazonsValuer<kSide>::add_exact(const Sum& sum, std::size_t board, Dyadic temperature,
                                     std::vector<MoveGain>& gains) const {
  ThermographSolver<Position> solver;
  const auto thermograph = [&](const Position& position) {
    if constexpr (kSide == 4) {
      if (is_in_database(position)) return database_->thermograph(position);
    }
    return *solver.solve(position);
  };
  const Player player = sum.on_turn();
  const Dyadic mean = thermograph(sum[board]).mean();
  sum[board].for_each_option(player, [&](const AmazonsMove& move, const Position& option) {
    gains.push_back({{static_cast<std::uint8_t>(board), move},
                     gain_of(thermograph(option), player, mean, temperature),
                     true});
    return true;
  });
}

template <int kSide>
void AmazonsValuer<kSide>::add_searched(const Sum& sum, std::size_t board, Dyadic temperature,
                                        const SumBudget& budget, std::vector<MoveGain>& gains) {
  const Player player = sum.on_turn();
  const Dyadic mean = this->board(sum[board], player).value.mean;
  sum[board].for_each_option(player, [&](const AmazonsMove& move, const Position& option) {
    const BoardWorth worth = searched(option, opponent(player), budget);
    gains.push_back({{static_cast<std::uint8_t>(board), move},
                     gain_of(worth.value, player, mean, temperature),
                     false});
    return true;
  });
}

template class AmazonsValuer<4>;
template class AmazonsValuer<5>;
template class AmazonsValuer<6>;

}  // namespace ntune
