#include "ntune/games/amazons/sums/sum_search.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/games/amazons/notation.h"

namespace ntune {
namespace {

/// The same by definition: breadth-first, square by square.
template <int kSide>
int plain_evaluation(const AmazonsPosition<kSide>& board, const AmazonsWeights& weights) {
  using Board = AmazonsBoard<kSide>;
  constexpr int kFar = 1000;
  const auto distances = [&](Player player, bool king) {
    std::vector<int> distance(Board::kSquares, kFar);
    std::vector<int> queue;
    for (int square = 0; square < Board::kSquares; ++square) {
      if ((board.queens(player) & Board::bit(square)) == 0) continue;
      distance[static_cast<std::size_t>(square)] = 0;
      queue.push_back(square);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int from = queue[next];
      for (int df = -1; df <= 1; ++df) {
        for (int dr = -1; dr <= 1; ++dr) {
          int file = from % kSide + df;
          int rank = from / kSide + dr;
          for (int steps = 1; df != 0 || dr != 0; ++steps, file += df, rank += dr) {
            if (file < 0 || file >= kSide || rank < 0 || rank >= kSide) break;
            const int to = rank * kSide + file;
            if ((board.empty() & Board::bit(to)) == 0 || (king && steps > 1)) break;
            int& known = distance[static_cast<std::size_t>(to)];
            if (known < kFar) continue;
            known = distance[static_cast<std::size_t>(from)] + 1;
            queue.push_back(to);
          }
        }
      }
    }
    return distance;
  };
  int value = 0;
  for (const bool king : {false, true}) {
    const auto black = distances(Player::kLeft, king);
    const auto white = distances(Player::kRight, king);
    for (std::size_t square = 0; square < black.size(); ++square) {
      if ((board.empty() & Board::bit(static_cast<int>(square))) == 0) continue;
      const int nearer = black[square] < white[square] ? 1 : black[square] > white[square] ? -1 : 0;
      value += nearer * (king ? weights.king : weights.queen);
      if (king) continue;
      value += weights.mobility * ((black[square] == 1 ? 1 : 0) - (white[square] == 1 ? 1 : 0));
    }
  }
  return value;
}

/// Minimax over all moves, without table or order.
template <int kSide>
int minimax(const AmazonsSum<kSide>& sum, int depth, const AmazonsWeights& weights) {
  using Search = AmazonsSumSearch<kSide>;
  const int side = sum.on_turn() == Player::kLeft ? 1 : -1;
  int total = 0;
  bool all_integers = true;
  for (const auto& board : sum.boards()) {
    const auto integer = board.integer_value();
    total += integer ? *integer * kAmazonsUnit : plain_evaluation(board, weights);
    all_integers = all_integers && integer;
  }
  if (all_integers) {
    return side * total > 0 ? side * total + Search::kWin : side * total - Search::kWin;
  }
  if (depth == 0) return side * total;
  if (!sum.can_move(sum.on_turn())) {
    return side * sum.outcome()->score * kAmazonsUnit - Search::kWin;
  }
  int best = -100'000;
  AmazonsSum<kSide> next = sum;
  sum.for_each_move([&](const AmazonsSumMove& move) {
    next.apply(move);
    best = std::max(best, -minimax(next, depth - 1, weights));
    next.undo(move);
    return true;
  });
  return best;
}

template <int kSide>
void equals_minimax(std::size_t boards, int burnt, int depth, std::size_t sums) {
  const AmazonsSumSearchOptions options = {.weights = {.queen = 9, .king = 5, .mobility = 2},
                                           .table_bits = 6};
  AmazonsSumSearch<kSide> search(options);
  for (std::size_t i = 0; i < sums; ++i) {
    Rng rng = Rng(11).stream("sum", kSide, boards, burnt, i);
    const AmazonsSum<kSide> sum = random_amazons_sum<kSide>(boards, burnt, rng);
    CAPTURE(kSide, boards, burnt, i);
    REQUIRE(search.value(sum, depth) == minimax(sum, depth, options.weights));
    if (sum.outcome()) continue;
    // The move that is found has that value.
    AmazonsSumSearchOptions to_depth = options;
    to_depth.depth = depth;
    AmazonsSumSearch<kSide> deepening(to_depth);
    const auto found = deepening.best_move(sum, {});
    AmazonsSum<kSide> next = sum;
    REQUIRE(sum[found.move.board].is_legal(sum.on_turn(), found.move.move));
    next.apply(found.move);
    const int rest = found.depth - 1;
    REQUIRE((found.is_solved || found.depth == depth));
    REQUIRE(found.value == minimax(sum, found.depth, options.weights));
    REQUIRE(found.value == -minimax(next, rest, options.weights));
  }
}

}  // namespace

TEST_CASE("amazons evaluation: equals a count square by square") {
  for (std::size_t i = 0; i < 500; ++i) {
    Rng rng = Rng(2).stream("board", i);
    const AmazonsWeights weights = {static_cast<int>(rng.below(20)),
                                    static_cast<int>(rng.below(20)),
                                    static_cast<int>(rng.below(9))};
    const auto small = random_amazons_sum<4>(1, static_cast<int>(rng.below(12)), rng)[0];
    REQUIRE(amazons_evaluation<4>(small, weights) == plain_evaluation(small, weights));
    const auto large = random_amazons_sum<6>(1, static_cast<int>(rng.below(20)), rng)[0];
    REQUIRE(amazons_evaluation<6>(large, weights) == plain_evaluation(large, weights));
    REQUIRE(amazons_evaluation<6>(large.negative(), weights) == -plain_evaluation(large, weights));
  }
}

TEST_CASE("amazons sum search: equals plain minimax on small sums") {
  equals_minimax<4>(2, 11, 10, 40);  // to the end
  equals_minimax<4>(3, 12, 20, 40);
  equals_minimax<4>(2, 7, 3, 8);
  equals_minimax<5>(2, 17, 3, 8);
  equals_minimax<6>(2, 28, 3, 8);
}

TEST_CASE("amazons sum search: a legal move within any budget, more with more") {
  Rng rng(8);
  const AmazonsSum<6> sum = random_amazons_sum<6>(4, 3, rng);
  AmazonsSumSearch<6> search({});
  int last_depth = 0;
  for (const std::int64_t nodes : {1, 100, 10'000, 200'000}) {
    const std::int64_t before = search.nodes();
    const auto found = search.best_move(sum, {.nodes = nodes});
    CHECK(search.nodes() - before <= nodes);
    CHECK(sum[found.move.board].is_legal(sum.on_turn(), found.move.move));
    CHECK(found.depth >= last_depth);
    last_depth = found.depth;
    AmazonsSumSearch<6> fresh({});
    CHECK(fresh.best_move(sum, {.nodes = nodes}).move == found.move);
  }
  CHECK(last_depth >= 2);
  const auto hasty = search.best_move(sum, {.seconds = 0.001}).move;
  CHECK(sum[hasty.board].is_legal(sum.on_turn(), hasty.move));
}

}  // namespace ntune
