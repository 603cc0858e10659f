#include "ntune/games/amazons/evaluation.h"

#include "ntune/core/options.h"

namespace ntune {

namespace {

/// The squares that queens on a set of squares reach by one move.
template <int kSide>
typename AmazonsBoard<kSide>::Bits queens_reach(typename AmazonsBoard<kSide>::Bits from,
                                                typename AmazonsBoard<kSide>::Bits empty) {
  using Board = AmazonsBoard<kSide>;
  typename Board::Bits set = 0;
  for (; from != 0; from &= from - 1) set |= Board::reach(Board::lowest(from), empty);
  return set;
}

/// The number of squares that Black reaches in fewer steps than White, less those that White
/// reaches in fewer. grow(set) has the squares that one step reaches from a set.
template <int kSide, class Grow>
int territory(const AmazonsPosition<kSide>& board, Grow grow) {
  using Board = AmazonsBoard<kSide>;
  auto black = board.queens(Player::kLeft);
  auto white = board.queens(Player::kRight);
  auto free_of_black = board.empty();
  auto free_of_white = board.empty();
  int difference = 0;
  // Both players grow at the same pace, step by step, until neither comes to a new square.
  while ((black | white) != 0) {
    black = grow(black) & free_of_black;
    white = grow(white) & free_of_white;
    // Who comes to a square that the other has not reached by now is nearer.
    difference +=
        Board::count(black & free_of_white & ~white) - Board::count(white & free_of_black & ~black);
    free_of_black &= ~black;
    free_of_white &= ~white;
  }
  return difference;
}

}  // namespace

template <int kSide>
int amazons_evaluation(const AmazonsPosition<kSide>& board, const AmazonsWeights& weights) {
  using Board = AmazonsBoard<kSide>;
  using Bits = typename Board::Bits;
  const Bits empty = board.empty();
  // The order of evaluation: territory by queen's moves, by king's steps, and mobility, each
  // weighted.
  const auto slide = [&](Bits from) { return queens_reach<kSide>(from, empty); };
  const auto step = [](Bits from) { return Board::grown(from); };
  const int mobility = Board::count(slide(board.queens(Player::kLeft))) -
                       Board::count(slide(board.queens(Player::kRight)));
  return weights.queen * territory(board, slide) + weights.king * territory(board, step) +
         weights.mobility * mobility;
}

template int amazons_evaluation<4>(const AmazonsPosition<4>&, const AmazonsWeights&);
template int amazons_evaluation<5>(const AmazonsPosition<5>&, const AmazonsWeights&);
template int amazons_evaluation<6>(const AmazonsPosition<6>&, const AmazonsWeights&);

void AmazonsWeights::visit(Options& options) {
  options.integer("queen", queen, between(0, 100),
                  "sixteenths of a move for a square nearer by queen's moves");
  options.integer("king", king, between(0, 100),
                  "sixteenths of a move for a square nearer by king's steps");
  options.integer("mobility", mobility, between(0, 100),
                  "sixteenths of a move for a square that the queen can move to");
}

}  // namespace ntune
