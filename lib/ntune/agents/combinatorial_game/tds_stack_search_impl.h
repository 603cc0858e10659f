#pragma once

// Bodies of tds_stack_search.h: alpha-beta over G + C.

#include <utility>

#include "ntune/agents/combinatorial_game/tds_stack_search.h"

namespace ntune {

template <CombinatorialGame Game>
int TdsStackSearch<Game>::value(const Node& node, State state, Window window) {
  if (const auto integer = context_.integer(node)) {
    return side(state.player) * *integer * kTdsOne + frame_.stack.alone(state.level);
  }
  Run run{.node = node, .moves_left = node.game.birthday_bound()};
  const std::size_t bottom = rungs_.size();
  const std::size_t options = context_.list.size();
  int result = 0;
  // 1. Down the coupons until a value is known.
  for (;;) {
    if (!context_.budget.count()) break;
    Rung rung{state, window, is_kept(state) ? hash(node, state) : 0};
    if (look_up(rung)) {
      result = rung.best;
      break;
    }
    try_known_move(run, rung);
    if (rung.best >= window.beta || context_.budget.stopped()) {
      store(rung, run.moves_left);
      result = rung.best;
      break;
    }
    if (state.after_minus_one) {
      if (!context_.has(TdsEnhancement::kPseudoTerminal)) context_.budget.count();
      result = settle(run, rung, -kTdsOne / 2);
      break;
    }
    rungs_.push_back(rung);
    const int coupon = frame_.stack.coupon(state.level);
    state = after_coupon(state);
    window = {coupon - window.beta, coupon - std::max(window.alpha, rung.best)};
  }
  // 2. And up again, with the board moves.
  while (rungs_.size() > bottom && !context_.budget.stopped()) {
    const Rung rung = rungs_.back();
    rungs_.pop_back();
    result = settle(run, rung, frame_.stack.coupon(rung.state.level) - result);
  }
  rungs_.resize(bottom);
  context_.list.resize(options);
  return result;
}

/// The value of a state, given the value of taking its coupon.
template <CombinatorialGame Game>
int TdsStackSearch<Game>::settle(Run& run, Rung rung, int coupon) {
  note(run, rung, false);
  if (coupon >= rung.best) {
    rung.best = coupon;
    rung.move = TdsTable::kNoMove;
  }
  if (rung.best < rung.window.beta && allows_board_moves(run, rung.state.level)) {
    try_options(run, rung);
  }
  if (context_.budget.stopped()) return 0;
  store(rung, run.moves_left);
  note(run, rung, true);
  return rung.best;
}

/// Tries the board move that was best before, ahead of the coupon.
template <CombinatorialGame Game>
void TdsStackSearch<Game>::try_known_move(Run& run, Rung& rung) {
  const int known = std::exchange(rung.move, TdsTable::kNoMove);
  if (known == TdsTable::kNoMove || !allows_board_moves(run, rung.state.level)) return;
  make_options(run, rung.state.player);
  const std::size_t player = index(rung.state.player);
  for (std::size_t i = run.begin[player]; i < run.end[player]; ++i) {
    if (context_.list[i].index == known) {
      try_option(i, run, rung);
      return;
    }
  }
}

template <CombinatorialGame Game>
void TdsStackSearch<Game>::try_options(Run& run, Rung& rung) {
  make_options(run, rung.state.player);
  if (context_.has(TdsEnhancement::kProbing) && probe_options(run, rung)) return;
  const std::size_t begin = run.begin[index(rung.state.player)];
  for (std::size_t i = begin; i < run.end[index(rung.state.player)]; ++i) {
    // An option that improves the value goes to the front, since the next coupon meets the same
    // options.
    const int before = std::max(rung.best, rung.window.alpha);
    const bool cut = try_option(i, run, rung);
    if (context_.budget.stopped()) return;
    if (rung.best > before) {  // it comes first at the next coupon
      const auto at = context_.list.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto one = context_.list.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(at, one, one + 1);
    }
    if (cut) return;
  }
}

template <CombinatorialGame Game>
void TdsStackSearch<Game>::make_options(Run& run, Player player) {
  const std::size_t i = index(player);
  // The options of a node are made once for all coupons of a run.
  if (std::exchange(run.made[i], true)) return;
  auto& list = context_.list;
  run.begin[i] = list.size();
  context_.add_options(run.node, player, TdsTable::kNoMove);
  run.end[i] = list.size();
  std::sort(list.begin() + static_cast<std::ptrdiff_t>(run.begin[i]), list.end(),
            [](const auto& a, const auto& b) {
              return a.score != b.score ? a.score > b.score : a.index < b.index;
            });
}

/// Searches an option; whether it cuts off.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::try_option(std::size_t at, const Run& run, Rung& rung) {
  const TdsOption<Game> option = context_.list[at];
  const State next{opponent(rung.state.player), rung.state.level, false, rung.state.taken};
  const Window window{-rung.window.beta, -std::max(rung.window.alpha, rung.best)};
  const int result = -value(option.node, next, window);
  if (context_.budget.stopped()) return true;
  if (result > rung.best) {
    rung.best = result;
    rung.move = option.index;
  }
  if (result < rung.window.beta) return false;
  context_.reward(rung.state.player, option.slot, run.moves_left);
  return true;
}

/// Whether an option is known to cut off.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::probe_options(const Run& run, Rung& rung) const {
  const State next{opponent(rung.state.player), rung.state.level, false, rung.state.taken};
  const std::size_t player = index(rung.state.player);
  for (std::size_t i = run.begin[player]; i < run.end[player]; ++i) {
    const TdsOption<Game>& option = context_.list[i];
    const auto* const entry =
        context_.table.find(hash(option.node, next), TdsTable::kOther, -kTdsOne);
    if (entry == nullptr || -entry->bounds().upper < rung.window.beta) continue;
    rung.best = -entry->bounds().upper;
    rung.move = option.index;
    return true;
  }
  return false;
}

template <CombinatorialGame Game>
bool TdsStackSearch<Game>::allows_board_moves(Run& run, int level) {
  if (level == 0) return true;
  if (context_.has(TdsEnhancement::kPossibleTemperatures) &&
      !is_possible_level(level, run.moves_left)) {
    return false;
  }
  if (!context_.has(TdsEnhancement::kRecursive) || run.node.hash == frame_.root) return true;
  if (!run.temperature) run.temperature = follower_temperature(run.node);
  return run.temperature && frame_.stack.coupon(level) <= *run.temperature;
}

/// E2: both levels below a possible temperature, so that both players meet one, and those of the
/// root for all followers, so that threats are answered; see also the position's own highest.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::is_possible_level(int level, int moves_left) const {
  const Dyadic coupon = frame_.stack.coupon_value(level);
  if (context_.options.literal_e2) return is_temperature_by_day(coupon, moves_left);
  if (coupon > std::max(moves_left - 1, 0)) return false;
  return is_temperature_by_day(coupon, frame_.moves_left) ||
         is_temperature_by_day(frame_.stack.coupon_value(level + 1), frame_.moves_left);
}

/// E4: the exact temperature of a follower, by a separate search; none if the budget ended. Where a
/// coarse delta is asked for, that search has the delta of its caller, and the result is 2 delta
/// above what it reads, as in E1. Exact temperatures took more nodes than they saved there.
template <CombinatorialGame Game>
std::optional<int> TdsStackSearch<Game>::follower_temperature(const Node& node) {
  constexpr std::uint64_t kTemperature = 0x54;
  const int moves_left = node.game.birthday_bound();
  const int finest = std::min(moves_left, kTdsExponents);
  const bool is_exact = context_.options.delta_exponent.automatic;
  const int exponent = is_exact ? finest : std::min(finest, frame_.stack.exponent());
  const std::uint64_t key =
      mix64(node.hash ^ mix64(kTemperature + (static_cast<std::uint64_t>(exponent) << 8)));
  if (const auto* const entry = context_.table.find(key, TdsTable::kOther, -kTdsOne)) {
    return entry->bounds().lower;
  }
  const Frame outer = std::exchange(frame_, Frame{.is_within = true});
  const auto finding =
      discover(node.game, exponent, TdsTies::kCoupon, moves_left - 1, [](const TdsFinding&) {});
  frame_ = outer;
  if (!finding) return std::nullopt;
  Dyadic temperature = finding->prior();
  if (!context_.options.literal_e4) {
    temperature = exponent < finest ? temperature + 2 * Dyadic::power(exponent)
                                    : possible_temperature_from(temperature, moves_left);
  }
  const auto units = static_cast<int>(temperature.units() >> (Dyadic::kBits - kTdsBits));
  context_.table.improve(key, TdsTable::kOther, -kTdsOne, {units, units}, TdsTable::kNoMove,
                         moves_left);
  return units;
}

/// Whether the table has values of such states.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::is_kept(const State& state) const {
  return !state.after_minus_one || context_.has(TdsEnhancement::kGeneralTable);
}

/// Whether the table answers; else the move that was best before.
template <CombinatorialGame Game>
bool TdsStackSearch<Game>::look_up(Rung& rung) const {
  if (!is_kept(rung.state)) return false;
  // An exact value always answers, a bound only where it lies outside of the window.
  const auto* const entry = context_.table.find(rung.key, TdsTable::kOther, -kTdsOne);
  if (entry == nullptr) return false;
  const TdsBounds bounds = entry->bounds();
  rung.move = entry->move();
  if (bounds.lower >= rung.window.beta || bounds.lower == bounds.upper) {
    rung.best = bounds.lower;
    return true;
  }
  if (bounds.upper > rung.window.alpha) return false;
  rung.best = bounds.upper;
  return true;
}

template <CombinatorialGame Game>
void TdsStackSearch<Game>::store(const Rung& rung, int moves_left) {
  if (context_.budget.stopped() || !is_kept(rung.state)) return;
  // Above alpha the value is a lower bound, below beta an upper one, between them both.
  TdsBounds bounds;
  if (rung.best > rung.window.alpha) bounds.lower = rung.best;
  if (rung.best < rung.window.beta) bounds.upper = rung.best;
  context_.table.improve(rung.key, TdsTable::kOther, -kTdsOne, bounds, rung.move, moves_left);
}

/// With E3 all searches share values, at c = -1 whatever their delta; without, a value belongs to
/// one search and the coupons taken before.
template <CombinatorialGame Game>
std::uint64_t TdsStackSearch<Game>::hash(const Node& node, const State& state) const {
  const bool nu = state.after_minus_one && !context_.options.literal_key;
  const bool general = context_.has(TdsEnhancement::kGeneralTable);
  auto rest = static_cast<std::uint64_t>(frame_.stack.coupon(state.level) + kTdsOne);
  rest = rest * 256 + index(state.player) * 2 + (nu ? 1 : 0) + 4;
  if (state.level > 0 || !general) rest += static_cast<std::uint64_t>(frame_.stack.exponent()) * 8;
  if (!general) {
    rest = mix64(rest ^ frame_.number << 40) + static_cast<std::uint64_t>(state.taken);
  }
  return mix64(node.hash ^ mix64(rest));
}

template <CombinatorialGame Game>
typename TdsStackSearch<Game>::State TdsStackSearch<Game>::after_coupon(const State& state) const {
  const int taken = state.taken + side(state.player) * frame_.stack.coupon(state.level);
  if (state.level == 0) return {opponent(state.player), 0, true, taken};
  return {opponent(state.player), state.level - 1, false, taken};
}

/// Keeps track of the root's own run.
template <CombinatorialGame Game>
void TdsStackSearch<Game>::note(const Run& run, const Rung& rung, bool is_settled) {
  if (frame_.is_within || run.node.hash != frame_.root || rung.state.after_minus_one) return;
  progress_.level = rung.state.level;
  if (!is_settled) return;
  progress_.settled_level = rung.state.level;
  progress_.value = rung.best;
  if (rung.move != TdsTable::kNoMove) progress_.board_level = rung.state.level;
}

}  // namespace ntune
