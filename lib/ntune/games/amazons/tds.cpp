#include "ntune/games/amazons/tds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace ntune {

namespace {

/// Symmetries of the square: bits 0 and 1 mirror files and ranks, bit 2 exchanges them.
constexpr int kSymmetries = 8;

/// The image of a square of the 4x4 board.
constexpr int image(int symmetry, int square) {
  int file = square % 4;
  int rank = square / 4;
  if ((symmetry & 1) != 0) file = 3 - file;
  if ((symmetry & 2) != 0) rank = 3 - rank;
  return (symmetry & 4) != 0 ? file * 4 + rank : rank * 4 + file;
}

/// Images of sets of squares of the 4x4 board, by symmetry and half of the board.
using Images = std::array<std::array<std::array<std::uint16_t, 256>, 2>, kSymmetries>;
constexpr Images kImages = [] {
  Images images{};
  for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
    for (int half = 0; half < 2; ++half) {
      auto& sets = images[static_cast<std::size_t>(symmetry)][static_cast<std::size_t>(half)];
      // The image of a set is that of the set without its lowest square, and of that square.
      for (std::size_t set = 1; set < 256; ++set) {
        const int lowest = half * 8 + std::countr_zero(set);
        sets[set] =
            static_cast<std::uint16_t>(sets[set & (set - 1)] | 1U << image(symmetry, lowest));
      }
    }
  }
  return images;
}();

/// The image of a set, by its two halves.
constexpr std::uint32_t image_of(std::size_t symmetry, std::uint32_t set) {
  return kImages[symmetry][0][set & 0xff] | kImages[symmetry][1][set >> 8];
}

/// The symmetries that bring two queens to the least squares, the black one's first, as bits; by
/// black's square * 16 + white's.
constexpr std::array<std::uint8_t, 256> kLeastPlacements = [] {
  std::array<std::uint8_t, 256> masks{};
  for (int queens = 0; queens < 256; ++queens) {
    int least = 256;
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      // Smaller images begin a new mask, equal ones add their symmetry to it.
      const int images = image(symmetry, queens / 16) * 16 + image(symmetry, queens % 16);
      std::uint8_t& mask = masks[static_cast<std::size_t>(queens)];
      if (images < least) mask = 0;
      if (images <= least) mask = static_cast<std::uint8_t>(mask | 1U << symmetry);
      least = std::min(least, images);
    }
  }
  return masks;
}();

/// The least image among those of some symmetries, by the queens first.
AmazonsPosition<4> least_image(const AmazonsPosition<4>& position) {
  const std::uint32_t black = position.queens(Player::kLeft);
  const std::uint32_t white = position.queens(Player::kRight);
  std::uint32_t symmetries = (1U << kSymmetries) - 1;
  // With one queen each, only symmetries that bring the queens to the least squares can give the
  // least image.
  if (std::has_single_bit(black) && std::has_single_bit(white)) {
    symmetries = kLeastPlacements[static_cast<std::size_t>(std::countr_zero(black) * 16 +
                                                           std::countr_zero(white))];
  }
  std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> least{~0U, 0, 0};
  for (; symmetries != 0; symmetries &= symmetries - 1) {
    const auto symmetry = static_cast<std::size_t>(std::countr_zero(symmetries));
    least = std::min(least, {image_of(symmetry, black), image_of(symmetry, white),
                             image_of(symmetry, position.empty())});
  }
  return {std::get<2>(least), std::get<0>(least), std::get<1>(least)};
}

}  // namespace

template <int kSide>
AmazonsPosition<kSide> tds_canonical(const AmazonsPosition<kSide>& position) {
  using Board = AmazonsBoard<kSide>;
  const auto queens = position.queens();
  // Squares that no queen can reach do not matter for the value.
  const auto live = Board::connected(queens, position.empty()) & position.empty();
  const AmazonsPosition<kSide> rest(live, position.queens(Player::kLeft),
                                    position.queens(Player::kRight));
  if constexpr (kSide == 4) return least_image(rest);
  return rest;
}

template class TemperatureDiscovery<AmazonsPosition<4>>;
template class TemperatureDiscovery<AmazonsPosition<5>>;
template class TemperatureDiscovery<AmazonsPosition<6>>;
template class TemperatureDiscovery<AmazonsPosition<8>>;
template class TemperatureDiscovery<AmazonsPosition<10>>;

template AmazonsPosition<4> tds_canonical(const AmazonsPosition<4>&);
template AmazonsPosition<5> tds_canonical(const AmazonsPosition<5>&);
template AmazonsPosition<6> tds_canonical(const AmazonsPosition<6>&);
template AmazonsPosition<8> tds_canonical(const AmazonsPosition<8>&);
template AmazonsPosition<10> tds_canonical(const AmazonsPosition<10>&);

}  // namespace ntune
