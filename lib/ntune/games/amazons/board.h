#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ntune {

/// Sets of squares of a board with this side.
template <int kSide>
requires(kSide >= 1 && kSide <= 10) struct AmazonsBoard {
  __extension__ using Wide = unsigned __int128;
  static constexpr int kSquares = kSide * kSide;
  using Bits = std::conditional_t<(kSquares <= 32), std::uint32_t,
                                  std::conditional_t<(kSquares <= 64), std::uint64_t, Wide>>;
  static constexpr int kWidth = static_cast<int>(sizeof(Bits)) * 8;
  static constexpr Bits kAll = static_cast<Bits>(~Bits{0}) >> (kWidth - kSquares);

  static constexpr Bits bit(int square) { return Bits{1} << square; }
  /// Number of the lowest and of the highest square of a set; kSquares if it has none.
  static constexpr int lowest(Bits set) {
    if (set == 0) return kSquares;
    if constexpr (kWidth <= 64) return std::countr_zero(set);
    const auto low = static_cast<std::uint64_t>(set);
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high_half(set));
  }
  static constexpr int highest(Bits set) {
    if (set == 0) return kSquares;
    if constexpr (kWidth <= 64) return kWidth - 1 - std::countl_zero(set);
    const std::uint64_t high = high_half(set);
    return high != 0 ? 127 - std::countl_zero(high)
                     : 63 - std::countl_zero(static_cast<std::uint64_t>(set));
  }
  static constexpr int count(Bits set) {
    if constexpr (kWidth <= 64) return std::popcount(set);
    return std::popcount(static_cast<std::uint64_t>(set)) + std::popcount(high_half(set));
  }

  /// The squares that a queen on a square can slide to through empty squares.
  static constexpr Bits reach(int square, Bits empty) {
    if constexpr (kSide == 4) {
      return reach_by_lines(square, empty);
    } else {
      return reach_by_rays(square, empty);
    }
  }
  /// A set with the squares a king's step away.
  static constexpr Bits grown(Bits set) {
    if constexpr (kSide > 1) {
      set |= ((set & ~kLastFile) << 1) | ((set >> 1) & ~kLastFile);
      set |= set << kSide | set >> kSide;
    }
    return set & kAll;
  }
  /// The squares that king's steps within `ground` reach from `seed`, and `seed` itself.
  static constexpr Bits connected(Bits seed, Bits ground) {
    Bits area = seed;
    for (Bits next = grown(area) & (ground | seed); next != area;
         next = grown(area) & (ground | seed)) {
      area = next;
    }
    return area;
  }

 private:
  /// On 4x4 a line's squares fit into four bits, one per file, or one per rank for a file: half the
  /// time of the rays.
  static constexpr Bits reach_by_lines(int square, Bits empty) {
    const Lines& lines = kLines[static_cast<std::size_t>(square)];
    Bits set = lines.targets[0][(empty >> square % 4 & 0x1111U) * 0x1248U >> 12 & 15U];
    for (std::size_t l = 1; l < 4; ++l) {
      set |= lines.targets[l][(empty & lines.squares[l]) * 0x1111U >> 12 & 15U];
    }
    return set;
  }
  static constexpr Bits reach_by_rays(int square, Bits empty) {
    const Bits blocked = static_cast<Bits>(~empty) & kAll;
    const Rays& rays = kRays[static_cast<std::size_t>(square)];
    Bits set = 0;
    for (std::size_t d = 0; d < 4; ++d) {
      set |= rays[d] ^ kRays[static_cast<std::size_t>(lowest(rays[d] & blocked))][d];
      set |= rays[d + 4] ^ kRays[static_cast<std::size_t>(highest(rays[d + 4] & blocked))][d + 4];
    }
    return set & empty;
  }

  /// The squares in each direction from a square: four directions in which the numbers of squares
  /// rise, then the four opposite ones.
  using Rays = std::array<Bits, 8>;

  static constexpr std::uint64_t high_half(Bits set) {
    if constexpr (kWidth > 64) return static_cast<std::uint64_t>(set >> 64);
    return 0;
  }
  static constexpr Bits ray(int square, int files, int ranks) {
    Bits set = 0;
    int file = square % kSide + files;
    int rank = square / kSide + ranks;
    for (; file >= 0 && file < kSide && rank >= 0 && rank < kSide; file += files, rank += ranks) {
      set |= bit(rank * kSide + file);
    }
    return set;
  }
  static constexpr Bits last_file() {
    Bits set = 0;
    for (int rank = 0; rank < kSide; ++rank) set |= bit(rank * kSide + kSide - 1);
    return set;
  }
  static constexpr Bits kLastFile = last_file();
  /// The rays of every square; those of kSquares, which stands for no square, are empty.
  static constexpr std::array<Rays, static_cast<std::size_t>(kSquares) + 1> kRays = [] {
    std::array<Rays, static_cast<std::size_t>(kSquares) + 1> rays{};
    for (int square = 0; square < kSquares; ++square) {
      rays[static_cast<std::size_t>(square)] = {
          ray(square, 1, 0),  ray(square, -1, 1), ray(square, 0, 1),  ray(square, 1, 1),
          ray(square, -1, 0), ray(square, 1, -1), ray(square, 0, -1), ray(square, -1, -1)};
    }
    return rays;
  }();

  /// The four lines through a square of a board of 4x4, its file first, and the squares in reach on
  /// each by the pattern of its empty squares.
  struct Lines {
    std::array<Bits, 4> squares{};
    std::array<std::array<Bits, 16>, 4> targets{};
  };
  static constexpr Lines lines_of(int square) {
    Lines lines;
    constexpr std::array<std::array<int, 2>, 4> kSteps = {{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    for (std::size_t l = 0; l < 4; ++l) {
      const auto [files, ranks] = kSteps[l];
      lines.squares[l] = ray(square, files, ranks) | ray(square, -files, -ranks);
      for (unsigned pattern = 0; pattern < 16; ++pattern) {
        Bits empty = 0;
        for (Bits rest = lines.squares[l]; rest != 0; rest &= rest - 1) {
          const int at = lowest(rest);
          if ((pattern >> (l == 0 ? at / kSide : at % kSide) & 1U) != 0) empty |= bit(at);
        }
        lines.targets[l][pattern] = reach_by_rays(square, empty);
      }
    }
    return lines;
  }
  static constexpr std::array<Lines, kSide == 4 ? 16 : 0> kLines = [] {
    std::array<Lines, kSide == 4 ? 16 : 0> lines{};
    for (std::size_t square = 0; square < lines.size(); ++square) {
      lines[square] = lines_of(static_cast<int>(square));
    }
    return lines;
  }();
};

}  // namespace ntune
