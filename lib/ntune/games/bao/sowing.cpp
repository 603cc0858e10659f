#include "ntune/games/bao/sowing.h"

#include <array>

namespace ntune {
namespace {

/// Stones of the two rows of a player, a byte for each pit.
struct Rows {
  std::uint64_t front = 0;
  std::uint64_t back = 0;
};

constexpr unsigned kClockwise = BaoSowing::kClockwise;
constexpr unsigned kPitMask = BaoSowing::kPitMask;

/// A table of rows by the hand and a number of stones.
using Runs = std::array<std::array<Rows, 16>, 32>;

/// A stone in each of the n < 16 pits after a hand: [hand][n].
constexpr Runs make_runs() {
  Runs runs{};
  for (std::size_t hand = 0; hand < 32; ++hand) {
    for (std::size_t n = 1; n < 16; ++n) {
      // The hand goes down through the ring, or up if it is clockwise.
      const std::size_t pit = (hand < kClockwise ? hand + 16 - n : hand + n) & kPitMask;
      Rows rows = runs[hand][n - 1];
      (pit < 8 ? rows.front : rows.back) += std::uint64_t{1} << (pit % 8 * 8);
      runs[hand][n] = rows;
    }
  }
  return runs;
}

/// The hand that sows what a hand captures (rules 1.4a, 1.4b).
constexpr std::array<std::uint8_t, 32> make_capture_hands() {
  std::array<std::uint8_t, 32> hands{};
  for (unsigned hand = 0; hand < 32; ++hand) {
    const int pit = static_cast<int>(hand & kPitMask);
    const bool left =
        BaoSowing::side_is_forced(pit) ? BaoSowing::forced_left(pit) : hand >= kClockwise;
    hands[hand] = static_cast<std::uint8_t>(BaoSowing::kichwa_hand(left));
  }
  return hands;
}

constexpr Runs kRuns = make_runs();
constexpr std::array<std::uint8_t, 32> kCaptureHands = make_capture_hands();

/// The own ring and the hand: in a local variable they stay in registers, which saves a tenth.
struct Ring {
  std::uint64_t front;
  std::uint64_t back;
  unsigned hand;

  [[nodiscard]] int pit() const { return static_cast<int>(hand & kPitMask); }
  [[nodiscard]] bool in_front() const { return (hand & Bao::kRow) == 0; }
  [[nodiscard]] unsigned shift() const { return hand % Bao::kRow * 8; }
  [[nodiscard]] unsigned count() const {
    return static_cast<unsigned>((in_front() ? front : back) >> shift() & 0xff);
  }
  void sow(unsigned stones) {
    // Full rounds put a stone into each pit; the table has the rest.
    const Rows& run = kRuns[hand][stones & kPitMask];
    const std::uint64_t rounds = stones / Bao::kPits * bao_row::kEach;
    front += run.front + rounds;
    back += run.back + rounds;
    const unsigned end = hand < kClockwise ? hand - stones : hand + stones;
    hand = (hand & kClockwise) | (end & kPitMask);
  }
  void take(unsigned stones) {
    const std::uint64_t taken = std::uint64_t{stones} << shift();
    front -= in_front() ? taken : 0;
    back -= in_front() ? 0 : taken;
  }
};

/// Hears nothing of a sowing: the case that searches need, where it costs no instruction.
constexpr auto kUnheard = [](const Ring&, std::uint64_t /*theirs*/, unsigned /*stones*/) {};

/// Adds a sowing's states to its course.
class Recorder {
 public:
  Recorder(const BaoSowing& sowing, std::vector<BaoSowing>& course)
      : sowing_(sowing), course_(course) {}
  void operator()(const Ring& ring, std::uint64_t theirs, unsigned stones) const {
    BaoSowing state = sowing_;
    state.front = ring.front;
    state.back = ring.back;
    state.theirs = theirs;
    state.hand = ring.hand;
    state.stones = static_cast<int>(stones);
    course_.push_back(state);
  }

 private:
  const BaoSowing& sowing_;
  std::vector<BaoSowing>& course_;
};

/// Sows with captures and endelea until the move ends; `hear` gets the state after each hand.
template <class Hear>
BaoSowing::End sow_captures(BaoSowing& sowing, const BaoSowingRules& rules, Hear hear) {
  Ring ring = {sowing.front, sowing.back, sowing.hand};
  std::uint64_t facing = sowing.theirs;
  auto in_hand = static_cast<unsigned>(sowing.stones);
  auto total = static_cast<unsigned>(sowing.sown);
  BaoSowing::End end = BaoSowing::End::ended;
  while (true) {
    ring.sow(in_hand);
    hear(ring, facing, in_hand);
    total += in_hand;
    // A front row without stones ends the game and the move at once (rule 1.2), unless the reading
    // is another.
    if ((ring.front == 0 || facing == 0) && !rules.at_end) break;
    if (total > static_cast<unsigned>(rules.limit)) {
      end = BaoSowing::End::infinite;
      break;
    }
    const unsigned reached = ring.count();
    // The last stone fell into an empty pit.
    if (reached == 1) break;
    // The facing pit counts from the other end of the row.
    const unsigned across = 7 * 8 - ring.shift();
    const auto captured =
        static_cast<unsigned>(ring.in_front() ? facing >> across & 0xff : std::uint64_t{0});
    if (ring.pit() == sowing.house && captured == 0) {
      if (rules.stops && reached >= Bao::kActiveHouse) {
        end = BaoSowing::End::at_house;
        break;
      }
      // A house that is not stopped in is lost as such.
      sowing.house = Bao::kPits;
    }
    // A capture or endelea, without a branch on which: one in twenty moves more a second.
    facing -= std::uint64_t{captured} << across;
    ring.take(captured != 0 ? 0 : reached);
    ring.hand = captured != 0 ? kCaptureHands[ring.hand] : ring.hand;
    in_hand = captured != 0 ? captured : reached;
  }
  sowing.front = ring.front;
  sowing.back = ring.back;
  sowing.theirs = facing;
  sowing.hand = ring.hand;
  sowing.sown = static_cast<int>(total);
  return end;
}

/// Sows with endelea alone until the move ends.
template <class Hear>
BaoSowing::End sow_takasa(BaoSowing& sowing, const BaoSowingRules& rules, int takasia, Hear hear) {
  Ring ring = {sowing.front, sowing.back, sowing.hand};
  auto in_hand = static_cast<unsigned>(sowing.stones);
  auto total = static_cast<unsigned>(sowing.sown);
  BaoSowing::End end = BaoSowing::End::ended;
  while (true) {
    ring.sow(in_hand);
    hear(ring, sowing.theirs, in_hand);
    total += in_hand;
    if (ring.front == 0 && !rules.at_end) break;
    if (total > static_cast<unsigned>(rules.limit)) {
      end = BaoSowing::End::infinite;
      break;
    }
    in_hand = ring.count();
    // A takasia pit is not emptied, and a single stone ends the sowing.
    if (in_hand == 1 || ring.pit() == takasia) break;
    if (ring.pit() == sowing.house) {
      if (rules.stops && in_hand >= Bao::kActiveHouse) break;
      sowing.house = Bao::kPits;
    }
    ring.take(in_hand);
  }
  sowing.front = ring.front;
  sowing.back = ring.back;
  return end;
}

}  // namespace

BaoSowing::End BaoSowing::run_captures(const BaoSowingRules& rules) {
  return sow_captures(*this, rules, kUnheard);
}

BaoSowing::End BaoSowing::run_captures(const BaoSowingRules& rules,
                                       std::vector<BaoSowing>& course) {
  return sow_captures(*this, rules, Recorder(*this, course));
}

BaoSowing::End BaoSowing::run_takasa(const BaoSowingRules& rules, int takasia) {
  return sow_takasa(*this, rules, takasia, kUnheard);
}

BaoSowing::End BaoSowing::run_takasa(const BaoSowingRules& rules, int takasia,
                                     std::vector<BaoSowing>& course) {
  return sow_takasa(*this, rules, takasia, Recorder(*this, course));
}

}  // namespace ntune
