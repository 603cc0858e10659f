#include "apps/slide3/four/keys.h"

#include "ntune/games/slide/codes.h"

namespace ntune {

namespace {

template <int K>
using Squares = std::array<std::uint8_t, SlidePosition<K>::kSquares>;

template <int K>
constexpr int mirrored(int square) {
  constexpr int kSide = SlidePosition<K>::kSide;
  return square % kSide * kSide + square / kSide;
}

/// Where the tile at a place of the order stands in the key.
template <int K>
constexpr int key_shift(std::size_t place) {
  return 4 * (K * K - 1 - static_cast<int>(place));
}

/// A position of the pattern whose tile at place i of its order is i + 1.
template <int K>
SlidePosition<K> in_order(int pattern) {
  SlideOrder<K> order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint8_t>(i + 1);
  return slide_position<K>(pattern, order);
}

/// The board mirrored, the tiles as they were.
template <int K>
SlidePosition<K> mirrored(const SlidePosition<K>& position) {
  Squares<K> squares{};
  for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
    squares[static_cast<std::size_t>(s)] = static_cast<std::uint8_t>(position.at(mirrored<K>(s)));
  }
  return SlidePosition<K>::of(squares);
}

}  // namespace

template <int K>
SlideKey slide_key(const SlidePosition<K>& position) {
  SlideKey key = 0;
  for (const std::uint8_t tile : slide_order<K>(position)) key = key << 4 | (tile - 1U);
  return key;
}

template <int K>
SlidePosition<K> slide_key_position(int pattern, SlideKey key) {
  SlideOrder<K> order{};
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint8_t>((key >> key_shift<K>(i) & 15) + 1);
  }
  return slide_position<K>(pattern, order);
}

template <int K>
int transposed_pattern(int pattern) {
  return mirrored<K>(in_order<K>(pattern)).pattern();
}

template <int K>
SlidePosition<K> transposed(const SlidePosition<K>& position) {
  const SlidePosition<K> board = mirrored<K>(position);
  Squares<K> squares{};
  for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
    const int tile = board.at(s) - 1;
    if (tile >= 0)
      squares[static_cast<std::size_t>(s)] = static_cast<std::uint8_t>(tile % K * K + tile / K + 1);
  }
  return SlidePosition<K>::of(squares);
}

template <int K>
SlideStep<K>::SlideStep(int from, bool transpose, int line) : from_(from), transpose_(transpose) {
  const SlidePosition<K> board = in_order<K>(from);
  const SlideOrder<K> order = slide_order<K>((transpose ? mirrored<K>(board) : board).after(line));
  for (std::size_t to = 0; to < order.size(); ++to) {
    const int shift = key_shift<K>(order[to] - 1U);
    const int rotation = (key_shift<K>(to) - shift) & 63;
    int i = 0;
    while (i < count_ && terms_[static_cast<std::size_t>(i)].rotation != rotation) ++i;
    Term& term = terms_[static_cast<std::size_t>(i)];
    term.rotation = rotation;
    term.mask |= SlideKey{15} << shift;
    if (i == count_) ++count_;
  }
}

template <int K>
std::vector<int> slide_pattern_classes() {
  std::vector<int> patterns;
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    if (pattern <= transposed_pattern<K>(pattern)) patterns.push_back(pattern);
  }
  return patterns;
}

template <int K>
std::vector<SlideStep<K>> slide_steps_to(int pattern) {
  std::vector<SlideStep<K>> steps;
  const SlidePosition<K> board = in_order<K>(pattern);
  for_each_line(board.moves(), [&](int line) {
    const int from = board.after(line).pattern();
    const int mirror = transposed_pattern<K>(from);
    if (from <= mirror)
      steps.emplace_back(from, false, line);
    else
      steps.emplace_back(mirror, true, line);
  });
  return steps;
}

#define NTUNE_SLIDE_KEYS(K)                                         \
  template SlideKey slide_key<K>(const SlidePosition<K>&);          \
  template SlidePosition<K> slide_key_position<K>(int, SlideKey);   \
  template int transposed_pattern<K>(int);                          \
  template SlidePosition<K> transposed<K>(const SlidePosition<K>&); \
  template class SlideStep<K>;                                      \
  template std::vector<int> slide_pattern_classes<K>();             \
  template std::vector<SlideStep<K>> slide_steps_to<K>(int);
NTUNE_SLIDE_KEYS(2)
NTUNE_SLIDE_KEYS(3)
NTUNE_SLIDE_KEYS(4)
#undef NTUNE_SLIDE_KEYS

}  // namespace ntune
