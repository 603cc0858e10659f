#include <bit>

#include "ntune/games/bao/course.h"
#include "ntune/games/bao/position.h"
#include "ntune/games/bao/sowing.h"

namespace ntune {

/// Finds the legal moves of a position.
class BaoMoveMaker {
 public:
  explicit BaoMoveMaker(const Bao& from)
      : from_(from), player_(from.to_move_), namua_(from.is_namua()) {
    const Bao::Side& ring = from.side(player_);
    start_.front = ring.front;
    start_.back = ring.back;
    start_.theirs = from.front_row(1 - player_);
    start_.house = from.owns_house(player_) ? Bao::kHouse : Bao::kPits;
    rules_.limit = from.infinite_limit_;
    rules_.stops = namua_ || reads(Bao::kMtajiHouseStop);
    rules_.at_end = reads(Bao::kFrontRowAtEnd);
  }

  /// Calls hear(sowing, move) for the legal moves, as Bao::successors orders them, while it says
  /// that more are wanted.
  template <class Hear>
  void make(Hear hear) const {
    if (from_.is_over()) return;
    // Captures come first: a takasa is legal only where no capture is.
    const unsigned captures = first_captures();
    Progress so_far = Progress::kNone;
    for (unsigned rest = captures; rest != 0 && so_far != Progress::kStopped;) {
      so_far = make_capture(pop(rest), hear, so_far);
    }
    // Where all captures are infinite, one reading of the rules says that the player has lost.
    if (so_far != Progress::kNone || (captures != 0 && reads(Bao::kInfiniteCapturesLose))) return;
    so_far = make_takasas(namua_ ? namua_takasas() : mtaji_takasas(0), hear);
    // In mtaji a takasa from the back row is legal only if none from the front row is.
    if (so_far == Progress::kNone && !namua_) make_takasas(mtaji_takasas(Bao::kRow), hear);
  }

  /// Makes `successor`, whose position is a copy of the one moved from, that of a legal move.
  void finish(BaoSuccessor& successor, const BaoSowing& sowing, BaoMove move) const {
    Bao& next = successor.next;
    successor.move = move;
    const int other = 1 - player_;
    next.sides_[static_cast<std::size_t>(player_)] = {sowing.front, sowing.back};
    next.sides_[static_cast<std::size_t>(other)].front = sowing.theirs;
    if (namua_) {
      const auto player = static_cast<std::size_t>(player_);
      next.stores_[player] = static_cast<std::uint8_t>(from_.stores_[player] - 1);
    }
    // Once both houses are lost nothing can change, which spares the work.
    if (from_.houses_ != 0) {
      const bool theirs = keeps_their_house(sowing, move);
      next.houses_ = static_cast<std::uint8_t>((sowing.house == Bao::kHouse ? 1 : 0) << player_ |
                                               (theirs ? 1 : 0) << other);
    }
    next.to_move_ = static_cast<std::uint8_t>(other);
    next.takasia_ = Bao::kNoPit;
    if (!namua_ && move.has(BaoMove::kTakasa)) {
      next.takasia_ = takasia_after(next);
      if (next.takasia_ != Bao::kNoPit) successor.move.flags |= BaoMove::kTakasia;
    }
  }

  /// The steps of a legal move.
  [[nodiscard]] std::vector<BaoStep> course(BaoMove move) const {
    const Start start = {move.pit, move.has(BaoMove::kClockwise)};
    std::vector<BaoSowing> states;
    if (namua_) {
      states.push_back(start_);
      states.back().put(start.pit, 1);
    }
    // The moves are sown again with their states recorded.
    if (move.has(BaoMove::kTakasa)) {
      begun_takasa(start).run_takasa(rules_, from_.takasia_, states);
    } else {
      BaoSowing sowing = begun_capture(start);
      sowing.run_captures(rules_, states);
      if (move.has(BaoMove::kPlaysHouse)) {
        sowing.pick_up();
        sowing.run_captures(rules_, states);
      }
    }
    std::vector<BaoStep> steps;
    // In namua the first step enters a stone from the store.
    if (namua_) {
      steps.push_back({BaoStep::Source::kStore, start.pit, 1, start.pit, start.pit,
                       board_of(states.front(), move)});
    }
    for (std::size_t i = steps.size(); i < states.size(); ++i) {
      const std::uint64_t before = i == 0 ? start_.theirs : states[i - 1].theirs;
      const int from = steps.empty() ? start.pit : steps.back().last;
      steps.push_back(step_of(states[i], before, from, move));
    }
    return steps;
  }

  /// Whether a capture is legal.
  [[nodiscard]] bool can_capture() const {
    for (unsigned rest = first_captures(); rest != 0;) {
      BaoSowing sowing = begun_capture(pop(rest));
      if (sowing.run_captures(rules_) != BaoSowing::End::infinite) return true;
    }
    return false;
  }

 private:
  /// A way to start a move. In a set it is the bit 2 * pit, or if clockwise 2 * pit + 1.
  struct Start {
    int pit;
    bool clockwise;
  };

  static constexpr unsigned kLeftKichwa = 0b11;
  static constexpr unsigned kRightKichwa = kLeftKichwa << (2 * (Bao::kRow - 1));
  static constexpr unsigned kAnticlockwise = 0x55555555;

  /// Removes the first start from a set and returns it.
  static Start pop(unsigned& starts) {
    const int bit = std::countr_zero(starts);
    starts &= starts - 1;
    return {bit / 2, bit % 2 != 0};
  }
  /// The starts of a set of pits, given as bits, in both directions.
  static constexpr unsigned both_ways(unsigned pits) {
    pits = (pits | pits << 8) & 0x00ff00ff;
    pits = (pits | pits << 4) & 0x0f0f0f0f;
    pits = (pits | pits << 2) & 0x33333333;
    pits = (pits | pits << 1) & kAnticlockwise;
    return pits * 3;
  }

  [[nodiscard]] bool reads(std::uint8_t reading) const { return (from_.readings_ & reading) != 0; }
  [[nodiscard]] bool loses_house_in_mtaji(BaoRules::HouseLoss who) const {
    const auto reading = static_cast<BaoRules::HouseLoss>(from_.readings_ & Bao::kLossMask);
    return reading == who || reading == BaoRules::HouseLoss::both;
  }
  [[nodiscard]] unsigned filled_front() const {
    return bao_row::bits(bao_row::at_least(start_.front, 1));
  }

  /// The captures that may begin a move, those of infinite moves included.
  [[nodiscard]] unsigned first_captures() const {
    const unsigned ends = bao_row::bits(bao_row::at_least(start_.front, 1) &
                                        bao_row::facing(bao_row::at_least(start_.theirs, 1)));
    return namua_ ? namua_captures(ends) : mtaji_captures(ends);
  }

  /// Rules 2.3 and 1.4; `ends` are the mover's front pits that hold a stone and face one.
  static unsigned namua_captures(unsigned ends) {
    constexpr unsigned kLeft = 0b1111;  // a kichwa and a kimbi
    constexpr unsigned kRight = kLeft << (2 * (Bao::kRow - 2));
    constexpr unsigned kSides = ~((kLeft & kAnticlockwise) | (kRight & ~kAnticlockwise));
    return both_ways(ends) & kSides;
  }

  /// Rule 3.4: 2 to 15 stones of a pit may be lifted.
  [[nodiscard]] unsigned mtaji_captures(unsigned ends) const {
    if (ends == 0) return 0;
    const auto liftable = [](std::uint64_t row) {
      return bao_row::bits(bao_row::at_least(row, 2) & ~bao_row::at_least(row, Bao::kPits));
    };
    unsigned pits = liftable(start_.front) | liftable(start_.back) << Bao::kRow;
    unsigned starts = 0;
    for (; pits != 0; pits &= pits - 1) {
      const int pit = std::countr_zero(pits);
      const int stones = start_.count(pit);
      const unsigned anticlockwise = ends >> ((pit - stones) & (Bao::kPits - 1)) & 1;
      const unsigned clockwise = ends >> ((pit + stones) & (Bao::kPits - 1)) & 1;
      starts |= (anticlockwise | clockwise << 1) << (2 * pit);
    }
    return starts;
  }

  [[nodiscard]] BaoSowing begun_capture(Start start) const {
    if (!namua_) {
      BaoSowing sowing = lifted(start);
      if (loses_house_in_mtaji(BaoRules::HouseLoss::capturer)) sowing.house = Bao::kPits;
      return sowing;
    }
    BaoSowing sowing = start_;
    // In namua the entered stone is the last of the sowing, and it captures at once.
    sowing.put(start.pit, 1);
    sowing.sown = 1;
    sowing.capture(start.pit, start.clockwise);
    return sowing;
  }

  static unsigned hand_of(Start start) {
    return static_cast<unsigned>(start.pit) + (start.clockwise ? BaoSowing::kClockwise : 0);
  }
  static BaoMove move_of(Start start, int flags) {
    return BaoMove::of(start.pit, flags | (start.clockwise ? BaoMove::kClockwise : 0));
  }

  /// The sowing with the stones of a pit in the hand.
  [[nodiscard]] BaoSowing lifted(Start start) const {
    BaoSowing sowing = start_;
    sowing.hand = hand_of(start);
    sowing.pick_up();
    return sowing;
  }

  /// What the moves heard so far allow.
  enum class Progress : std::uint8_t { kNone, kSome, kStopped };
  static constexpr Progress after(bool wants_more) {
    return wants_more ? Progress::kSome : Progress::kStopped;
  }

  template <class Hear>
  Progress make_capture(Start start, Hear& hear, Progress so_far) const {
    BaoMove move = move_of(start, namua_ ? BaoMove::kEntryCapture : 0);
    BaoSowing sowing = begun_capture(start);
    // A move that stops in an owned house has two forms: to stop, or to play the house.
    BaoSowing::End end = sowing.run_captures(rules_);
    if (end == BaoSowing::End::at_house) {
      so_far = after(hear(sowing, move));
      if (so_far == Progress::kStopped) return so_far;
      move.flags |= BaoMove::kPlaysHouse;
      sowing.pick_up();
      end = sowing.run_captures(rules_);
    }
    return end == BaoSowing::End::ended ? after(hear(sowing, move)) : so_far;
  }

  /// Whether the house may not start a takasa in namua (rule 2.4b).
  [[nodiscard]] bool house_is_closed() const {
    const int entry = reads(Bao::kHouseCountsEntry) ? 1 : 0;
    return start_.house == Bao::kHouse && start_.count(Bao::kHouse) + entry >= Bao::kActiveHouse;
  }

  /// Rule 2.4.
  [[nodiscard]] unsigned namua_takasas() const {
    const unsigned filled = filled_front();
    const unsigned fuller = bao_row::bits(bao_row::at_least(start_.front, 2));
    const bool singles = start_.house == Bao::kHouse || fuller == 0;
    unsigned pits = singles ? filled : fuller;                                        // 2.4c
    if (house_is_closed() && !bao_row::single(filled)) pits &= ~(1U << Bao::kHouse);  // 2.4b
    return within_front_row(both_ways(pits));                                         // 2.4a
  }

  /// Rule 3.5: from one row, `first` being its first pit.
  [[nodiscard]] unsigned mtaji_takasas(int first) const {
    const std::uint64_t row = first == 0 ? start_.front : start_.back;
    const unsigned pits = bao_row::bits(bao_row::at_least(row, 2)) << first;
    return within_front_row(both_ways(pits & ~(1U << from_.takasia_)));
  }

  /// Rules 2.4a and 3.5b: a kichwa that is the only filled front pit does not run into the back
  /// row.
  [[nodiscard]] unsigned within_front_row(unsigned starts) const {
    if (!bao_row::single(filled_front())) return starts;
    return starts & ~((kLeftKichwa & kAnticlockwise) | (kRightKichwa & ~kAnticlockwise));
  }

  [[nodiscard]] BaoSowing begun_takasa(Start start) const {
    if (!namua_) return lifted(start);
    BaoSowing sowing = start_;
    sowing.hand = hand_of(start);
    sowing.sown = 1;
    // From a house of six stones or more only two are sown (rule 2.4b).
    sowing.put(start.pit, 1);
    if (start.pit == Bao::kHouse && house_is_closed()) {
      sowing.put(start.pit, -2);
      sowing.stones = 2;
    } else {
      sowing.pick_up();
    }
    return sowing;
  }

  template <class Hear>
  Progress make_takasas(unsigned starts, Hear& hear) const {
    Progress so_far = Progress::kNone;
    while (starts != 0 && so_far != Progress::kStopped) {
      // An infinite takasa is illegal.
      const Start start = pop(starts);
      BaoSowing sowing = begun_takasa(start);
      if (sowing.run_takasa(rules_, from_.takasia_) == BaoSowing::End::infinite) continue;
      so_far = after(hear(sowing, move_of(start, BaoMove::kTakasa)));
    }
    return so_far;
  }

  [[nodiscard]] bool keeps_their_house(const BaoSowing& sowing, BaoMove move) const {
    const bool is_lost =
        !namua_ && !move.has(BaoMove::kTakasa) && loses_house_in_mtaji(BaoRules::HouseLoss::victim);
    return from_.owns_house(1 - player_) && !is_lost &&
           bao_row::pit(sowing.theirs, Bao::kHouse) != 0;
  }

  /// Rule 4.1: the pit that the player on turn may not empty because our takasa threatens it alone.
  [[nodiscard]] std::uint8_t takasia_after(const Bao& next) const {
    const std::uint64_t row = next.front_row(next.to_move_);
    const unsigned threatened = bao_row::bits(bao_row::at_least(next.captures(player_), 1));
    // Only a single threatened pit can be a takasia.
    if (!bao_row::single(threatened)) return Bao::kNoPit;
    const int pit = std::countr_zero(threatened);
    const bool only_filled = bao_row::bits(bao_row::at_least(row, 1)) == threatened;
    const bool only_playable = bao_row::bits(bao_row::at_least(row, 2)) == threatened;
    const bool house = pit == Bao::kHouse && next.owns_house(next.to_move_);
    // The house, the only filled pit and the only playable one are exempt.
    if (house || only_filled || only_playable) return Bao::kNoPit;
    if (next.is_over() || BaoMoveMaker(next).can_capture()) return Bao::kNoPit;
    return static_cast<std::uint8_t>(pit);
  }

  /// What the hand of a state did, whose stones are from a pit unless `theirs` had them before.
  [[nodiscard]] BaoStep step_of(const BaoSowing& state, std::uint64_t theirs, int pit,
                                BaoMove move) const {
    BaoStep step{
        .pit = pit, .stones = state.stones, .last = state.pit(), .board = board_of(state, move)};
    // The hand's last pit and the number of stones give the first pit, against the way of sowing.
    const int back = state.stones - 1;
    step.first = (state.hand < BaoSowing::kClockwise ? step.last + back : step.last - back) &
                 (Bao::kPits - 1);
    if (theirs != state.theirs) {
      // What the other row lost tells which pit was captured.
      step.source = BaoStep::Source::kCapture;
      step.pit = std::countr_zero(theirs ^ state.theirs) / 8;
    }
    return step;
  }

  [[nodiscard]] BaoBoard board_of(const BaoSowing& state, BaoMove move) const {
    BaoBoard board;
    const auto mover = static_cast<std::size_t>(player_);
    const int other = 1 - player_;
    for (int i = 0; i < Bao::kPits; ++i) {
      const auto pit = static_cast<std::size_t>(i);
      const bool front = i < Bao::kRow;
      board.pits[mover][pit] = static_cast<std::uint8_t>(state.count(i));
      board.pits[1 - mover][pit] =
          static_cast<std::uint8_t>(front ? bao_row::pit(state.theirs, i) : from_.pit(other, i));
    }
    board.stores = from_.stores_;
    if (namua_) --board.stores[mover];
    board.houses[mover] = state.house == Bao::kHouse;
    board.houses[1 - mover] = keeps_their_house(state, move);
    board.to_move = player_;
    return board;
  }

  const Bao& from_;
  BaoSowing start_;
  BaoSowingRules rules_;
  int player_;
  bool namua_;
};

void Bao::successors(BaoSuccessors& list) const {
  list.clear();
  const BaoMoveMaker maker(*this);
  maker.make([&](const BaoSowing& sowing, BaoMove move) {
    maker.finish(list.add(move, *this), sowing, move);
    return true;
  });
}

void Bao::each_successor(void* visitor, bool (*visit)(void*, const Bao&)) const {
  const BaoMoveMaker maker(*this);
  BaoSuccessor successor = {{}, *this};
  maker.make([&](const BaoSowing& sowing, BaoMove move) {
    maker.finish(successor, sowing, move);
    return visit(visitor, successor.next);
  });
}

std::vector<BaoStep> bao_course(const Bao& from, BaoMove move) {
  return BaoMoveMaker(from).course(move);
}

}  // namespace ntune
