#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "ntune/agents/combinatorial_game/tds_context.h"
#include "ntune/agents/combinatorial_game/tds_options.h"
#include "ntune/agents/combinatorial_game/tds_stack_search.h"
#include "ntune/agents/combinatorial_game/tds_walls.h"
#include "ntune/agents/combinatorial_game/thermograph.h"

namespace ntune {

/// The result of temperature discovery search for a game.
template <CombinatorialGame Game>
struct TdsResult {
  ThermographValue value;
  bool is_exact = false;     ///< whether the value is proved; else it is an approximation
  bool is_finished = false;  ///< whether the search with the delta asked for was completed
  int delta_exponent = 0;    ///< of the last search that was completed
  Dyadic t_max;              ///< its largest coupon
  std::int64_t nodes = 0;
  double seconds = 0.0;  ///< processor time of the thread
  int searches = 0;      ///< searches that were completed
  int re_searches = 0;   ///< those of them whose t_max was too small
  /// The principal variation up to its first board move, or the whole. Empty with E6 and where no
  /// search was completed.
  std::vector<TdsMove<Game>> variation;
};

/// Temperature discovery search: mean and temperature of a loop-free game by forward search
/// (Mueller, Enzenberger and Schaeffer 2004; TDS+: Zhang and Mueller 2015). Exact for delta = 2^-n,
/// n moves left, ties to the coupon and the rounded reading. One per thread: it holds the table.
/// Results do not depend on what was searched before, nor, but for a limit of seconds, on the
/// machine.
template <CombinatorialGame Game>
class TemperatureDiscovery {
 public:
  /// Throws InputError as TdsOptions::check.
  explicit TemperatureDiscovery(const TdsOptions& options)
      : options_((options.check(), options)),
        context_(options.table_mb),
        stack_search_(context_),
        walls_(context_) {}

  /// Stops as at a limit when `stop` becomes true.
  TdsResult<Game> solve(const Game& game, const std::atomic<bool>* stop = nullptr);

 private:
  using Result = TdsResult<Game>;

  void solve_by_stack(const Game& game, int exponent, Result& result);
  void solve_by_walls(const Game& game, int exponent, Result& result);
  [[nodiscard]] ThermographValue read(const TdsFinding& finding, int moves_left) const;
  void approximate(const TdsProgress& progress, int moves_left, Result& result) const;
  [[nodiscard]] Dyadic no_board_move(Dyadic smallest, Dyadic largest) const;
  [[nodiscard]] Dyadic first_t_max(int moves_left, int exponent) const;
  [[nodiscard]] bool is_sound() const;

  TdsOptions options_;
  TdsContext<Game> context_;
  TdsStackSearch<Game> stack_search_;
  TdsWalls<Game> walls_;
};

template <CombinatorialGame Game>
TdsResult<Game> TemperatureDiscovery<Game>::solve(const Game& game, const std::atomic<bool>* stop) {
  context_.begin(options_, stop);
  Result result;
  const auto node = context_.node(game);
  const int moves_left = node.game.birthday_bound();
  if (const auto integer = context_.integer(node)) {
    result.value.mean = *integer;
    result.is_exact = true;
    result.is_finished = true;
  } else {
    const int finest = std::min(moves_left, kTdsExponents);
    const int exponent = options_.delta_exponent.automatic
                             ? finest
                             : static_cast<int>(options_.delta_exponent.value);
    if (context_.has(TdsEnhancement::kWalls)) {
      solve_by_walls(game, exponent, result);
    } else {
      solve_by_stack(game, exponent, result);
    }
    result.is_exact = result.is_finished && exponent >= moves_left && is_sound();
  }
  result.nodes = context_.budget.nodes();
  result.seconds = context_.budget.elapsed();
  return result;
}

template <CombinatorialGame Game>
void TemperatureDiscovery<Game>::solve_by_stack(const Game& game, int exponent, Result& result) {
  const int moves_left = context_.node(game).game.birthday_bound();
  const auto finding =
      stack_search_.discover(game, exponent, options_.ties, first_t_max(moves_left, exponent),
                             [&](const TdsFinding& found) {
                               ++result.searches;
                               if (found.failed) ++result.re_searches;
                               result.value = read(found, moves_left);
                               result.delta_exponent = found.stack.exponent();
                               result.t_max = found.stack.coupon_value(found.level);
                             });
  if (finding) {
    result.is_finished = true;
    result.variation = stack_search_.variation(game, *finding, options_.ties, options_.variation);
  } else if (result.searches == 0) {
    approximate(stack_search_.progress(), moves_left, result);
  }
}

template <CombinatorialGame Game>
void TemperatureDiscovery<Game>::solve_by_walls(const Game& game, int exponent, Result& result) {
  const auto node = context_.node(game);
  const int moves_left = node.game.birthday_bound();
  const int finest = std::clamp(std::min(exponent, moves_left), 1, kTdsExponents);
  result.delta_exponent = finest;
  result.t_max = moves_left - 1;
  if (const auto found = walls_.solve(node, finest)) {
    result.value = {found->mean, possible_temperature_from(found->temperature, moves_left)};
    result.is_finished = true;
    result.searches = 1;
    return;
  }
  const Dyadic highest = std::max(moves_left - 1, -1);
  result.value = {walls_.middle_mean(),
                  walls_.likely_temperature().value_or(no_board_move(-1, highest))};
}

template <CombinatorialGame Game>
ThermographValue TemperatureDiscovery<Game>::read(const TdsFinding& finding, int moves_left) const {
  switch (options_.reading) {
    case TdsReading::kPrior:
      return {finding.mean(), finding.prior()};
    case TdsReading::kTop:
      return {finding.mean(), finding.top()};
    case TdsReading::kRounded:
      break;
  }
  return {finding.mean(), possible_temperature_from(finding.prior(), moves_left)};
}

/// Approximates mean and temperature from a search that was stopped. Its principal variation takes
/// the coupons from the largest down to the first settled level with a board move, or to the last
/// level seen.
template <CombinatorialGame Game>
void TemperatureDiscovery<Game>::approximate(const TdsProgress& progress, int moves_left,
                                             Result& result) const {
  const CouponStack& stack = progress.stack;
  result.delta_exponent = stack.exponent();
  result.t_max = stack.coupon_value(progress.start);
  if (progress.board_level >= 0) {
    TdsFinding finding{.stack = stack, .level = progress.start};
    finding.board_level = progress.board_level;
    result.value.temperature = read(finding, moves_left).temperature;
  } else {
    const int lowest = progress.settled_level >= 0 ? 0 : progress.level;
    result.value.temperature = no_board_move(stack.coupon_value(lowest), result.t_max);
  }
  if (progress.settled_level < 0) return;
  int score = progress.value;
  for (int level = progress.settled_level + 1; level <= progress.start; ++level) {
    score = stack.coupon(level) - score;
  }
  result.value.mean = Dyadic::ratio(score - stack.alone(progress.start), kTdsBits);
}

template <CombinatorialGame Game>
Dyadic TemperatureDiscovery<Game>::no_board_move(Dyadic smallest, Dyadic largest) const {
  switch (options_.no_board_move) {
    case TdsNoBoardMove::kHalfSmallest:
      return smallest.half();
    case TdsNoBoardMove::kSmallest:
      return smallest;
    case TdsNoBoardMove::kHalfLargest:
      return largest.half();
    case TdsNoBoardMove::kLargest:
      return largest;
    case TdsNoBoardMove::kMinusOne:
      break;
  }
  return -1;
}

template <CombinatorialGame Game>
Dyadic TemperatureDiscovery<Game>::first_t_max(int moves_left, int exponent) const {
  if (!options_.t_max.automatic) {
    const auto units = static_cast<std::int64_t>(options_.t_max.value * kTdsOne);
    return Dyadic::ratio(units, kTdsBits);
  }
  const Dyadic bound = moves_left - 1;
  return context_.has(TdsEnhancement::kPresearches) ? bound : bound + Dyadic::power(exponent);
}

template <CombinatorialGame Game>
bool TemperatureDiscovery<Game>::is_sound() const {
  const bool by_walls = context_.has(TdsEnhancement::kWalls);
  const bool sound_search = !options_.literal_e2 && !options_.literal_e4 && !options_.literal_key;
  const bool sound_reading =
      options_.ties == TdsTies::kCoupon && options_.reading == TdsReading::kRounded;
  return by_walls || (sound_search && sound_reading);
}

}  // namespace ntune
