#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ntune/games/bao/position.h"

namespace ntune::test {

/// The moves of Bao by the letter of Donkers et al. 2005, Appendix B: pit by pit, stone by stone.
/// Slow, and shares nothing with the library but the board.
class BaoReference {
 public:
  struct Move {
    std::string text;
    Bao next;
  };

  explicit BaoReference(const Bao& position)
      : rules_(position.rules()), me_(position.to_move()), takasia_(position.takasia()) {
    for (int p = 0; p < 2; ++p) {
      Side& side = p == me_ ? start_.own : start_.other;
      for (int i = 0; i < 16; ++i) side.pits[at(i)] = position.pit(p, i);
      side.house = position.owns_house(p);
      side.store = position.store(p);
    }
    namua_ = start_.own.store > 0;
  }

  std::vector<Move> moves() {
    moves_.clear();
    if (start_.own.front_empty() || start_.other.front_empty()) return {};
    const bool any_capture = captures();
    if (!moves_.empty() || (any_capture && rules_.infinite_captures_lose)) return moves_;
    takasas(0);
    if (moves_.empty() && !namua_) takasas(8);
    return moves_;
  }

 private:
  static std::size_t at(int pit) { return static_cast<std::size_t>((pit + 32) % 16); }

  struct Side {
    std::array<int, 16> pits{};
    bool house = false;
    int store = 0;

    [[nodiscard]] int filled_front(int least = 1) const {
      int filled = 0;
      for (int i = 0; i < 8; ++i) filled += pits[at(i)] >= least ? 1 : 0;
      return filled;
    }
    [[nodiscard]] bool front_empty() const { return filled_front() == 0; }
  };

  struct Play {
    Side own, other;
    int step = 1;  ///< 1 clockwise, -1 anticlockwise
    int pit = 0;
    int hand = 0;
    int sown = 0;
    bool plays_house = false;

    void take() {
      hand = own.pits[at(pit)];
      own.pits[at(pit)] = 0;
      if (at(pit) == 4) own.house = false;
    }
    void sow_hand() {
      for (; hand > 0; --hand) {
        pit = static_cast<int>(at(pit + step));
        ++own.pits[at(pit)];
        ++sown;
      }
    }
    [[nodiscard]] bool can_capture_here() const {
      return pit < 8 && own.pits[at(pit)] > 1 && other.pits[at(7 - pit)] > 0;
    }
    void capture(int direction) {
      hand = other.pits[at(7 - pit)];
      other.pits[at(7 - pit)] = 0;
      if (7 - pit == 4) other.house = false;
      step = direction;
      if (pit == 0 || pit == 1) step = 1;
      if (pit == 6 || pit == 7) step = -1;
      pit = step == 1 ? -1 : 8;
    }
  };

  bool captures() {
    bool any = false;
    for (int pit = 0; pit < 16; ++pit) {
      for (const int step : {-1, 1}) {
        Play play = start_;
        play.pit = pit;
        play.step = step;
        if (namua_ ? !begin_namua_capture(play) : !begin_mtaji_capture(play)) continue;
        any = true;
        finish_capture(play, pit, step);
      }
    }
    return any;
  }

  static bool begin_namua_capture(Play& play) {
    const int pit = play.pit;
    if (pit >= 8 || play.own.pits[at(pit)] == 0 || play.other.pits[at(7 - pit)] == 0) return false;
    const int step = play.step;
    if (pit <= 1 && step == -1) return false;
    if (pit >= 6 && step == 1) return false;
    ++play.own.pits[at(pit)];
    play.sown = 1;
    play.capture(step);
    return true;
  }

  static bool begin_mtaji_capture(Play& play) {
    if (play.own.pits[at(play.pit)] < 2 || play.own.pits[at(play.pit)] > 15) return false;
    play.take();
    play.sow_hand();
    return play.can_capture_here();
  }

  void finish_capture(Play play, int pit, int step) {
    if (!namua_) {
      const auto who = rules_.house_loss;
      if (who == BaoRules::HouseLoss::both || who == BaoRules::HouseLoss::capturer) {
        play.own.house = false;
      }
      if (who == BaoRules::HouseLoss::both || who == BaoRules::HouseLoss::victim) {
        play.other.house = false;
      }
      play.capture(step);
    }
    while (true) {
      play.sow_hand();
      if (!rules_.front_row_at_end && (play.own.front_empty() || play.other.front_empty())) break;
      if (play.sown > rules_.infinite_limit) return;
      if (play.own.pits[at(play.pit)] == 1) break;
      if (play.can_capture_here()) {
        play.capture(play.step);
        continue;
      }
      if (stops_at_house(play)) {
        add(play, pit, step, "");
        play.plays_house = true;
      }
      play.take();
    }
    add(play, pit, step, "");
  }

  [[nodiscard]] bool stops_at_house(const Play& play) const {
    return play.pit == 4 && play.own.house && play.own.pits[4] >= 6 &&
           (namua_ || rules_.mtaji_house_stop);
  }

  void takasas(int first) {
    for (int pit = first; pit < first + 8; ++pit) {
      for (const int step : {-1, 1}) {
        if (!may_takasa(pit, step)) continue;
        Play play = start_;
        play.pit = pit;
        play.step = step;
        if (namua_) {
          ++play.own.pits[at(pit)];
          play.sown = 1;
        }
        if (namua_ && is_closed_house(pit)) {
          play.own.pits[4] -= 2;
          play.hand = 2;
        } else {
          play.take();
        }
        finish_takasa(play, pit, step);
      }
    }
  }

  [[nodiscard]] bool is_closed_house(int pit) const {
    const int entry = rules_.house_counts_entry ? 1 : 0;
    return pit == 4 && start_.own.house && start_.own.pits[4] + entry >= 6;
  }

  [[nodiscard]] bool may_takasa(int pit, int step) const {
    const int stones = start_.own.pits[at(pit)];
    const bool alone = start_.own.filled_front() == 1;
    if (alone && ((pit == 0 && step == -1) || (pit == 7 && step == 1))) return false;
    if (!namua_) return stones > 1 && pit != takasia_;
    if (stones == 0 || (is_closed_house(pit) && !alone)) return false;
    return stones > 1 || start_.own.house || start_.own.filled_front(2) == 0;
  }

  void finish_takasa(Play play, int pit, int step) {
    while (true) {
      play.sow_hand();
      if (!rules_.front_row_at_end && play.own.front_empty()) break;
      if (play.sown > rules_.infinite_limit) return;
      if (play.own.pits[at(play.pit)] == 1 || play.pit == takasia_ || stops_at_house(play)) break;
      play.take();
    }
    add(play, pit, step, "*");
  }

  void add(const Play& play, int pit, int step, const std::string& mark) {
    static const std::string kRows = "ABab";
    const bool capture = mark.empty();
    std::string text(1, kRows[static_cast<std::size_t>(2 * me_ + pit / 8)]);
    text += std::to_string(pit < 8 ? pit + 1 : 16 - pit);
    const bool edge = pit <= 1 || pit == 6 || pit == 7;
    if (namua_ && capture) {
      if (!edge) text += step == 1 ? "L" : "R";
    } else {
      text += (step == 1) == (pit < 8) ? "R" : "L";
    }
    if (play.plays_house) text += ">";
    const int threatened = capture || namua_ ? -1 : new_takasia(play);
    text += threatened >= 0 ? "**" : mark;
    moves_.push_back({text, position(play, threatened)});
  }

  [[nodiscard]] Bao position(const Play& play, int takasia) const {
    BaoBoard board;
    for (int p = 0; p < 2; ++p) {
      const auto q = static_cast<std::size_t>(p);
      const Side& side = p == me_ ? play.own : play.other;
      for (std::size_t i = 0; i < 16; ++i) {
        board.pits[q][i] = static_cast<std::uint8_t>(side.pits[i]);
      }
      board.houses[q] = side.house;
      board.stores[q] = static_cast<std::uint8_t>(side.store - (p == me_ && namua_ ? 1 : 0));
    }
    board.to_move = 1 - me_;
    board.takasia = takasia;
    return Bao(board, rules_);
  }

  /// Rule 4.1; -1: none.
  [[nodiscard]] int new_takasia(const Play& after) const {
    std::set<int> threatened;
    for (int pit = 0; pit < 16; ++pit) {
      for (const int step : {-1, 1}) {
        Play play;
        play.own = after.own;
        play.other = after.other;
        play.pit = pit;
        play.step = step;
        if (begin_mtaji_capture(play)) threatened.insert(7 - play.pit);
      }
    }
    if (threatened.size() != 1) return -1;
    const int pit = *threatened.begin();
    if (pit == 4 && after.other.house) return -1;
    if (after.other.filled_front() == 1) return -1;
    if (after.other.filled_front(2) == 1 && after.other.pits[at(pit)] >= 2) return -1;
    BaoReference opponent(position(after, -1));
    opponent.captures();
    return opponent.moves_.empty() ? pit : -1;
  }

  BaoRules rules_;
  int me_;
  int takasia_;
  bool namua_ = false;
  Play start_;
  std::vector<Move> moves_;
};

}  // namespace ntune::test
