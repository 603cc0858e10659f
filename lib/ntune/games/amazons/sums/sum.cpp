#include "ntune/games/amazons/sums/sum.h"

#include <numeric>
#include <utility>

namespace ntune {

namespace {

/// A board with one queen of each colour and so many burnt squares, all drawn uniformly.
template <int kSide>
AmazonsPosition<kSide> random_board(int burnt, Rng& rng) {
  using Board = AmazonsBoard<kSide>;
  std::array<int, Board::kSquares> squares{};
  std::iota(squares.begin(), squares.end(), 0);
  // Squares are drawn without replacement: the drawn one changes places with the last of those
  // left.
  auto draw = [&, left = static_cast<std::uint32_t>(Board::kSquares)]() mutable {
    const std::uint32_t at = rng.below(left--);
    std::swap(squares[at], squares[left]);
    return Board::bit(squares[left]);
  };
  const auto black = draw();
  const auto white = draw();
  auto empty = static_cast<typename Board::Bits>(Board::kAll & ~(black | white));
  for (int i = 0; i < burnt; ++i) empty &= ~draw();
  return {empty, black, white};
}

}  // namespace

template <int kSide>
int amazons_moves_left(const AmazonsPosition<kSide>& board, Player winner) {
  using Board = AmazonsBoard<kSide>;
  const auto queens = board.queens(winner);
  const auto longest = amazons_longest_sequence<kSide>(queens, board.empty());
  // Where the longest sequence is too costly to find, every square in reach counts.
  const int moves =
      longest ? *longest : Board::count(Board::connected(queens, board.empty()) & board.empty());
  return winner == Player::kLeft ? moves : -moves;
}

template <int kSide>
AmazonsMove amazons_filler(const AmazonsPosition<kSide>& board, Player player, int value) {
  std::optional<AmazonsMove> found;
  // A good filler gives up one point only; the first move stands in where none is seen to do so.
  const int wanted = value - (player == Player::kLeft ? 1 : -1);
  board.for_each_option(player, [&](const AmazonsMove& move, const AmazonsPosition<kSide>& next) {
    const bool gives_up_one = next.integer_value() == wanted;
    if (gives_up_one || !found) found = move;  // the first move where no such one is seen
    return !gives_up_one;
  });
  assert(found);
  return *found;
}

template <int kSide>
std::optional<AmazonsSumOutcome> AmazonsSum<kSide>::outcome() const {
  const Player other = opponent(on_turn_);
  // A player who cannot move has lost, whatever the boards are worth to him.
  if (!can_move(on_turn_)) {
    AmazonsSumOutcome lost = {other, 0};
    for (const Position& board : boards()) lost.score += amazons_moves_left(board, other);
    return lost;
  }
  // The sum has ended as well if all boards are integers: they only count moves.
  int score = 0;
  for (const Position& board : boards()) {
    const auto integer = board.integer_value();
    if (!integer) return std::nullopt;
    score += *integer;
  }
  // At a score of 0 the player on turn runs out of moves first.
  const Player winner = score > 0 ? Player::kLeft : score < 0 ? Player::kRight : other;
  return AmazonsSumOutcome{winner, score};
}

template <int kSide>
AmazonsSum<kSide> random_amazons_sum(std::size_t boards, int burnt, Rng& rng) {
  assert(boards <= AmazonsSum<kSide>::kMostBoards);
  assert(burnt >= 0 && burnt + 2 <= AmazonsBoard<kSide>::kSquares);
  std::array<AmazonsPosition<kSide>, AmazonsSum<kSide>::kMostBoards> drawn;
  for (std::size_t i = 0; i < boards; ++i) drawn[i] = random_board<kSide>(burnt, rng);
  return AmazonsSum<kSide>(std::span<const AmazonsPosition<kSide>>(drawn.data(), boards));
}

#define NTUNE_AMAZONS_SUM(SIDE)                                                         \
  template int amazons_moves_left<SIDE>(const AmazonsPosition<SIDE>&, Player);          \
  template AmazonsMove amazons_filler<SIDE>(const AmazonsPosition<SIDE>&, Player, int); \
  template class AmazonsSum<SIDE>;                                                      \
  template AmazonsSum<SIDE> random_amazons_sum<SIDE>(std::size_t, int, Rng&);
NTUNE_AMAZONS_SUM(4)
NTUNE_AMAZONS_SUM(5)
NTUNE_AMAZONS_SUM(6)
#undef NTUNE_AMAZONS_SUM

}  // namespace ntune
