#include "ntune/agents/combinatorial_game/thermograph.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace ntune {

namespace {

/// Walks along a wall upwards, turn by turn.
class WallWalker {
 public:
  // The wall's last turn ends in the mast, which is vertical, so the number of turns tells how it
  // begins.
  explicit WallWalker(const WallView& wall)
      : turns_(wall.turns), value_(wall.start), rising_(wall.turns.size() % 2 != 0) {}

  [[nodiscard]] Dyadic value() const { return value_; }
  [[nodiscard]] bool rising() const { return rising_; }
  [[nodiscard]] bool on_mast() const { return next_ == turns_.size(); }
  /// The temperature of the next turn; not on the mast.
  [[nodiscard]] Dyadic next_turn() const { return turns_[next_]; }
  /// Goes on from t up to `to`, which is not beyond the next turn.
  void walk(Dyadic t, Dyadic to) {
    if (rising_) value_ += to - t;
    if (!on_mast() && next_turn() == to) {
      rising_ = !rising_;
      ++next_;
    }
  }

 private:
  std::span<const Dyadic> turns_;
  std::size_t next_ = 0;
  Dyadic value_;
  bool rising_;
};

/// The next turn of either; not both may be on their masts.
Dyadic next_turn(const WallWalker& a, const WallWalker& b) {
  // On its mast a wall has no further turn.
  if (a.on_mast()) return b.next_turn();
  if (b.on_mast()) return a.next_turn();
  return std::min(a.next_turn(), b.next_turn());
}

/// Whether `a` is above `b` just above the present temperature.
bool above(const WallWalker& a, const WallWalker& b) {
  return a.value() != b.value() ? a.value() > b.value() : a.rising() && !b.rising();
}

/// The first temperature at which left and right scaffold meet; they do not meet at -1. There
/// left(t) - t + right(t) - t = 0 for the walls left and right of the options.
Dyadic find_temperature(const WallView& left_wall, const WallView& right_wall) {
  WallWalker left(left_wall);
  WallWalker right(right_wall);
  for (Dyadic t = -1;;) {
    // Both scaffolds are wall - t, so each falls by 1 where its wall is level and is level where
    // the wall rises.
    const Dyadic gap = left.value() + right.value() - 2 * t;
    const int falling = 2 - (left.rising() ? 1 : 0) - (right.rising() ? 1 : 0);
    const bool on_masts = left.on_mast() && right.on_mast();
    const Dyadic next = on_masts ? Dyadic() : next_turn(left, right);
    // The gap closes by `falling` for each unit of t: it is 0 within this piece, or the next piece
    // is looked at.
    if (falling > 0 && (on_masts || gap <= falling * (next - t))) {
      return t + (falling == 2 ? gap.half() : gap);
    }
    left.walk(t, next);
    right.walk(t, next);
    t = next;
  }
}

/// Writes the turns of t - wall(t) up to the mast's foot.
void scaffold_turns(const WallView& wall, Dyadic temperature, std::vector<Dyadic>& turns) {
  const auto end = std::lower_bound(wall.turns.begin(), wall.turns.end(), temperature);
  turns.assign(wall.turns.begin(), end);
  // A scaffold rises where the wall does not; where it would rise at its end, the mast's foot is a
  // further turn.
  const bool wall_rises_at_start = wall.turns.size() % 2 != 0;
  const bool rises_at_end = wall_rises_at_start == (turns.size() % 2 != 0);
  if (rises_at_end) turns.push_back(temperature);
}

}  // namespace

Dyadic WallView::at(Dyadic t) const {
  Dyadic value = start;
  bool rising = turns.size() % 2 != 0;
  Dyadic from = -1;
  for (const Dyadic turn : turns) {
    if (turn >= t) break;
    if (rising) value += turn - from;
    rising = !rising;
    from = turn;
  }
  return rising ? value + (t - from) : value;
}

void WallMaximum::replace(const WallView& wall) {
  start_ = wall.start;
  end_ = wall.end;
  turns_.assign(wall.turns.begin(), wall.turns.end());
  empty_ = false;
}

void WallMaximum::merge(const WallView& other) {
  WallWalker a(wall());
  WallWalker b(other);
  merged_.clear();
  // Both walls are followed in step, from turn to turn of either; the higher one is the maximum.
  bool a_on_top = above(a, b);
  bool rising = a_on_top ? a.rising() : b.rising();
  for (Dyadic t = -1; !a.on_mast() || !b.on_mast();) {
    const Dyadic next = next_turn(a, b);
    // The lower one rises through the upper one, which is level.
    const Dyadic gap = a_on_top ? a.value() - b.value() : b.value() - a.value();
    if (!rising && (a_on_top ? b.rising() : a.rising()) && gap < next - t) {
      merged_.push_back(t + gap);
      rising = true;
    }
    a.walk(t, next);
    b.walk(t, next);
    t = next;
    a_on_top = above(a, b);
    const bool rises_on = a_on_top ? a.rising() : b.rising();
    // The maximum turns where the higher wall changes between rising and level.
    if (rises_on != rising) merged_.push_back(t);
    rising = rises_on;
  }
  // At -1 and on the masts the maximum is that of both ends.
  start_ = std::max(start_, other.start);
  end_ = std::max(end_, other.end);
  turns_.swap(merged_);
}

Thermograph::Thermograph(int integer)
    : value_{integer, -1}, left_start_(-integer), right_start_(integer) {}

Thermograph::Thermograph(const ThermographValue& value, const WallView& left, const WallView& right)
    : value_(value),
      left_start_(left.start),
      right_start_(right.start),
      left_turns_(left.turns.begin(), left.turns.end()),
      right_turns_(right.turns.begin(), right.turns.end()) {
  assert(left.end == -value.mean && right.end == value.mean);
}

void Thermograph::assign(const WallMaximum& left_options, const WallMaximum& right_options) {
  // The feet of the scaffolds: the game is an integer if it has none of one of them, or left's is
  // not above right's.
  const bool has_left = !left_options.empty();
  const bool has_right = !right_options.empty();
  const Dyadic left = has_left ? left_options.wall().start + 1 : 0;
  const Dyadic right = has_right ? -right_options.wall().start - 1 : 0;
  if (!has_left || !has_right || left <= right) {
    Dyadic integer = 0;
    if (has_left) integer = std::max(integer, left);
    if (has_right) integer = std::min(integer, right);
    *this = Thermograph(integer.to_int());
    return;
  }
  // Else the game is hot or a number: the scaffolds cross at its temperature, and the mast stands
  // there.
  const WallView left_wall = left_options.wall();
  const WallView right_wall = right_options.wall();
  value_.temperature = find_temperature(left_wall, right_wall);
  value_.mean = left_wall.at(value_.temperature) - value_.temperature;
  left_start_ = -left;
  right_start_ = right;
  scaffold_turns(left_wall, value_.temperature, left_turns_);
  scaffold_turns(right_wall, value_.temperature, right_turns_);
}

Thermograph Thermograph::negative() const {
  return Thermograph({-value_.mean, value_.temperature}, right_wall(), left_wall());
}

std::vector<ThermographCorner> thermograph_wall(const Thermograph& thermograph, Player player) {
  const bool is_left = player == Player::kLeft;
  const WallView wall = is_left ? thermograph.left_wall() : thermograph.right_wall();
  std::vector<ThermographCorner> corners;
  const auto add = [&](Dyadic t) {
    corners.push_back({t, is_left ? thermograph.left(t) : thermograph.right(t)});
  };
  add(-1);
  for (const Dyadic turn : wall.turns) add(turn);
  // The mast begins at the temperature, which need not be a turn of this wall.
  if (corners.back().temperature < thermograph.temperature()) add(thermograph.temperature());
  return corners;
}

bool is_temperature_by_day(Dyadic temperature, int n) {
  const int exponent = temperature.exponent();
  // The temperatures of games born by day n are known in closed form (see the header).
  if (temperature <= 0) {
    return temperature == 0 ||
           (temperature == -Dyadic::power(exponent) && exponent <= std::max(0, n - 1));
  }
  return exponent <= n - 1 && temperature <= n - 2 + Dyadic::power(exponent);
}

bool is_mean_by_day(Dyadic mean, int n) {
  const Dyadic size = mean.abs();
  return size == n || (is_temperature_by_day(size, n));
}

}  // namespace ntune
