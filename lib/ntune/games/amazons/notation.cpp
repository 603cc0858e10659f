#include "ntune/games/amazons/notation.h"

#include <cctype>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Longest side of a board that can be read.
constexpr int kLargestSide = 10;

/// Throws InputError "noun 'text': reason".
[[noreturn]] void fail(std::string_view noun, std::string_view text, const std::string& reason) {
  throw InputError(fmt::format("{} '{}': {}", noun, printable(text, 150), reason));
}

/// The name of a square, such as A1; ranks count from 1.
std::string square_text(int square, int side) {
  return fmt::format("{}{}", static_cast<char>('A' + square % side), square / side + 1);
}

/// Reads a square from the front of a text; -1 if there is none on a board of this side.
int take_square(std::string_view& text, int side) {
  if (text.size() < 2) return -1;
  const int file = std::toupper(static_cast<unsigned char>(text[0])) - 'A';
  std::size_t used = 1;
  int rank = 0;
  // A rank has one digit or two, without a leading zero.
  while (used < text.size() && used < 3 && text[used] >= '0' && text[used] <= '9') {
    rank = 10 * rank + (text[used++] - '0');
  }
  if (text[1] == '0' || file < 0 || file >= side || rank < 1 || rank > side) return -1;
  text.remove_prefix(used);
  return (rank - 1) * side + file;
}

/// Takes the letter off the front, whether small or capital.
bool take(std::string_view& text, char wanted) {
  if (text.empty() || std::tolower(static_cast<unsigned char>(text[0])) != wanted) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

AmazonsSize amazons_size(std::string_view board) {
  const std::vector<std::string_view> ranks = split(board, '/');
  for (const std::string_view rank : ranks) {
    for (const char square : rank) {
      if (square != '.' && square != '#' && square != 'B' && square != 'W') {
        fail("board", board,
             fmt::format("has the square '{}'; allowed are '.' (empty), '#' (burnt), 'B' and 'W' "
                         "(queens), and '/' between ranks",
                         printable({&square, 1})));
      }
    }
    if (rank.size() != ranks[0].size()) {
      fail("board", board,
           fmt::format("has ranks of {} and of {} squares; all must have as many", ranks[0].size(),
                       rank.size()));
    }
  }
  if (ranks[0].empty() || ranks[0].size() > kLargestSide || ranks.size() > kLargestSide) {
    fail("board", board,
         fmt::format("has {} files and {} ranks; allowed are 1 to {}", ranks[0].size(),
                     ranks.size(), kLargestSide));
  }
  return {static_cast<int>(ranks[0].size()), static_cast<int>(ranks.size())};
}

template <int kSide>
AmazonsPosition<kSide> parse_amazons(std::string_view board) {
  using Board = AmazonsBoard<kSide>;
  // A smaller board stands in the lower left corner; all squares outside of it count as burnt.
  const AmazonsSize size = amazons_size(board);
  if (size.files > kSide || size.ranks > kSide) {
    fail("board", board,
         fmt::format("has {} files and {} ranks; allowed here are at most {}", size.files,
                     size.ranks, kSide));
  }
  const std::vector<std::string_view> ranks = split(board, '/');
  typename Board::Bits empty = 0;
  typename Board::Bits black = 0;
  typename Board::Bits white = 0;
  for (int rank = 0; rank < size.ranks; ++rank) {
    // The text begins with the highest rank, and squares count from the lowest.
    const std::string_view text = ranks[static_cast<std::size_t>(size.ranks - 1 - rank)];
    for (int file = 0; file < size.files; ++file) {
      const auto bit = Board::bit(rank * kSide + file);
      switch (text[static_cast<std::size_t>(file)]) {
        case '.':
          empty |= bit;
          break;
        case 'B':
          black |= bit;
          break;
        case 'W':
          white |= bit;
          break;
        default:
          break;
      }
    }
  }
  return {empty, black, white};
}

template <int kSide>
std::string amazons_text(const AmazonsPosition<kSide>& position, AmazonsSize size) {
  std::string text;
  for (int rank = size.ranks - 1; rank >= 0; --rank) {
    for (int file = 0; file < size.files; ++file) {
      const auto bit = AmazonsBoard<kSide>::bit(rank * kSide + file);
      text += (position.empty() & bit) != 0                  ? '.'
              : (position.queens(Player::kLeft) & bit) != 0  ? 'B'
              : (position.queens(Player::kRight) & bit) != 0 ? 'W'
                                                             : '#';
    }
    if (rank > 0) text += '/';
  }
  return text;
}

template <int kSide>
std::string amazons_move_text(const AmazonsMove& move) {
  return fmt::format("{}-{}x{}", square_text(move.from, kSide), square_text(move.to, kSide),
                     square_text(move.arrow, kSide));
}

template <int kSide>
AmazonsMove parse_amazons_move(const AmazonsPosition<kSide>& position, Player player,
                               std::string_view text) {
  std::string_view rest = text;
  // All parts are taken in turn; what is missing leaves a negative number or false.
  const int from = take_square(rest, kSide);
  const bool dash = take(rest, '-');
  const int to = take_square(rest, kSide);
  const bool cross = take(rest, 'x');
  const int arrow = take_square(rest, kSide);
  if (from < 0 || !dash || to < 0 || !cross || arrow < 0 || !rest.empty()) {
    fail("move", text,
         fmt::format("from-to x arrow such as A2-A3xC3, with squares from A1 to {}, is allowed",
                     square_text(kSide * kSide - 1, kSide)));
  }
  const AmazonsMove move = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                            static_cast<std::uint8_t>(arrow)};
  if (position.is_legal(player, move)) return move;

  // The move is well formed but not legal: the first wrong part is named.
  const auto on = [&](int square) { return AmazonsBoard<kSide>::bit(square); };
  const char* const colour = player == Player::kLeft ? "Black" : "White";
  if ((position.queens(player) & on(from)) == 0) {
    fail("move", text, fmt::format("{} has no queen on {}", colour, square_text(from, kSide)));
  }
  if ((AmazonsBoard<kSide>::reach(from, position.empty()) & on(to)) == 0) {
    fail("move", text,
         fmt::format("no queen's move leads from {} to {}", square_text(from, kSide),
                     square_text(to, kSide)));
  }
  fail("move", text,
       fmt::format("no arrow from {} reaches {}", square_text(to, kSide),
                   square_text(arrow, kSide)));
}

template <int kSide>
void require_amazons_queens(const AmazonsPosition<kSide>& position, bool one_each) {
  const int black = AmazonsBoard<kSide>::count(position.queens(Player::kLeft));
  const int white = AmazonsBoard<kSide>::count(position.queens(Player::kRight));
  if (one_each ? black == 1 && white == 1 : black > 0 && white > 0) return;
  fail("board", amazons_text(position),
       fmt::format("has {} black and {} white queens; {} of each colour is needed", black, white,
                   one_each ? "exactly one" : "at least one"));
}

#define NTUNE_AMAZONS_NOTATION(SIDE)                                                  \
  template AmazonsPosition<SIDE> parse_amazons<SIDE>(std::string_view);               \
  template std::string amazons_text<SIDE>(const AmazonsPosition<SIDE>&, AmazonsSize); \
  template std::string amazons_move_text<SIDE>(const AmazonsMove&);                   \
  template AmazonsMove parse_amazons_move<SIDE>(const AmazonsPosition<SIDE>&, Player, \
                                                std::string_view);                    \
  template void require_amazons_queens<SIDE>(const AmazonsPosition<SIDE>&, bool);
NTUNE_AMAZONS_NOTATION(4)
NTUNE_AMAZONS_NOTATION(5)
NTUNE_AMAZONS_NOTATION(6)
NTUNE_AMAZONS_NOTATION(8)
NTUNE_AMAZONS_NOTATION(10)
#undef NTUNE_AMAZONS_NOTATION

}  // namespace ntune
