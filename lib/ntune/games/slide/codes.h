#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "ntune/games/slide/position.h"

namespace ntune {

/// The tiles of a position read row by row, without the blanks: the permutation within its pattern
/// (Heuser 2003, Section 3.2.3).
template <int K>
using SlideOrder = std::array<std::uint8_t, static_cast<std::size_t>(K) * K>;

template <int K>
SlideOrder<K> slide_order(const SlidePosition<K>& position);

/// The position with these tiles, row by row, in a pattern of 0 … kPatterns - 1.
template <int K>
SlidePosition<K> slide_position(int pattern, const SlideOrder<K>& order);

/// Number of positions that can be reached: 4 * 2^(2(K-1)) * (K^2)! / 2 (Heuser 2003, eq. 3.4).
template <int K>
constexpr std::uint64_t slide_position_count() {
  std::uint64_t count = SlidePosition<K>::kPatterns / 2;
  for (std::uint64_t i = 2; i <= static_cast<std::uint64_t>(K) * K; ++i) count *= i;
  return count;
}

/// The thesis's code of a pattern, such as 115: the covered corner times 100, plus the bits of
/// columns 2 … K and rows 2 … K as a number. The corner is 1 upper left, 2 upper right, 3 lower
/// left, 4 lower right.
template <int K>
int slide_pattern_code(int pattern);

/// Gödel number of a permutation: its rank in lexicographic order, 0 … (K^2)! - 1 (Heuser 2003,
/// Table 3.2), and back.
template <int K>
std::uint64_t slide_goedel(const SlideOrder<K>& order);
template <int K>
SlideOrder<K> slide_order_of_goedel(std::uint64_t goedel);

/// Whether Win can be reached: the order is even, or odd in a pattern of the odd kind (Heuser 2003,
/// Theorem 3.2.5 and Figure H.1).
template <int K>
bool slide_solvable(const SlidePosition<K>& position);
/// Parity of the orders that a pattern's solvable positions have; 1: odd.
template <int K>
int slide_pattern_parity(int pattern);

/// Place of a solvable position in 0 … slide_position_count() - 1, and back: pattern * (K^2)! / 2 +
/// Gödel number / 2. Two neighbouring Gödel numbers differ in parity, so that one of them is
/// solvable.
template <int K>
std::uint64_t slide_index(const SlidePosition<K>& position);
template <int K>
SlidePosition<K> slide_position_at(std::uint64_t index);

/// "115/987654321": pattern code and order code (Heuser 2003, Section 3.3.2). For K = 4 the tiles
/// of the order are joined by '-'.
template <int K>
std::string slide_code_text(const SlidePosition<K>& position);
/// The board, one line per row, '.' for a blank.
template <int K>
std::string slide_board_text(const SlidePosition<K>& position);

/// Reads a position: `start`, `win`, codes such as 115/987654321, or the thesis's two numbers with
/// any space between them. Or it is the squares row by row, '.' or 0 for a blank, separated by
/// spaces, commas or slashes. Throws InputError: malformed, not a position of the game, not
/// solvable.
template <int K>
SlidePosition<K> parse_slide_position(std::string_view text);

/// A move of a position: "R2>" or "R2<" slides row 2 to the right or left, "C3v" or "C3^" column 3
/// down or up.
template <int K>
std::string slide_move_text(const SlidePosition<K>& position, int line);
/// The line that the text slides. Throws InputError: malformed, or not possible in this position.
template <int K>
int parse_slide_move(const SlidePosition<K>& position, std::string_view text);

}  // namespace ntune
