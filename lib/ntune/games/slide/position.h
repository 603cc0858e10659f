#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ntune {

/// A position of SlideK (Troyka 2001; Heuser 2003, Section 3.1): K * K numbered tiles on a board of
/// (K + 1) * (K + 1) squares, for K = 2, 3, 4. A line (row or column) that holds exactly one blank,
/// and that at one of its ends, slides by one square towards it. Squares count row by row from the
/// upper left corner; lines 0 … K are the rows, K + 1 … 2K + 1 the columns.
/// Sliding a line twice leaves it as it was: every move is its own inverse.
template <int K>
requires(K >= 2 && K <= 4) class SlidePosition {
 public:
  static constexpr int kSide = K + 1;
  static constexpr int kSquares = kSide * kSide;
  static constexpr int kTiles = K * K;
  static constexpr int kLines = 2 * kSide;
  static constexpr int kMostMoves = 2 * K;  ///< at least 2K - 2 (Heuser 2003, Section 3.2.2)
  /// Ways to distribute tiles without their numbers: the corner that is covered, and whether the
  /// first or the last square is, for each of the columns and rows 2 … K.
  static constexpr int kPatterns = 4 << (2 * (K - 1));

  static constexpr int kBits = K == 4 ? 5 : 4;  ///< per square
  __extension__ using Wide = unsigned __int128;
  using Bits = std::conditional_t<K == 4, Wide, std::uint64_t>;

  /// The empty board, which is no position of the game.
  constexpr SlidePosition() = default;

  /// Squares in order, 0 for a blank; kSquares numbers from 0 to kTiles.
  static constexpr SlidePosition of(std::span<const std::uint8_t> squares) {
    SlidePosition position;
    for (int s = 0; s < kSquares; ++s) position.put(s, squares[static_cast<std::size_t>(s)]);
    return position;
  }
  /// Tiles 1 … K * K row by row in the upper left corner.
  static constexpr SlidePosition win() {
    SlidePosition position;
    for (int tile = 1; tile <= kTiles; ++tile) position.put(goal(tile), tile);
    return position;
  }
  /// The squares of Win with the tiles in reverse order.
  static constexpr SlidePosition start() {
    SlidePosition position;
    for (int tile = 1; tile <= kTiles; ++tile) position.put(goal(kTiles + 1 - tile), tile);
    return position;
  }

  /// The square of a tile in the Win position.
  static constexpr int goal(int tile) { return (tile - 1) / K * kSide + (tile - 1) % K; }

  /// The tile on a square; 0: blank.
  [[nodiscard]] constexpr int at(int square) const {
    return static_cast<int>(bits_ >> (square * kBits)) & kMask;
  }

  /// Lines that can slide, as a set of bits.
  [[nodiscard]] constexpr std::uint32_t moves() const { return kPatternMoves[pattern_index()]; }
  [[nodiscard]] constexpr bool can_slide(int line) const { return (moves() >> line & 1U) != 0; }

  /// Slides a line that can slide.
  constexpr void slide(int line) {
    const Bits mask = kLineMasks[static_cast<std::size_t>(line)];
    const Bits moved = bits_ & mask;
    const int step = line < kSide ? kBits : kBits * kSide;
    const bool first_is_blank = at(first_square(line)) == 0;
    bits_ = (bits_ & ~mask) | (first_is_blank ? moved >> step : moved << step);
  }
  [[nodiscard]] constexpr SlidePosition after(int line) const {
    SlidePosition next = *this;
    next.slide(line);
    return next;
  }
  /// True if the tiles of a line that can slide would move right or down.
  [[nodiscard]] constexpr bool slides_forward(int line) const {
    return at(first_square(line)) != 0;
  }

  /// From 0 to kPatterns - 1: 4^(K-1) * covered corner + bits (Heuser 2003, Section 3.3.2). The
  /// corner is 0 upper left, 1 upper right, 2 lower left, 3 lower right. The bits are those of
  /// columns 2 … K, then of rows 2 … K, 1 where the first square is covered. Only for positions of
  /// the game.
  [[nodiscard]] constexpr int pattern() const { return static_cast<int>(pattern_index()); }

  /// Whether square s is covered in a pattern, as bit s.
  static constexpr std::uint32_t pattern_squares(int pattern) {
    constexpr int kInner = K - 1;
    const int corner = pattern >> (2 * kInner);
    std::uint32_t squares = 1U << kCorners[static_cast<std::size_t>(corner)];
    for (int i = 0; i < kInner; ++i) {
      const bool column_first = (pattern >> (2 * kInner - 1 - i) & 1) != 0;
      const bool row_first = (pattern >> (kInner - 1 - i) & 1) != 0;
      for (int j = 1; j < K; ++j) squares |= 1U << (j * kSide + i + 1);
      squares |= 1U << ((column_first ? 0 : K) * kSide + i + 1);
      squares |= 1U << ((i + 1) * kSide + (row_first ? 0 : K));
    }
    return squares;
  }

  /// First (upper or left) square of a line, and from one of its squares to the next.
  static constexpr int first_square(int line) { return line < kSide ? line * kSide : line - kSide; }
  static constexpr int square_step(int line) { return line < kSide ? 1 : kSide; }

  /// The packed board: kBits per square, square 0 lowest.
  [[nodiscard]] constexpr Bits bits() const { return bits_; }

  friend constexpr bool operator==(const SlidePosition&, const SlidePosition&) = default;
  friend constexpr auto operator<=>(const SlidePosition& a, const SlidePosition& b) {
    return a.bits_ < b.bits_   ? std::strong_ordering::less
           : a.bits_ > b.bits_ ? std::strong_ordering::greater
                               : std::strong_ordering::equal;
  }

 private:
  static constexpr int kMask = (1 << kBits) - 1;
  static constexpr std::array<int, 4> kCorners = {0, K, K* kSide, K* kSide + K};

  constexpr void put(int square, int tile) {
    bits_ |= static_cast<Bits>(static_cast<unsigned>(tile)) << (square * kBits);
  }

  [[nodiscard]] constexpr std::size_t pattern_index() const {
    std::size_t corner = 0;
    while (corner < 3 && at(kCorners[corner]) == 0) ++corner;
    std::size_t index = corner;
    for (int column = 1; column < K; ++column) index = index << 1 | (at(column) != 0);
    for (int row = 1; row < K; ++row) index = index << 1 | (at(row * kSide) != 0);
    return index;
  }

  static constexpr std::array<Bits, std::size_t{kLines}> line_masks() {
    std::array<Bits, std::size_t{kLines}> masks{};
    for (int line = 0; line < kLines; ++line) {
      for (int i = 0; i < kSide; ++i) {
        const int square = first_square(line) + i * square_step(line);
        masks[static_cast<std::size_t>(line)] |= static_cast<Bits>(kMask) << (square * kBits);
      }
    }
    return masks;
  }

  static constexpr std::array<std::uint32_t, std::size_t{kPatterns}> pattern_move_table() {
    std::array<std::uint32_t, std::size_t{kPatterns}> table{};
    for (int pattern = 0; pattern < kPatterns; ++pattern) {
      const std::uint32_t squares = pattern_squares(pattern);
      for (int line = 0; line < kLines; ++line) {
        int covered = 0;
        for (int i = 0; i < kSide; ++i) {
          covered += squares >> (first_square(line) + i * square_step(line)) & 1U ? 1 : 0;
        }
        const bool first = (squares >> first_square(line) & 1U) != 0;
        const bool last = (squares >> (first_square(line) + K * square_step(line)) & 1U) != 0;
        if (covered == K && first != last) table[static_cast<std::size_t>(pattern)] |= 1U << line;
      }
    }
    return table;
  }

  static constexpr std::array<Bits, std::size_t{kLines}> kLineMasks = line_masks();
  static constexpr std::array<std::uint32_t, std::size_t{kPatterns}> kPatternMoves =
      pattern_move_table();

  Bits bits_ = 0;
};

/// Calls visit(line) for every line of a set, lowest first.
template <class Visit>
constexpr void for_each_line(std::uint32_t lines, Visit visit) {
  for (; lines != 0; lines &= lines - 1) visit(std::countr_zero(lines));
}

}  // namespace ntune
