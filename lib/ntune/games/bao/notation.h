#pragma once

#include <string>
#include <string_view>

#include "ntune/games/bao/position.h"

namespace ntune {

/// "South" or "North".
std::string bao_player_text(int player);

/// A front or back pit, such as A5 of South or b8 of North.
std::string bao_pit_text(int player, int pit);

/// A position on a line: four rows as South sees the board, b8 … b1/a8 … a1/A1 … A8/B1 … B8, then
/// stores (South, North), owned houses, player on turn, and the pit that takasia blocks or "-":
///   0 0 0 0 0 0 0 0/0 2 2 6 0 0 0 0/0 0 0 0 6 2 2 0/0 0 0 0 0 0 0 0 st 22,22 h SN South tk -
std::string bao_position_text(const Bao& position);

/// Reads a position, or "opening". Throws InputError: malformed, or not possible (see
/// bao_board_fault).
Bao parse_bao_position(std::string_view text, const BaoRules& rules = {});

/// Why a board is no position of the game, such as "has 63 stones with the stores; 64 are allowed";
/// empty if it is one.
std::string bao_board_fault(const BaoBoard& board);

/// The board for a person, on six lines: pit numbers, rows, stores, owned houses in brackets. Where
/// the position before is given, + and - follow the pits that now hold more and fewer stones.
std::string bao_board_text(const Bao& position, const Bao* before = nullptr);

/// A move as the paper writes it (Appendix B, Notational system): A5L, a8>, A2R*, A7L**. An entry
/// capture at a kichwa or kimbi has no direction.
std::string bao_move_text(BaoMove move, int player);

/// "A5L, A5R"; "none" for an empty list. `player` is the one who moves.
std::string bao_moves_text(const BaoSuccessors& list, int player);

/// The legal move that a text means, with the position it leads to. The row may be left out in the
/// namua stage, a direction where one alone is legal, and the marks * and **. Throws InputError
/// with the legal moves: malformed, not legal, wrong marks, or more than one move.
BaoSuccessor parse_bao_move(const Bao& position, std::string_view text);

}  // namespace ntune
