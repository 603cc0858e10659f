#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ntune {

/// The entries of the database of 4x4 positions with one queen each: 21 placements of the queens
/// times the sets of empty squares among the other 14, as bits in the order of the squares. One
/// placement stands for all that the board's symmetries and the exchange of the colours make equal.
class AmazonsIndex {
 public:
  static constexpr int kSetBits = 14;
  static constexpr std::uint32_t kSets = 1U << kSetBits;
  static constexpr std::uint32_t kPlacements = 21;
  static constexpr std::uint32_t kEntries = kPlacements * kSets;

  /// Where positions with certain squares of the queens are found.
  struct Placement {
    std::uint32_t first_entry = 0;
    std::uint8_t symmetry = 0;  ///< symmetry that brings the queens to the entries' squares
    bool negative = false;      ///< in the entries the colours are exchanged
    std::uint8_t low = 0;       ///< the entries' queens' squares
    std::uint8_t high = 0;
  };

  constexpr AmazonsIndex() {
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      for (std::size_t half = 0; half < 2; ++half) {
        auto& images = images_[static_cast<std::size_t>(symmetry)][half];
        for (std::size_t set = 1; set < images.size(); ++set) {
          const int lowest = std::countr_zero(set) + static_cast<int>(8 * half);
          images[set] = static_cast<std::uint16_t>(images[set & (set - 1)] |
                                                   1U << square_image(symmetry, lowest));
        }
      }
    }
    for (int black = 0; black < 16; ++black) {
      for (int white = 0; white < 16; ++white) {
        if (black != white) place(black, white);
      }
    }
  }

  /// The placement of queens on two different squares.
  [[nodiscard]] constexpr const Placement& placement(int black, int white) const {
    return placements_[code(black, white)];
  }
  /// The squares of the black and of the white queen in the entries of a placement.
  [[nodiscard]] constexpr std::array<int, 2> queens(std::uint32_t placement) const {
    return queens_[placement];
  }
  /// A set of squares other than the queens' as bits of an entry.
  [[nodiscard]] constexpr std::uint32_t set(const Placement& placement,
                                            std::uint32_t squares) const {
    const auto& images = images_[placement.symmetry];
    const auto image =
        static_cast<std::uint32_t>(images[0][squares & 0xffU] | images[1][squares >> 8]);
    return squeezed(image, placement.low, placement.high);
  }

  /// Removes the places of two squares, low < high, from a set of squares; `spread` puts them back.
  static constexpr std::uint32_t squeezed(std::uint32_t squares, int low, int high) {
    const auto remove = [](std::uint32_t set, int square) {
      const std::uint32_t below = (1U << square) - 1;
      return (set & below) | (set >> 1 & ~below);
    };
    return remove(remove(squares, high), low);
  }
  static constexpr std::uint32_t spread(std::uint32_t set, int low, int high) {
    const auto insert = [](std::uint32_t bits, int square) {
      const std::uint32_t below = (1U << square) - 1;
      return (bits & below) | (bits & ~below) << 1;
    };
    return insert(insert(set, low), high);
  }

 private:
  static constexpr std::size_t code(int black, int white) {
    return static_cast<std::size_t>(black * 16 + white);
  }
  /// Bit 0 of the symmetry exchanges the files, bit 1 the ranks, bit 2 files with ranks.
  static constexpr int square_image(int symmetry, int square) {
    const int file = square % 4 ^ ((symmetry & 1) != 0 ? 3 : 0);
    const int rank = square / 4 ^ ((symmetry & 2) != 0 ? 3 : 0);
    return (symmetry & 4) != 0 ? file * 4 + rank : rank * 4 + file;
  }
  /// The image with the lowest code has the entries; it comes first.
  constexpr void place(int black, int white) {
    std::size_t lowest = placements_.size();
    Placement placement;
    for (int symmetry = 0; symmetry < 8; ++symmetry) {
      const int first = square_image(symmetry, black);
      const int second = square_image(symmetry, white);
      for (const bool negative : {false, true}) {
        const std::size_t image = negative ? code(second, first) : code(first, second);
        if (image >= lowest) continue;
        lowest = image;
        placement.symmetry = static_cast<std::uint8_t>(symmetry);
        placement.negative = negative;
      }
    }
    if (lowest == code(black, white)) {
      placement.first_entry = placed_ * kSets;
      queens_[placed_++] = {black, white};
    } else {
      placement.first_entry = placements_[lowest].first_entry;
    }
    const int a = static_cast<int>(lowest / 16);
    const int b = static_cast<int>(lowest % 16);
    placement.low = static_cast<std::uint8_t>(a < b ? a : b);
    placement.high = static_cast<std::uint8_t>(a < b ? b : a);
    placements_[code(black, white)] = placement;
  }

  std::array<Placement, 256> placements_{};
  std::array<std::array<int, 2>, kPlacements> queens_{};
  /// Images of sets of squares: by symmetry, half of the board, and set of the half's squares.
  std::array<std::array<std::array<std::uint16_t, 256>, 2>, 8> images_{};
  std::uint32_t placed_ = 0;
};

inline constexpr AmazonsIndex kAmazonsIndex;

}  // namespace ntune
