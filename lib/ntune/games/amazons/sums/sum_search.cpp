#include "ntune/games/amazons/sums/sum_search.h"

#include <algorithm>
#include <cassert>

#include "ntune/agents/combinatorial_game/tds_context.h"
#include "ntune/core/clock.h"
#include "ntune/core/hash.h"
#include "ntune/core/options.h"

namespace ntune {

namespace {

/// The clock is looked at once in so many nodes; deeper than kMostDepth no sum can be.
constexpr std::int64_t kClockEvery = 256;
constexpr int kMostDepth = 250;

}  // namespace

SumBudget SumBudget::share(double part) const {
  SumBudget result = *this;
  // An unlimited budget stays so.
  if (nodes < std::numeric_limits<std::int64_t>::max()) {
    result.nodes = static_cast<std::int64_t>(part * static_cast<double>(nodes));
  }
  result.seconds *= part;
  return result;
}

void AmazonsSumSearchOptions::visit(Options& options) {
  weights.visit(options);
  options.integer("depth", depth, between(1, kMostDepth), "most plies of the full-board search");
  options.integer("table_bits", table_bits, between(0, 30),
                  "places of its transposition table, as a power of two");
}

template <int kSide>
AmazonsSumSearch<kSide>::AmazonsSumSearch(const AmazonsSumSearchOptions& options)
    : options_(options),
      table_(std::size_t{1} << options.table_bits),
      known_boards_(kKnownBoards) {}

template <int kSide>
typename AmazonsSumSearch<kSide>::Found AmazonsSumSearch<kSide>::best_move(
    const Sum& sum, const SumBudget& budget) {
  assert(!sum.outcome());
  begin(sum, budget);
  Found found;
  // Without a completed search the first move by promise is the answer.
  add_options(options_.depth, nullptr);
  found.move = list_.front().move;
  found.value = list_.front().promise;
  // Iterative deepening, until no line of play met the horizon or the budget ends.
  for (int depth = 1; depth <= options_.depth && !found.is_solved; ++depth) {
    saw_horizon_ = false;
    std::size_t best = 0;
    const int value = search_options(0, depth, -kInfinite, kInfinite, best);
    if (stopped_ && value == -kInfinite) break;
    // A stopped search has compared its first moves, the best one of the last search before all.
    found.move = list_[best].move;
    found.value = value;
    if (stopped_) break;
    found.depth = depth;
    found.is_solved = !saw_horizon_;
    // The best move comes first in the next search.
    const auto at = list_.begin() + static_cast<std::ptrdiff_t>(best);
    std::rotate(list_.begin(), at, at + 1);
  }
  return found;
}

template <int kSide>
int AmazonsSumSearch<kSide>::value(const Sum& sum, int depth) {
  begin(sum, {});
  return visit(depth, -kInfinite, kInfinite);
}

template <int kSide>
void AmazonsSumSearch<kSide>::begin(const Sum& sum, const SumBudget& budget) {
  // Entries hold for one root only, as depths are counted from it.
  std::fill(table_.begin(), table_.end(), Entry());
  list_.clear();
  sum_ = sum;
  total_ = 0;
  open_ = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    values_[i] = value_of(sum[i]);
    total_ += values_[i].value;
    open_ += values_[i].is_integer ? 0 : 1;
  }
  // The sum of both could overflow if there is no limit.
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  last_node_ = budget.nodes < most - nodes_ ? nodes_ + budget.nodes : most;
  last_second_ = thread_seconds() + budget.seconds;
  stopped_ = false;
}

/// Fail-soft; 0 where the budget ends.
template <int kSide>
int AmazonsSumSearch<kSide>::visit(int depth, int alpha, int beta) {
  if (open_ == 0) return ended();
  if (depth == 0) {
    saw_horizon_ = true;
    return side() * total_;
  }
  const std::uint64_t key = this->key();
  Entry& place = table_[key & (table_.size() - 1)];
  const bool is_known = place.key == key && place.bound != ValueBound::kEmpty;
  // The number of burnt squares tells the ply, so that depths are equal within one search.
  if (is_known && place.depth == depth) {
    if (place.bound == ValueBound::kExact ||
        (place.bound == ValueBound::kLower && place.value >= beta) ||
        (place.bound == ValueBound::kUpper && place.value <= alpha)) {
      return place.value;
    }
  }
  // The move is kept, because the place may be overwritten by the searches below.
  const AmazonsSumMove first = place.move;
  const std::size_t begin = list_.size();
  add_options(depth, is_known ? &first : nullptr);
  int value = 0;
  if (list_.size() == begin) {
    // The player on turn cannot move on any board and has lost; the score counts the opponent's
    // moves.
    value = kAmazonsUnit * side() * sum_.outcome()->score - kWin;  // no move
  } else {
    std::size_t best = begin;
    value = search_options(begin, depth, alpha, beta, best);
    // A stopped search has only a bound that was never proved.
    if (!stopped_) {
      place = {key, list_[best].move, static_cast<std::int16_t>(value),
               static_cast<std::uint8_t>(depth),
               value >= beta    ? ValueBound::kLower
               : value <= alpha ? ValueBound::kUpper
                                : ValueBound::kExact};
    }
  }
  list_.resize(begin);
  return value;
}

/// The value of the best of list_[begin …]; -kInfinite where the budget ends before the first.
template <int kSide>
int AmazonsSumSearch<kSide>::search_options(std::size_t begin, int depth, int alpha, int beta,
                                            std::size_t& best) {
  const std::size_t end = list_.size();
  int highest = -kInfinite;
  for (std::size_t i = begin; i < end && highest < beta; ++i) {
    const AmazonsSumMove move = list_[i].move;
    if (!count()) break;
    const BoardValue before = play(move);
    // Principal variation search: after the first move a null window proves the others worse, and
    // one that is better is searched again.
    const int floor = std::max(alpha, highest);
    int value = 0;
    if (i == begin || floor + 1 >= beta) {
      value = -visit(depth - 1, -beta, -floor);
    } else {
      value = -visit(depth - 1, -floor - 1, -floor);
      if (value > floor && value < beta && !stopped_) {
        value = -visit(depth - 1, -beta, -value);
      }
    }
    take_back(move, before);
    if (stopped_) break;
    if (value > highest) {
      highest = value;
      best = i;
    }
  }
  return highest;
}

/// The moves of all boards that are no integers, best first where the order matters. One more move
/// gives up a point of an integer; it is the same on any of these boards.
template <int kSide>
void AmazonsSumSearch<kSide>::add_options(int depth, const AmazonsSumMove* first) {
  const std::size_t begin = list_.size();
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    if (values_[i].is_integer) continue;
    sum_[i].for_each_move(sum_.on_turn(), [&](const AmazonsMove& move) {
      list_.push_back({{static_cast<std::uint8_t>(i), move}, 0});
      return true;
    });
  }
  for (std::size_t i = begin; i < list_.size(); ++i) {
    Option& option = list_[i];
    // At depth 1 all moves are leaves, whose order saves nothing.
    if (depth > 1) {
      const std::size_t board = option.move.board;
      const Position next = sum_[board].after(sum_.on_turn(), option.move.move);
      option.promise = side() * (value_of(next).value - values_[board].value);
    }
    // The best move that the table knows goes before all.
    if (first != nullptr && option.move == *first) option.promise = kInfinite;
  }
  // Equal promises are ordered by the move, so that results do not depend on the sort.
  const auto by_promise = [](const Option& a, const Option& b) {
    return a.promise != b.promise ? a.promise > b.promise : a.move < b.move;
  };
  std::sort(list_.begin() + static_cast<std::ptrdiff_t>(begin), list_.end(), by_promise);
  add_filler();
}

template <int kSide>
void AmazonsSumSearch<kSide>::add_filler() {
  // Any integer on which the player can still move will do; one of them is enough.
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    if (!values_[i].is_integer || !sum_[i].can_move(sum_.on_turn())) continue;
    const int value = values_[i].value / kAmazonsUnit;
    list_.push_back(
        {{static_cast<std::uint8_t>(i), amazons_filler(sum_[i], sum_.on_turn(), value)}});
    return;
  }
}

/// The value of a sum of integers, which has ended.
template <int kSide>
int AmazonsSumSearch<kSide>::ended() const {
  // A won sum is worth more the more moves are left over, beyond all evaluations.
  const int value = side() * total_;
  return value > 0 ? value + kWin : value - kWin;
}

template <int kSide>
std::uint64_t AmazonsSumSearch<kSide>::key() const {
  // The key depends on the order of boards, as moves name them by their place.
  std::uint64_t key = side() > 0 ? 1 : 2;
  for (std::size_t i = 0; i < sum_.size(); ++i) key = mix64(key + values_[i].key);
  return key;
}

template <int kSide>
typename AmazonsSumSearch<kSide>::BoardValue AmazonsSumSearch<kSide>::value_of(
    const Position& board) {
  const std::uint64_t key = board.key();
  // Boards recur in many sums of one game, so their values are cached by key; an older one is
  // replaced.
  BoardValue& known = known_boards_[key & (kKnownBoards - 1)];
  if (known.key == key) return known;
  const auto integer = board.integer_value();
  const int value =
      integer ? *integer * kAmazonsUnit : amazons_evaluation<kSide>(board, options_.weights);
  known = {key, value, integer.has_value()};
  return known;
}

/// Makes a move and returns what the board was worth before.
template <int kSide>
typename AmazonsSumSearch<kSide>::BoardValue AmazonsSumSearch<kSide>::play(
    const AmazonsSumMove& move) {
  sum_.apply(move);
  const BoardValue before = values_[move.board];
  BoardValue& now = values_[move.board];
  now = value_of(sum_[move.board]);
  total_ += now.value - before.value;
  open_ += (now.is_integer ? 0 : 1) - (before.is_integer ? 0 : 1);
  return before;
}

template <int kSide>
void AmazonsSumSearch<kSide>::take_back(const AmazonsSumMove& move, const BoardValue& before) {
  sum_.undo(move);
  BoardValue& now = values_[move.board];
  total_ += before.value - now.value;
  open_ += (before.is_integer ? 0 : 1) - (now.is_integer ? 0 : 1);
  now = before;
}

template <int kSide>
bool AmazonsSumSearch<kSide>::count() {
  // A node is counted only if it is visited.
  if (nodes_ >= last_node_ || (nodes_ % kClockEvery == 0 && thread_seconds() > last_second_)) {
    stopped_ = true;
  }
  if (!stopped_) ++nodes_;
  return !stopped_;
}

template class AmazonsSumSearch<4>;
template class AmazonsSumSearch<5>;
template class AmazonsSumSearch<6>;

}  // namespace ntune
