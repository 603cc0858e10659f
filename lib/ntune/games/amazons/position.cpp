#include "ntune/games/amazons/position.h"

#include <algorithm>

namespace ntune {

namespace {

/// Depth-first, with the number of squares in reach as the bound.
template <int kSide>
class LongestSequence {
 public:
  using Board = AmazonsBoard<kSide>;
  using Bits = typename Board::Bits;

  explicit LongestSequence(std::uint64_t limit) : tries_left_(limit) {}

  std::optional<int> find(Bits queens, Bits empty) {
    extend(queens, empty, 0);
    return gave_up_ ? std::nullopt : std::optional(longest_);
  }

 private:
  void extend(Bits queens, Bits empty, int made) {
    // The limit is of positions tried, and a search that meets it has no answer.
    if (tries_left_ == 0) {
      gave_up_ = true;
      return;
    }
    --tries_left_;
    longest_ = std::max(longest_, made);
    // Only squares connected with a queen can be used, each once at most: a bound on what can
    // follow.
    const Bits ground = Board::connected(queens, empty) & empty;
    const int bound = made + Board::count(ground);
    if (bound <= longest_) return;
    // Options are tried until one meets the bound, since no other can do better then.
    AmazonsPosition<kSide>(ground, queens, 0)
        .for_each_option(Player::kLeft,
                         [&](const AmazonsMove&, const AmazonsPosition<kSide>& next) {
                           extend(next.queens(), next.empty(), made + 1);
                           return bound > longest_ && !gave_up_;
                         });
  }

  std::uint64_t tries_left_;
  int longest_ = 0;
  bool gave_up_ = false;
};

}  // namespace

template <int kSide>
std::optional<int> amazons_longest_sequence(typename AmazonsBoard<kSide>::Bits queens,
                                            typename AmazonsBoard<kSide>::Bits empty,
                                            std::uint64_t limit) {
  return LongestSequence<kSide>(limit).find(queens, empty);
}

template <int kSide>
std::optional<int> AmazonsPosition<kSide>::integer_value() const {
  int value = 0;
  for (Bits rest = queens(); rest != 0;) {
    // Each area is connected by empty squares and queens, and plays on its own.
    const Bits area = Board::connected(Board::bit(Board::lowest(rest)), empty_ | rest);
    const Bits black = area & queens_[0];
    const Bits white = area & queens_[1];
    rest &= ~area;
    // An area without empty squares allows no move and is worth 0.
    if ((area & empty_) == 0) continue;
    // Where both colours can move, the value is no integer that is easily seen.
    if (black != 0 && white != 0) return std::nullopt;
    const std::optional<int> moves = amazons_longest_sequence<kSide>(black | white, area & empty_);
    if (!moves) return std::nullopt;
    value += black != 0 ? *moves : -*moves;
  }
  return value;
}

template class AmazonsPosition<4>;
template class AmazonsPosition<5>;
template class AmazonsPosition<6>;
template class AmazonsPosition<8>;
template class AmazonsPosition<10>;

template std::optional<int> amazons_longest_sequence<4>(AmazonsBoard<4>::Bits,
                                                        AmazonsBoard<4>::Bits, std::uint64_t);
template std::optional<int> amazons_longest_sequence<5>(AmazonsBoard<5>::Bits,
                                                        AmazonsBoard<5>::Bits, std::uint64_t);
template std::optional<int> amazons_longest_sequence<6>(AmazonsBoard<6>::Bits,
                                                        AmazonsBoard<6>::Bits, std::uint64_t);
template std::optional<int> amazons_longest_sequence<8>(AmazonsBoard<8>::Bits,
                                                        AmazonsBoard<8>::Bits, std::uint64_t);
template std::optional<int> amazons_longest_sequence<10>(AmazonsBoard<10>::Bits,
                                                         AmazonsBoard<10>::Bits, std::uint64_t);

}  // namespace ntune
