#include "ntune/games/amazons/sums/sum.h"

#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/games/amazons/notation.h"

namespace ntune {
namespace {

AmazonsSum<4> sum_of(const std::vector<std::string>& boards, Player on_turn = Player::kLeft) {
  std::vector<AmazonsPosition<4>> positions;
  for (const std::string& board : boards) positions.push_back(parse_amazons<4>(board));
  return AmazonsSum<4>(positions, on_turn);
}

template <int kSide>
std::vector<AmazonsSumMove> moves_of(const AmazonsSum<kSide>& sum) {
  std::vector<AmazonsSumMove> moves;
  sum.for_each_move([&](const AmazonsSumMove& move) {
    moves.push_back(move);
    return true;
  });
  return moves;
}

}  // namespace

TEST_CASE("amazons sum: a move is one on any of the boards, and undo takes it back") {
  Rng rng(3);
  AmazonsSum<5> sum = random_amazons_sum<5>(3, 3, rng);
  std::vector<AmazonsSum<5>> before;
  std::vector<AmazonsSumMove> played;
  while (!sum.outcome()) {
    std::size_t count = 0;
    for (const auto& board : sum.boards()) {
      board.for_each_move(sum.on_turn(), [&](const AmazonsMove&) { return ++count > 0; });
    }
    const std::vector<AmazonsSumMove> moves = moves_of(sum);
    REQUIRE(moves.size() == count);
    CHECK(sum.can_move(sum.on_turn()));
    before.push_back(sum);
    played.push_back(moves[rng.below(static_cast<std::uint32_t>(count))]);
    sum.apply(played.back());
    CHECK(sum.on_turn() == opponent(before.back().on_turn()));
  }
  CHECK(played.size() > 5);
  while (!played.empty()) {
    sum.undo(played.back());
    CHECK(sum == before.back());
    played.pop_back();
    before.pop_back();
  }
}

TEST_CASE("amazons sum: it is over where all boards are integers, and their sum decides") {
  const std::string two = "..B#/####/####/###W";  // Black has two moves
  const std::string minus_one = ".W##/####/####/###B";
  CHECK(sum_of({two, minus_one}).outcome() == AmazonsSumOutcome{Player::kLeft, 1});
  CHECK(sum_of({two, minus_one}, Player::kRight).outcome() == AmazonsSumOutcome{Player::kLeft, 1});
  CHECK(sum_of({minus_one}, Player::kRight).outcome() == AmazonsSumOutcome{Player::kRight, -1});
  // At 0 the player on turn loses.
  const std::vector<std::string> even = {two, minus_one, minus_one};
  CHECK(sum_of(even).outcome() == AmazonsSumOutcome{Player::kRight, 0});
  CHECK(sum_of(even, Player::kRight).outcome() == AmazonsSumOutcome{Player::kLeft, 0});
  CHECK_FALSE(sum_of({two, "####/#.##/.#B#/W.##"}).outcome());
}

TEST_CASE("amazons sum: who cannot move has lost, the other one counts the moves he has") {
  const std::string shut_in = "##../##.W/####/####";
  const AmazonsSum<4> black = sum_of({"BW..", "####/###B/###W/##.#"});
  REQUIRE_FALSE(black.can_move(Player::kLeft));
  CHECK(black.outcome() == AmazonsSumOutcome{Player::kRight, -3});
  CHECK_FALSE(sum_of({"BW..", shut_in}, Player::kRight).outcome());
}

TEST_CASE("amazons sum: the filler of an integer gives up one move") {
  const auto board = parse_amazons<4>("...#/.B.#/####/###W");
  const int value = *board.integer_value();
  const AmazonsMove move = amazons_filler(board, Player::kLeft, value);
  CHECK(board.after(Player::kLeft, move).integer_value() == value - 1);
}

TEST_CASE(
    "amazons sum: random sums have one queen each and the burnt squares, all over the board") {
  const Rng rng(5);
  std::set<AmazonsPosition<4>::Bits> queens;
  for (std::size_t i = 0; i < 300; ++i) {
    Rng draw = rng.stream("sum", i);
    const AmazonsSum<4> sum = random_amazons_sum<4>(2, 3, draw);
    REQUIRE(sum.size() == 2);
    CHECK(sum.on_turn() == Player::kLeft);
    CHECK_FALSE(sum[0] == sum[1]);
    for (const auto& board : sum.boards()) {
      REQUIRE(board.empties() == 11);
      REQUIRE_NOTHROW(require_amazons_queens(board, true));
      queens.insert(board.queens(Player::kRight));
    }
  }
  CHECK(queens.size() == 16);
  Rng again = rng.stream("sum", std::size_t{7});
  Rng same = rng.stream("sum", std::size_t{7});
  CHECK(random_amazons_sum<6>(8, 3, again) == random_amazons_sum<6>(8, 3, same));
}

}  // namespace ntune
