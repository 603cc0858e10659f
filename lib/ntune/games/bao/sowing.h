#pragma once

#include <cstdint>
#include <vector>

#include "ntune/games/bao/position.h"

namespace ntune {

/// Bit-parallel helpers on rows of eight pits, one byte each, at most 64 stones in a pit.
namespace bao_row {

constexpr std::uint64_t kEach = 0x0101010101010101;

constexpr int pit(std::uint64_t row, int i) { return static_cast<int>(row >> (i * 8) & 0xff); }
/// The high bit of every pit that holds `least` stones or more, 1 <= least <= 64.
constexpr std::uint64_t at_least(std::uint64_t row, unsigned least) {
  return (row + (0x80 - least) * kEach) & 0x80 * kEach;
}
/// 0xff in every pit that holds a stone.
constexpr std::uint64_t filled(std::uint64_t row) { return (at_least(row, 1) >> 7) * 0xff; }
/// Whether exactly one bit is set. Without an instruction for it std::has_single_bit is a call.
constexpr bool single(unsigned bits) { return bits != 0 && (bits & (bits - 1)) == 0; }
/// The pits with their high bit set, as the bits 0 … 7.
constexpr unsigned bits(std::uint64_t high_bits) {
  return static_cast<unsigned>((high_bits >> 7 & kEach) * 0x0102040810204080 >> 56);
}
/// The row as the player opposite counts its pits.
constexpr std::uint64_t facing(std::uint64_t row) {
  row = (row & 0x00ff00ff00ff00ff) << 8 | (row >> 8 & 0x00ff00ff00ff00ff);
  row = (row & 0x0000ffff0000ffff) << 16 | (row >> 16 & 0x0000ffff0000ffff);
  return row << 32 | row >> 32;
}

}  // namespace bao_row

/// The rules that a move under way depends on.
struct BaoSowingRules {
  int limit;    ///< most stones that a finite move sows
  bool stops;   ///< rule 2.5b: the house can end the move
  bool at_end;  ///< an empty front row ends the game after the move only
};

/// A move under way: the mover's ring, the row that he captures from, and his hand.
struct BaoSowing {
  enum class End : std::uint8_t {
    ended,
    at_house,  ///< the move may end here, or go on after `pick_up`
    infinite,
  };
  /// A hand over the ring is the pit before the next that is sown, or kClockwise more.
  static constexpr unsigned kClockwise = 16;
  static constexpr unsigned kPitMask = 15;

  std::uint64_t front;
  std::uint64_t back;
  std::uint64_t theirs;  ///< the opponent's front row
  unsigned hand = 0;
  int stones = 0;  ///< in the hand
  int sown = 0;
  int house;  ///< the owned house; Bao::kPits or more: none

  [[nodiscard]] int pit() const { return static_cast<int>(hand & kPitMask); }
  [[nodiscard]] int count(int pit) const {
    return bao_row::pit(pit < Bao::kRow ? front : back, pit % Bao::kRow);
  }
  void put(int pit, int number) {
    const std::uint64_t change = static_cast<std::uint64_t>(static_cast<std::int64_t>(number))
                                 << (pit % Bao::kRow * 8);
    front += pit < Bao::kRow ? change : 0;
    back += pit < Bao::kRow ? 0 : change;
  }
  /// Takes the stones of the pit under the hand, which may be the house.
  void pick_up() {
    stones = count(pit());
    put(pit(), -stones);
    if (pit() == house) house = Bao::kPits;
  }
  /// Takes the opponent's stones that face the front pit `pit`, to be sown from a kichwa.
  void capture(int pit, bool from_left) {
    const int shift = (Bao::kRow - 1 - pit) * 8;
    stones = static_cast<int>(theirs >> shift & 0xff);
    theirs &= ~(std::uint64_t{0xff} << shift);
    hand = kichwa_hand(from_left);
  }
  /// The hand that sows from the left kichwa clockwise, or from the right one anticlockwise (rule
  /// 1.4a).
  static constexpr unsigned kichwa_hand(bool left) {
    return left ? kClockwise + Bao::kPits - 1 : Bao::kRow;
  }
  /// Rule 1.4b: a kichwa or kimbi (pits 0, 1, 6, 7) forces the side of a capture.
  static constexpr bool side_is_forced(int pit) { return pit <= 1 || pit >= Bao::kRow - 2; }
  static constexpr bool forced_left(int pit) { return pit <= 1; }

  /// Sows the hand, and goes on with captures and endelea to the end (rules 1.6, 1.8). A sowing
  /// that ends the game (rule 1.2) is never infinite.
  End run_captures(const BaoSowingRules& rules);
  /// Sows the hand, and goes on with endelea alone (rule 1.7), to the pit `takasia` at the latest.
  End run_takasa(const BaoSowingRules& rules, int takasia);
  /// Both of the above; `course` gets the state after each hand, with the stones that were in it.
  End run_captures(const BaoSowingRules& rules, std::vector<BaoSowing>& course);
  End run_takasa(const BaoSowingRules& rules, int takasia, std::vector<BaoSowing>& course);
};

}  // namespace ntune
