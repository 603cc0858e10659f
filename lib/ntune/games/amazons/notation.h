#pragma once

#include <string>
#include <string_view>

#include "ntune/core/error.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

/// Files and ranks of a board, each 1 … 10.
struct AmazonsSize {
  int files = 0;
  int ranks = 0;
};

/// The size of a board that is given as text. It has ranks from the highest to rank 1, separated by
/// '/', and squares from file A on, each '.' (empty), '#' (burnt), 'B' or 'W' (a queen).
/// "..#/.#B/W##" is 3x3. Throws InputError "board '…': …": malformed.
AmazonsSize amazons_size(std::string_view board);

/// Reads a board of at most kSide files and ranks; A1 is the lower left corner and what is beyond
/// the text is burnt. Throws InputError "board '…': …": malformed, too large.
template <int kSide>
AmazonsPosition<kSide> parse_amazons(std::string_view board);
/// The lower left corner of the board of this size, by default all of it.
template <int kSide>
std::string amazons_text(const AmazonsPosition<kSide>& position, AmazonsSize size = {kSide, kSide});

/// "A2-A3xC3": from, to, arrow.
template <int kSide>
std::string amazons_move_text(const AmazonsMove& move);
/// Reads a move of the player, in capitals or not. Throws InputError "move '…': …": malformed, not
/// legal.
template <int kSide>
AmazonsMove parse_amazons_move(const AmazonsPosition<kSide>& position, Player player,
                               std::string_view text);

/// Throws InputError "board '…': …" unless both players have a queen; exactly one if `one_each`.
template <int kSide>
void require_amazons_queens(const AmazonsPosition<kSide>& position, bool one_each);

/// visit(position) with the board that is given as text, of the first side of 4, 5, 6, 8 and 10
/// that holds it. Throws as parse_amazons.
template <class Visit>
decltype(auto) visit_amazons(std::string_view board, Visit&& visit) {
  const AmazonsSize size = amazons_size(board);
  const int side = size.files > size.ranks ? size.files : size.ranks;
  if (side <= 4) return visit(parse_amazons<4>(board));
  if (side <= 5) return visit(parse_amazons<5>(board));
  if (side <= 6) return visit(parse_amazons<6>(board));
  if (side <= 8) return visit(parse_amazons<8>(board));
  return visit(parse_amazons<10>(board));
}

}  // namespace ntune
