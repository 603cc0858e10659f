// Mirror the board at its main diagonal and renumber the tiles likewise (2 and 4, 3 and 7, 6 and 8
// change places). The result is as far from Win, and its rows are the columns of the original.
// Sliding rows and mirroring what is new therefore reaches all that sliding rows and columns would:
// - A row slide keeps the order of the tiles, so that the neighbour has the same rank in another
//   pattern: a level's row slides are byte operations on pairs of patterns, split by ranks.
// - Mirroring takes all positions of a pattern to one pattern: it is split by pairs of patterns.
// No byte is ever touched by two threads within a loop.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/exact/database.h"

namespace ntune {

namespace {

/// Marks in place of distances: not reached yet; kFresh is below kUnknown, so that a minimum keeps
/// it.
constexpr std::uint8_t kUnknown = 0x80;
constexpr std::uint8_t kFresh = 0x40;  ///< found by a row slide, not yet mirrored

constexpr std::uint32_t factorial(int n) {
  return n <= 1 ? 1 : factorial(n - 1) * static_cast<std::uint32_t>(n);
}

/// How positions are laid out: the orders of a pattern by rank. A block of them shares the first
/// kHead tiles and runs through the solvable orders of the kTail others.
template <int K>
struct Layout {
  static constexpr int kTiles = K * K;
  static constexpr int kTail = K == 2 ? 4 : 6;
  static constexpr int kHead = kTiles - kTail;
  static constexpr std::size_t kOrders = factorial(kTiles) / 2;
  static constexpr std::size_t kBlock = factorial(kTail) / 2;
  static constexpr int kPatterns = SlidePosition<K>::kPatterns;
};

using PatternPair = std::pair<std::size_t, std::size_t>;

/// Pairs of patterns, lower first, that a row slide leads to from one another.
template <int K>
std::vector<PatternPair> row_pairs() {
  std::vector<PatternPair> pairs;
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    const auto position = slide_position<K>(pattern, slide_order_of_goedel<K>(0));
    for_each_line(position.moves(), [&](int line) {
      const int next = position.after(line).pattern();
      if (line < SlidePosition<K>::kSide && pattern < next) pairs.emplace_back(pattern, next);
    });
  }
  return pairs;
}

/// Pairs of patterns, lower first, that are mirror images of one another; some of themselves.
template <int K>
std::vector<PatternPair> mirror_pairs() {
  std::vector<PatternPair> pairs;
  // A pattern is the covered corner, a set of inner columns and one of inner rows; the mirror
  // exchanges these.
  constexpr std::size_t kInner = std::size_t{1} << (K - 1);  // sets of inner columns, and of rows
  constexpr std::array<std::size_t, 4> kCorners = {0, 2, 1, 3};
  for (std::size_t pattern = 0; pattern < Layout<K>::kPatterns; ++pattern) {
    const std::size_t columns = pattern / kInner % kInner;
    const std::size_t corner = kCorners[pattern / (kInner * kInner)];
    const std::size_t mirror = (corner * kInner + pattern % kInner) * kInner + columns;
    if (pattern <= mirror) pairs.emplace_back(pattern, mirror);
  }
  return pairs;
}

/// Marks as fresh what is unknown beside a position of distance `level`, both ways.
void slide_rows(std::uint8_t* a, std::uint8_t* b, std::size_t count, std::uint8_t level) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t at_a = a[i];
    const std::uint8_t at_b = b[i];
    a[i] = std::min(at_a, at_b == level ? kFresh : kUnknown);
    b[i] = std::min(at_b, at_a == level ? kFresh : kUnknown);
  }
}

/// Calls visit(i) for the fresh bytes, which may cease to be fresh by other visits meanwhile.
template <class Visit>
void for_each_fresh(const std::uint8_t* bytes, std::size_t count, Visit visit) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  for (std::size_t begin = 0; begin < count; begin += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + begin, std::min(kWord, count - begin));
    for (word &= 0x4040404040404040U; word != 0; word &= word - 1) {
      const std::size_t i = begin + static_cast<std::size_t>(std::countr_zero(word)) / 8;
      if (bytes[i] == kFresh) visit(i);
    }
  }
}

/// The orders of the last tiles by half their rank, even ones, then odd ones. Entry k of an order
/// says which of the tiles not in the head, counted upwards from 0, stands at tail place k.
template <int K>
class Tails {
 public:
  using Tail = std::array<std::uint8_t, 8>;
  constexpr Tails() {
    for (std::uint32_t rank = 0; rank < 2 * Layout<K>::kBlock; ++rank) {
      Tail tail{};
      int inversions = 0;
      std::uint32_t rest = rank;
      for (int k = Layout<K>::kTail; k-- > 0;) {
        const auto base = static_cast<std::uint32_t>(Layout<K>::kTail - k);
        const auto digit = static_cast<std::uint8_t>(rest % base);
        rest /= base;
        inversions += digit;
        tail[static_cast<std::size_t>(k)] = digit;
        for (int j = k + 1; j < Layout<K>::kTail; ++j) {
          std::uint8_t& later = tail[static_cast<std::size_t>(j)];
          if (later >= digit) ++later;
        }
      }
      tails_[static_cast<std::size_t>(inversions & 1)][rank / 2] = tail;
    }
  }
  [[nodiscard]] constexpr const Tail* with_parity(int parity) const {
    return tails_[static_cast<std::size_t>(parity)].data();
  }

 private:
  std::array<std::array<Tail, Layout<K>::kBlock>, 2> tails_{};
};

/// Square of the board mirrored at its main diagonal; with side K also: number of a tile less 1.
constexpr int mirrored(int square, int side) { return square % side * side + square / side; }

/// Takes the orders of one pattern to those of the mirrored pattern.
template <int K>
class Mirror {
  using Board = SlidePosition<K>;
  using Shape = Layout<K>;

 public:
  explicit Mirror(int pattern) : parity_(slide_pattern_parity<K>(pattern)) {
    std::array<std::uint8_t, Board::kSquares> place_of{};
    std::uint32_t squares = 0;
    std::uint8_t place = 0;
    for (std::uint32_t rest = Board::pattern_squares(pattern); rest != 0; rest &= rest - 1) {
      const int square = std::countr_zero(rest);
      place_of[static_cast<std::size_t>(square)] = place++;
      squares |= 1U << mirrored(square, Board::kSide);
    }
    for (std::size_t j = 0; j < places_.size(); ++j, squares &= squares - 1) {
      const int square = mirrored(std::countr_zero(squares), Board::kSide);
      places_[j] = place_of[static_cast<std::size_t>(square)];
    }
  }

  /// Gives every fresh byte of the pattern and its mirror image in `mirror` their distance. True if
  /// there is any.
  bool settle(std::uint8_t* bytes, std::uint8_t* mirror, std::uint8_t distance) {
    bool any = false;
    for (std::size_t head = 0; head < Shape::kOrders / Shape::kBlock; ++head) {
      std::uint8_t* const block = bytes + head * Shape::kBlock;
      const typename Tails<K>::Tail* tails = nullptr;
      for_each_fresh(block, Shape::kBlock, [&](std::size_t i) {
        if (tails == nullptr) tails = kTails.with_parity(parity_ ^ start_block(head));
        block[i] = distance;
        mirror[rank(tails[i])] = distance;
        any = true;
      });
    }
    return any;
  }

 private:
  static constexpr Tails<K> kTails{};

  /// Sets the tiles of the head, and gives its parity.
  int start_block(std::size_t head) {
    std::array<std::uint8_t, Shape::kTiles> left{};
    for (int tile = 0; tile < Shape::kTiles; ++tile) {
      left[static_cast<std::size_t>(tile)] = static_cast<std::uint8_t>(4 * mirrored(tile, K));
    }
    std::array<std::size_t, Shape::kTiles> digits{};
    for (int i = Shape::kHead; i-- > 0;) {
      const auto base = static_cast<std::size_t>(Shape::kTiles - i);
      digits[static_cast<std::size_t>(i)] = head % base;
      head /= base;
    }
    std::size_t inversions = 0;
    for (std::size_t i = 0; i < Shape::kHead; ++i) {
      inversions += digits[i];
      shifts_[i] = left[digits[i]];
      std::copy(left.begin() + static_cast<std::ptrdiff_t>(digits[i]) + 1, left.end(),
                left.begin() + static_cast<std::ptrdiff_t>(digits[i]));
    }
    std::copy_n(left.begin(), Shape::kTail, left_.begin());
    return static_cast<int>(inversions & 1);
  }

  /// Half the Gödel number of the mirror image. The number of smaller tiles that are left is kept
  /// for all tiles in nibbles of a word.
  std::size_t rank(const typename Tails<K>::Tail& tail) {
    for (std::size_t k = 0; k < Shape::kTail; ++k) shifts_[Shape::kHead + k] = left_[tail[k]];
    std::uint64_t smaller = 0x876543210U;
    std::uint64_t rank = 0;
    for (std::size_t j = 0; j + 2 < Shape::kTiles; ++j) {
      const std::uint8_t shift = shifts_[places_[j]];
      rank = rank * (Shape::kTiles - j) + (smaller >> shift & 0xFU);
      smaller -= 0x111111110U << shift;
    }
    return rank;
  }

  int parity_;
  std::array<std::uint8_t, Shape::kTiles> places_{};  ///< of the mirror image in the original
  std::array<std::uint8_t, Shape::kTiles> shifts_{};  ///< 4 * mirrored tile, by place
  std::array<std::uint8_t, Shape::kTail> left_{};
};

/// Slides all rows from the positions of distance `level`.
template <int K>
void slide_all_rows(std::uint8_t* bytes, const std::vector<PatternPair>& pairs, std::uint8_t level,
                    Parallel& parallel) {
  constexpr std::size_t kOrders = Layout<K>::kOrders;
  constexpr std::size_t kSlice = std::min<std::size_t>(kOrders, 720);  // times 64 patterns: in L2
  parallel.for_each(kOrders / kSlice, [&](std::size_t slice) {
    std::uint8_t* const begin = bytes + slice * kSlice;
    std::array<bool, Layout<K>::kPatterns> reached{};
    for (std::size_t p = 0; p < reached.size(); ++p) {
      reached[p] = std::memchr(begin + p * kOrders, level, kSlice) != nullptr;
    }
    for (const auto& [a, b] : pairs) {
      if (!reached[a] && !reached[b]) continue;
      slide_rows(begin + a * kOrders, begin + b * kOrders, kSlice, level);
    }
  });
}

/// Settles all that is fresh. True if anything was.
template <int K>
bool settle_all(std::uint8_t* bytes, const std::vector<PatternPair>& pairs, std::uint8_t distance,
                Parallel& parallel) {
  std::vector<std::uint8_t> any(pairs.size());
  parallel.for_each(pairs.size(), [&](std::size_t i) {
    const auto [a, b] = pairs[i];
    std::uint8_t* const at_a = bytes + a * Layout<K>::kOrders;
    std::uint8_t* const at_b = bytes + b * Layout<K>::kOrders;
    bool found = Mirror<K>(static_cast<int>(a)).settle(at_a, at_b, distance);
    if (a != b) found |= Mirror<K>(static_cast<int>(b)).settle(at_b, at_a, distance);
    any[i] = found ? 1 : 0;
  });
  return std::any_of(any.begin(), any.end(), [](std::uint8_t found) { return found != 0; });
}

}  // namespace

template <int K>
requires(K == 2 || K == 3) void analyse_slide(std::span<std::uint8_t> distances,
                                              Parallel& parallel) {
  const std::vector<PatternPair> rows = row_pairs<K>();
  const std::vector<PatternPair> mirrors = mirror_pairs<K>();
  std::fill(distances.begin(), distances.end(), kUnknown);
  distances[slide_index<K>(SlidePosition<K>::win())] = 0;
  for (std::uint8_t level = 0;; ++level) {
    slide_all_rows<K>(distances.data(), rows, level, parallel);
    const auto next = static_cast<std::uint8_t>(level + 1);
    if (!settle_all<K>(distances.data(), mirrors, next, parallel)) return;
  }
}

template void analyse_slide<2>(std::span<std::uint8_t>, Parallel&);
template void analyse_slide<3>(std::span<std::uint8_t>, Parallel&);

}  // namespace ntune
