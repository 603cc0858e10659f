#include "apps/amazons/experiments/valuer.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/notation.h"

namespace ntune {
namespace {

std::shared_ptr<const AmazonsDatabase> database() {
  static const std::shared_ptr<const AmazonsDatabase> built = [] {
    Parallel parallel(2);
    return std::make_shared<const AmazonsDatabase>(AmazonsDatabase::build(parallel));
  }();
  return built;
}

SumPlayerOptions options(std::int64_t nodes) {
  SumPlayerOptions options = parse_sum_player("hotstrat-all");
  options.tds.nodes = {false, nodes};
  return options;
}

}  // namespace

TEST_CASE("amazons: the best move on the hottest board gains its temperature, none gains more") {
  AmazonsValuer<4> valuer(options(1000), database());
  for (std::size_t i = 0; i < 200; ++i) {
    Rng rng = Rng(31).stream("sum", i);
    const auto sum = random_amazons_sum<4>(2, 4, rng);
    if (sum.outcome()) continue;
    Dyadic temperature = -1;
    for (const auto& board : sum.boards()) {
      const BoardWorth worth = valuer.board(board, sum.on_turn());
      CHECK(worth.is_exact);
      temperature = std::max(temperature, worth.value.temperature);
    }
    const std::vector<MoveGain> moves = valuer.moves(sum, temperature);
    std::size_t all = 0;
    sum.for_each_move([&](const AmazonsSumMove&) { return ++all > 0; });
    CHECK(moves.size() == all);
    CHECK(moves.front().gain <= temperature);
    const bool is_played = std::ranges::any_of(sum.boards(), [&](const auto& board) {
      return board.can_move(sum.on_turn()) &&
             valuer.board(board, sum.on_turn()).value.temperature == temperature;
    });
    if (is_played) CHECK(moves.front().gain == temperature);
    CHECK(std::ranges::is_sorted(moves, std::ranges::greater(), &MoveGain::gain));
  }
}

TEST_CASE("amazons: few empty squares are valued exactly without the database") {
  AmazonsValuer<4> with(options(1000), database());
  AmazonsValuer<4> without(options(1000), nullptr);
  for (std::size_t i = 0; i < 50; ++i) {
    Rng rng = Rng(32).stream("sum", i);
    const auto sum = random_amazons_sum<4>(2, 7, rng);
    for (const auto& board : sum.boards()) {
      const BoardWorth worth = without.board(board, Player::kRight);
      CHECK(worth.is_exact);
      CHECK(worth.value == with.board(board, Player::kRight).value);
    }
    const auto a = with.moves(sum, 1);
    const auto b = without.moves(sum, 1);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      CHECK(a[k].move == b[k].move);
      CHECK(a[k].gain == b[k].gain);
    }
  }
}

TEST_CASE("amazons: boards beyond the database are valued by search, and said to be") {
  AmazonsValuer<5> valuer(options(300), nullptr);
  Rng rng = Rng(33).stream("sum");
  const auto sum = random_amazons_sum<5>(2, 3, rng);
  const BoardWorth worth = valuer.board(sum[0], sum.on_turn());
  CHECK_FALSE(worth.is_exact);
  const std::vector<MoveGain> moves = valuer.moves(sum, worth.value.temperature);
  std::size_t all = 0;
  sum.for_each_move([&](const AmazonsSumMove&) { return ++all > 0; });
  CHECK(moves.size() == all);
  CHECK(std::ranges::is_sorted(moves, std::ranges::greater(), &MoveGain::gain));
}

}  // namespace ntune
