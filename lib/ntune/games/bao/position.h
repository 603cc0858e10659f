#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "ntune/agents/turn_game/successor_list.h"
#include "ntune/agents/turn_game/turn_game.h"

namespace ntune {

class Options;

/// Readings of the rules of Zanzibar Bao (Donkers et al. 2005, Appendix B) where its text leaves a
/// choice.
struct BaoRules {
  /// Who loses an owned house at the first capture of the mtaji stage.
  enum class HouseLoss : std::uint8_t { both, capturer, victim, nobody };

  int infinite_limit = 100;  ///< rule 1.5a: a move that sows more stones than this is illegal
  bool house_counts_entry = false;         ///< rule 2.4b: the six stones include the entry stone
  HouseLoss house_loss = HouseLoss::both;  ///< rule 2.5a
  bool mtaji_house_stop = false;           ///< rule 2.5b holds in the mtaji stage too
  bool infinite_captures_lose = false;     ///< captures that are all infinite forbid takasa
  bool front_row_at_end = false;  ///< rule 1.2: an empty front row ends the game after a move only

  void visit(Options& options);
  friend bool operator==(const BaoRules&, const BaoRules&) = default;
};

/// A move of Bao: the pit that it starts from, the way round the ring of the first stones sown, and
/// what the notation marks. `pit`: as in Bao::pit.
struct BaoMove {
  static constexpr std::uint8_t kClockwise = 1;
  static constexpr std::uint8_t kEntryCapture = 2;  ///< namua: captures with the entry stone
  static constexpr std::uint8_t kPlaysHouse = 4;    ///< ">"
  static constexpr std::uint8_t kTakasa = 8;        ///< "*"
  static constexpr std::uint8_t kTakasia = 16;      ///< "**", with kTakasa

  std::uint8_t pit = 0;
  std::uint8_t flags = 0;

  static constexpr BaoMove of(int pit, int flags) {
    return {static_cast<std::uint8_t>(pit), static_cast<std::uint8_t>(flags)};
  }
  [[nodiscard]] constexpr bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
  friend constexpr auto operator<=>(const BaoMove&, const BaoMove&) = default;
};

/// The contents of a position, from which one is made.
struct BaoBoard {
  std::array<std::array<std::uint8_t, 16>, 2> pits{};  ///< by player, as in Bao::pit
  std::array<std::uint8_t, 2> stores{};
  std::array<bool, 2> houses{};  ///< owned
  int to_move = 0;
  int takasia = -1;  ///< front pit of the player on turn, 0 … 7; -1: none
};

class Bao;
using BaoSuccessor = Successor<BaoMove, Bao>;
using BaoSuccessors = SuccessorList<BaoMove, Bao, 64>;

/// A position of Zanzibar Bao (Donkers et al. 2005, Appendix B), a TurnGame. Player 0 is South, who
/// begins, 1 is North. The pits of a player are a ring. 0 … 7 are the front row from his left to
/// his right, 8 … 15 the back row from his right to his left; clockwise is upwards. Front pit i
/// faces the opponent's 7 - i. A row is also a word, its first pit the lowest byte.
class Bao {
 public:
  static constexpr int kPits = 16;
  static constexpr int kRow = 8;
  static constexpr int kHouse = 4;        ///< nyumba
  static constexpr int kActiveHouse = 6;  ///< stones of an owned house that make it active
  static constexpr int kStones = 64;

  using Move = BaoMove;
  using Successors = BaoSuccessors;

  /// The official opening (rule 2.1).
  Bao() : Bao(opening_board()) {}
  explicit Bao(const BaoRules& rules) : Bao(opening_board(), rules) {}
  /// The position of a board of kStones stones.
  explicit Bao(const BaoBoard& board, const BaoRules& rules = {});

  [[nodiscard]] int pit(int player, int i) const {
    const std::uint64_t row = i < kRow ? front_row(player) : back_row(player);
    return static_cast<int>(row >> (i % kRow * 8) & 0xff);
  }
  /// Rows from the owner's left to his right, i = 0 … 7: his pits A1 … A8 and B1 … B8.
  [[nodiscard]] int front(int player, int i) const { return pit(player, i); }
  [[nodiscard]] int back(int player, int i) const { return pit(player, kPits - 1 - i); }
  [[nodiscard]] std::uint64_t front_row(int player) const { return side(player).front; }
  [[nodiscard]] std::uint64_t back_row(int player) const { return side(player).back; }
  /// Stones of a player on the board, and of a row.
  [[nodiscard]] int stones(int player) const {
    return row_stones(front_row(player)) + row_stones(back_row(player));
  }
  static constexpr int row_stones(std::uint64_t row) {
    return static_cast<int>(row * 0x0101010101010101 >> 56);
  }
  [[nodiscard]] int store(int player) const { return stores_[static_cast<std::size_t>(player)]; }
  [[nodiscard]] bool owns_house(int player) const { return (houses_ >> player & 1) != 0; }
  [[nodiscard]] bool is_house_active(int player) const {
    return owns_house(player) && front(player, kHouse) >= kActiveHouse;
  }
  /// Stage of the player on turn; the other one is mtaji.
  [[nodiscard]] bool is_namua() const { return store(to_move_) > 0; }
  /// Front pit that the player on turn may not empty; -1: none.
  [[nodiscard]] int takasia() const { return takasia_ == kNoPit ? -1 : takasia_; }
  [[nodiscard]] BaoRules rules() const;

  /// The opponent's front row with stones only in the pits that `player` would capture first in
  /// some move if he were on turn; 0 in all others. Says nothing about whether that move is
  /// infinite. The stage is namua while the player has a store.
  [[nodiscard]] std::uint64_t captures(int player) const;

  [[nodiscard]] int to_move() const { return to_move_; }
  /// Whether a front row is empty: its owner has lost.
  [[nodiscard]] bool is_over() const { return front_row(0) == 0 || front_row(1) == 0; }
  /// The winner of a position that is over. If both front rows are empty, which needs
  /// BaoRules::front_row_at_end, it is the player who moved.
  [[nodiscard]] int winner() const { return front_row(to_move_) == 0 ? 1 - to_move_ : to_move_; }
  /// The winner as an outcome; Bao knows no draws.
  [[nodiscard]] GameOutcome outcome() const { return win_of(winner()); }

  /// Makes the list the legal moves with the positions they lead to: by pit, anticlockwise before
  /// clockwise, a stop in the house before playing it. An empty list: the player on turn has lost.
  void successors(BaoSuccessors& list) const;
  /// Calls visit(next) for the positions of `successors` in turn while it returns true: for a
  /// search that may not want them all.
  template <class Visit>
  void each_successor(Visit visit) const {
    each_successor(&visit,
                   [](void* v, const Bao& next) { return (*static_cast<Visit*>(v))(next); });
  }

  [[nodiscard]] std::uint64_t key() const;

  friend auto operator<=>(const Bao&, const Bao&) = default;

 private:
  friend class BaoMoveMaker;

  struct Side {
    std::uint64_t front = 0;
    std::uint64_t back = 0;
    friend auto operator<=>(const Side&, const Side&) = default;
  };
  static constexpr std::uint8_t kNoPit = 16;

  // Bits of readings_; the lowest two are BaoRules::HouseLoss.
  static constexpr std::uint8_t kLossMask = 3;
  static constexpr std::uint8_t kHouseCountsEntry = 4;
  static constexpr std::uint8_t kMtajiHouseStop = 8;
  static constexpr std::uint8_t kInfiniteCapturesLose = 16;
  static constexpr std::uint8_t kFrontRowAtEnd = 32;

  static BaoBoard opening_board();
  void each_successor(void* visitor, bool (*visit)(void*, const Bao&)) const;
  [[nodiscard]] const Side& side(int player) const {
    return sides_[static_cast<std::size_t>(player)];
  }

  std::array<Side, 2> sides_;
  std::array<std::uint8_t, 2> stores_;
  std::uint8_t houses_;  // bit p: player p owns his house
  std::uint8_t takasia_;
  std::uint8_t to_move_;
  std::uint8_t readings_;  // the chosen readings of the rules, as bits
  std::uint16_t infinite_limit_;
};

}  // namespace ntune
