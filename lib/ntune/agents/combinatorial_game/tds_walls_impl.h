// The search for walls, included by tds_walls.h.

#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ntune/agents/combinatorial_game/tds_walls.h"

namespace ntune {

template <CombinatorialGame Game>
std::optional<ThermographValue> TdsWalls<Game>::solve(const Node& root, int exponent) {
  exponent_ = exponent;
  const int moves_left = root.game.birthday_bound();
  const int grid = step(moves_left);
  // 1. The mean.
  int& low = mean_bounds_.lower;
  int& high = mean_bounds_.upper;
  low = -moves_left * kTdsOne;
  high = -low;
  likely_.reset();
  while (low < high) {
    const int v = simplest_between(low, high + grid, grid);
    const int bound = mean(root, v, kTdsInfinity);
    if (context_.budget.stopped()) return std::nullopt;
    (bound >= v ? low : high) = std::clamp(bound, low, high);
    const Bounds bounds = known(root, Player::kLeft, kTdsInfinity);
    if (bounds.hint >= 0) likely_ = hinted_temperature(bounds);
  }
  // 2. The lowest temperature at which neither scaffold is beyond the mean.
  int hot = -kTdsOne - grid;
  int cold = std::max(moves_left - 1, 0) * kTdsOne;
  while (cold - hot > grid) {
    const int c = simplest_between(hot, cold, grid);
    const bool is_settled = scaffold(root, Player::kLeft, c, low + 1) <= low &&
                            scaffold(root, Player::kRight, c, -low + 1) <= -low;
    if (context_.budget.stopped()) return std::nullopt;
    (is_settled ? cold : hot) = c;
    likely_ = (hot + cold) / 2;
  }
  return ThermographValue{Dyadic::ratio(low, kTdsBits), Dyadic::ratio(cold, kTdsBits)};
}

template <CombinatorialGame Game>
int TdsWalls<Game>::wall(const Node& node, Player player, int c, int at_least) {
  if (const auto integer = context_.integer(node)) {
    return *integer * (player == Player::kLeft ? kTdsOne : -kTdsOne);
  }
  const int moves_left = node.game.birthday_bound();
  // Above the highest possible temperature the wall is the mast, whose value is the mean.
  if (c >= (moves_left - 1) * kTdsOne) return players_mean(node, player, at_least, kTdsInfinity);
  // The wall is the higher one of scaffold and mean, so bounds of either may answer the question.
  const Bounds bounds = known(node, player, c);
  const int lower = std::max(bounds.mean.lower, bounds.scaffold.lower);
  if (lower >= at_least) return lower;
  const int upper = std::max(bounds.mean.upper, bounds.scaffold.upper);
  if (upper < at_least) return upper;

  if (bounds.hint >= 0 && hinted_temperature(bounds) < c) {  // likely above the temperature
    const int middle = players_mean(node, player, at_least, kTdsInfinity);
    if (middle >= at_least || context_.budget.stopped()) return middle;
    return std::max(middle, scaffold(node, player, c, at_least));
  }
  // The player's own scaffold first: if it is high enough, so is the wall. Else the opponent's
  // scaffold tells whether the mean can be.
  const int players_scaffold = scaffold(node, player, c, at_least);
  if (players_scaffold >= at_least || context_.budget.stopped()) return players_scaffold;
  const int opponents_scaffold = -scaffold(node, opponent(player), c, -at_least + 1);
  if (context_.budget.stopped()) return 0;
  if (opponents_scaffold < at_least) {  // neither scaffold is so high, nor is the mean
    const int bound = std::max(players_scaffold, opponents_scaffold);
    if (context_.has(TdsEnhancement::kSharedBounds)) {
      store_mean(node,
                 player == Player::kLeft ? TdsBounds{.upper = bound} : TdsBounds{.lower = -bound},
                 TdsTable::kNoMove);
    }
    return bound;
  }
  // At -1 the scaffolds may have crossed already: the game is then the integer between them that is
  // nearest to 0.
  if (c == -kTdsOne) return std::max(players_scaffold, std::min(opponents_scaffold, 0));
  // At c the opponent's scaffold alone is high enough, so the crossing is sought below c.
  return std::max(players_scaffold, players_mean(node, player, at_least, c));
}

template <CombinatorialGame Game>
int TdsWalls<Game>::scaffold(const Node& node, Player player, int c, int at_least) {
  const TdsBounds bounds = known(node, player, c).scaffold;
  if (bounds.lower >= at_least) return bounds.lower;
  if (bounds.upper < at_least) return bounds.upper;
  if (!context_.budget.count()) return 0;
  int move = TdsTable::kNoMove;
  // The question is asked of the options, and its answer is a bound that the table keeps.
  const int best = search_options(node, player, c, at_least, move);
  if (context_.budget.stopped()) return 0;
  context_.table.improve(hash(node), kind_of(player), c,
                         best >= at_least ? TdsBounds{.lower = best} : TdsBounds{.upper = best},
                         move, node.game.birthday_bound());
  return best;
}

template <CombinatorialGame Game>
int TdsWalls<Game>::search_options(const Node& node, Player player, int c, int at_least,
                                   int& move) {
  const int bound = -(at_least + c) + 1;
  int best = -kTdsInfinity;
  // 1. The move that was best before, without making the others.
  const int hint = hinted_move(node, player, c);
  if (hint != TdsTable::kNoMove) {
    const Node option = context_.option(node, player, hint);
    best = -wall(option, opponent(player), c, bound) - c;
    if (best >= at_least) move = hint;
    if (best >= at_least || context_.budget.stopped()) return best;
  }
  // 2. The others.
  auto& list = context_.list;
  const std::size_t begin = list.size();
  context_.add_options(node, player, hint);
  for (std::size_t i = begin; i < list.size(); ++i) context_.table.prefetch(list[i].node.hash);
  bool done = context_.has(TdsEnhancement::kProbing) &&
              probe_options(begin, opponent(player), c, bound, best, move);
  for (std::size_t i = begin; i < list.size() && !done; ++i) {
    context_.select(i, list.size());
    const TdsOption<Game> option = list[i];
    const int value = -wall(option.node, opponent(player), c, bound) - c;
    if (context_.budget.stopped()) break;
    best = std::max(best, value);
    done = value >= at_least;
    if (done) {
      move = option.index;
      context_.reward(player, option.slot, node.game.birthday_bound());
    }
  }
  list.resize(begin);
  return best;
}

/// Asks the table for every option whether its wall is below `bound`, which answers the question,
/// and drops those that are known not to be.
template <CombinatorialGame Game>
bool TdsWalls<Game>::probe_options(std::size_t begin, Player opponent, int c, int bound, int& best,
                                   int& move) {
  auto& list = context_.list;
  std::size_t kept = begin;
  for (std::size_t i = begin; i < list.size(); ++i) {
    const Bounds bounds = known(list[i].node, opponent, c);
    const int upper = std::max(bounds.mean.upper, bounds.scaffold.upper);
    if (upper < bound) {
      best = -upper - c;
      move = list[i].index;
      return true;
    }
    const int lower = std::max(bounds.mean.lower, bounds.scaffold.lower);
    if (lower >= bound) {
      best = std::max(best, -lower - c);
    } else {
      list[kept++] = list[i];
    }
  }
  list.resize(kept);
  return false;
}

template <CombinatorialGame Game>
int TdsWalls<Game>::mean(const Node& node, int at_least, int below) {
  const int moves_left = node.game.birthday_bound();
  const int grid = step(moves_left);
  at_least = round_up(at_least, grid);
  const Bounds bounds = known(node, Player::kLeft, kTdsInfinity);
  if (bounds.mean.lower >= at_least) return bounds.mean.lower;
  if (bounds.mean.upper < at_least) return bounds.mean.upper;
  const int high = std::min((moves_left - 1) * kTdsOne + grid, round_up(below, grid));
  const int low = -kTdsOne - grid;
  // Most positions are cooler than the middle.
  const int first =
      bounds.hint >= 0
          ? round_up(hinted_temperature(bounds), grid)
          : simplest_between(low, low + std::max(round_down((high - low) / 2, grid), 2 * grid),
                             grid);
  const Crossing found = find_crossing(node, at_least, low, high, first);
  if (context_.budget.stopped()) return 0;
  const int hint = std::min((found.temperature + kTdsOne) / kHintUnit, TdsTable::kNoMove - 1);
  if (found.value >= at_least) {
    const int value = round_up(found.value, grid);
    store_mean(node, {.lower = value}, hint);
    return value;
  }
  const int value = round_down(found.value, grid);
  store_mean(node, {.upper = value}, hint);
  return value;
}

/// Looks between `low`, where Left's scaffold alone is at least `at_least`, and `high`, where
/// Right's alone is.
template <CombinatorialGame Game>
typename TdsWalls<Game>::Crossing TdsWalls<Game>::find_crossing(const Node& node, int at_least,
                                                                int low, int high, int first) {
  const int grid = step(node.game.birthday_bound());
  for (int c = first; high - low > grid; c = simplest_between(low, high, grid)) {
    if (c <= low || c >= high) continue;
    const int left = scaffold(node, Player::kLeft, c, at_least);
    if (context_.budget.stopped()) return {0, c};
    const int right = -scaffold(node, Player::kRight, c, -at_least + 1);
    if (context_.budget.stopped()) return {0, c};
    if (left >= at_least && right >= at_least) return {std::min(left, right), c};
    if (left < at_least && right < at_least) return {std::max(left, right), c};
    // Slopes are 0 and 1, so the same holds some way on.
    if (left >= at_least) {
      const int further = std::min(left - at_least, at_least - right - 1);
      low = std::min(c + round_down(further, grid), high - grid);
    } else if (c == -kTdsOne) {
      return {at_least <= 0 ? std::min(right, 0) : std::max(left, 0), c};
    } else {
      const int further = std::min(at_least - left - 1, right - at_least);
      high = std::max(c - round_down(further, grid), std::max(low, -kTdsOne) + grid);
    }
  }
  // Only on a grid too coarse for the position: the scaffolds pass each other between its points.
  assert(node.game.birthday_bound() > exponent_);
  return {at_least <= 0 ? at_least : at_least - grid, std::max(low, -kTdsOne)};
}

template <CombinatorialGame Game>
typename TdsWalls<Game>::Bounds TdsWalls<Game>::known(const Node& node, Player player,
                                                      int c) const {
  Bounds result;
  const std::uint64_t key = hash(node);
  const bool share = context_.has(TdsEnhancement::kSharedBounds);
  const Kind kind = kind_of(player);
  for (const TdsTable::Entry& entry : context_.table.bucket(key)) {
    if (!entry.is_of(key)) continue;
    const TdsBounds bounds = entry.bounds();
    if (entry.kind() == TdsTable::kOther) {
      result.mean = player == Player::kLeft ? bounds : TdsBounds{-bounds.upper, -bounds.lower};
      if (entry.move() != TdsTable::kNoMove) result.hint = entry.move();
    } else if (entry.kind() == kind && c < kTdsInfinity) {
      // The scaffold falls as the temperature rises, at most as fast as that.
      const int above = entry.temperature() - c;
      if (above != 0 && !share) continue;
      if (bounds.lower > -kTdsInfinity) {
        result.scaffold.lower = std::max(result.scaffold.lower, bounds.lower + std::min(above, 0));
      }
      if (bounds.upper < kTdsInfinity) {
        result.scaffold.upper = std::min(result.scaffold.upper, bounds.upper + std::max(above, 0));
      }
    }
  }
  return result;
}

template <CombinatorialGame Game>
void TdsWalls<Game>::store_mean(const Node& node, TdsBounds bounds, int hint) {
  const int moves_left = node.game.birthday_bound();
  const int grid = step(moves_left);
  if (bounds.lower > -kTdsInfinity) bounds.lower = round_up(bounds.lower, grid);
  if (bounds.upper < kTdsInfinity) bounds.upper = round_down(bounds.upper, grid);
  context_.table.improve(hash(node, moves_left), TdsTable::kOther, -kTdsOne, bounds, hint,
                         moves_left);
}

template <CombinatorialGame Game>
int TdsWalls<Game>::hinted_move(const Node& node, Player player, int c) const {
  int move = TdsTable::kNoMove;
  const std::uint64_t key = hash(node);
  for (const TdsTable::Entry& entry : context_.table.bucket(key)) {
    if (!entry.is_of(key) || entry.kind() != kind_of(player)) continue;
    if (entry.move() == TdsTable::kNoMove) continue;
    move = entry.move();
    if (entry.temperature() == c) break;
  }
  return move;
}

/// The multiple of the largest power of two within the middle half, at least a step from the ends.
template <CombinatorialGame Game>
int TdsWalls<Game>::simplest_between(int low, int high, int step) {
  const int edge = std::max((high - low) / 4, 1);
  for (int power = 1 << 22; power > step; power /= 2) {
    const int value = round_up(low + edge, power);
    if (value <= high - edge) return value;
  }
  return round_down(low + (high - low) / 2, step);
}

}  // namespace ntune
