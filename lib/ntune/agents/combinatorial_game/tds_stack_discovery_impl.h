#pragma once

// Bodies of tds_stack_search.h: the searches of one problem, and what they find on the root's run
// of coupons.

#include "ntune/agents/combinatorial_game/tds_stack_search.h"

namespace ntune {

template <CombinatorialGame Game>
template <class Done>
std::optional<TdsFinding> TdsStackSearch<Game>::discover(const Game& game, int exponent,
                                                         TdsTies ties, Dyadic t_max, Done&& done) {
  const Node node = context_.node(game);
  const bool presearches = context_.has(TdsEnhancement::kPresearches);
  for (int e = presearches ? 0 : exponent;; ++e) {
    frame_.stack = CouponStack(e);
    const Dyadic old_delta = Dyadic::power(std::max(e - 1, 0));
    for (;; t_max += old_delta) {  // again only if the 2-delta conjecture fails
      t_max = std::clamp(t_max, Dyadic(-1), Dyadic(kHottest));
      // A board move at -1 would say nothing: integers have some.
      const int level = std::max(frame_.stack.level_from(t_max), 1);
      const auto finding = search(game, node, level, ties);
      if (!finding) return std::nullopt;
      done(*finding);
      if (finding->failed && t_max < kHottest) continue;
      if (e == exponent) return finding;
      t_max = finding->prior() + context_.options.margin * Dyadic::power(e);
      break;
    }
  }
}

template <CombinatorialGame Game>
std::optional<TdsFinding> TdsStackSearch<Game>::search(const Game& game, const Node& node,
                                                       int level, TdsTies ties) {
  frame_.root = node.hash;
  frame_.moves_left = node.game.birthday_bound();
  frame_.number = ++searches_;
  if (!frame_.is_within) progress_ = {.stack = frame_.stack, .start = level, .level = level};
  TdsFinding finding{.stack = frame_.stack, .level = level};
  finding.score = value(node, {.level = level}, {});
  if (context_.budget.stopped()) return std::nullopt;
  finding.failed = !coupon_is_best(node, {.level = level}, finding.score);
  finding.board_level = first_board_level(game, node, finding, ties);
  if (context_.budget.stopped()) return std::nullopt;
  return finding;
}

template <CombinatorialGame Game>
int TdsStackSearch<Game>::first_board_level(const Game& game, const Node& node,
                                            const TdsFinding& finding, TdsTies ties) {
  State state{.level = finding.level};
  int value = finding.score;
  while (state.level > 0) {
    if (ties == TdsTies::kBoard && best_board_move(game, state, value)) return state.level;
    if (!coupon_is_best(node, state, value)) return state.level;
    value = frame_.stack.coupon(state.level) - value;
    state = after_coupon(state);
  }
  return 0;
}

/// Whether the coupon is a best move of a state with that value, not at the bottom.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::coupon_is_best(const Node& node, const State& state, int value) {
  const int left_over = frame_.stack.coupon(state.level) - value;
  return this->value(node, after_coupon(state), {left_over, left_over + 1}) <= left_over;
}

template <CombinatorialGame Game>
std::optional<typename Game::Move> TdsStackSearch<Game>::best_board_move(const Game& game,
                                                                         const State& state,
                                                                         int value) {
  std::optional<typename Game::Move> found;
  const Node node = context_.node(game);
  Run run{.node = node, .moves_left = node.game.birthday_bound()};
  if (!allows_board_moves(run, state.level)) return found;
  const State next{opponent(state.player), state.level, false, state.taken};
  game.for_each_option(state.player, [&](const auto& move, const Game& option) {
    const bool is_best = this->value(context_.node(option), next, {-value, -value + 1}) <= -value;
    if (is_best && !context_.budget.stopped()) found = move;
    return !found && !context_.budget.stopped();
  });
  return found;
}

template <CombinatorialGame Game>
std::vector<TdsMove<Game>> TdsStackSearch<Game>::variation(const Game& game,
                                                           const TdsFinding& finding, TdsTies ties,
                                                           bool whole) {
  // The variation is found by asking again, with null windows, which move keeps the value that the
  // search found.
  std::vector<TdsMove<Game>> moves;
  Game at = game;
  State state{.level = finding.level};
  int value = finding.score;
  while (!context_.budget.stopped()) {
    const Node node = context_.node(at);
    if (context_.integer(node)) break;
    const int coupon = frame_.stack.coupon(state.level);
    // After a coupon of -1 a second one ends play, at the value of -1/2 for its taker.
    const bool is_last = state.after_minus_one;
    const auto coupon_first = [&] {
      return is_last ? value == -kTdsOne / 2 : coupon_is_best(node, state, value);
    };
    // Among equally good moves `ties` says whether the board or the coupon is asked first.
    std::optional<typename Game::Move> move;
    if (ties == TdsTies::kBoard) {
      move = best_board_move(at, state, value);
    } else if (!coupon_first()) {
      move = best_board_move(at, state, value);
    }
    if (context_.budget.stopped()) break;
    if (move) {
      moves.push_back({state.player, false, Dyadic(), *move});
      if (!whole) break;
      at = at.after(state.player, *move);
      state = {opponent(state.player), state.level, false, state.taken};
      value = -value;
      continue;
    }
    moves.push_back({state.player, true, frame_.stack.coupon_value(state.level), {}});
    if (is_last) break;
    state = after_coupon(state);
    value = coupon - value;
  }
  return moves;
}

}  // namespace ntune
