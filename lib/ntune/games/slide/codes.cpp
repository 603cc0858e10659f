#include "ntune/games/slide/codes.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// (K^2)!: the number of orders of the tiles.
template <int K>
constexpr std::uint64_t factorial() {
  std::uint64_t product = 1;
  for (std::uint64_t i = 2; i <= static_cast<std::uint64_t>(K) * K; ++i) product *= i;
  return product;
}

/// Parity of the number of inversions of an order.
template <int K>
int order_parity(const SlideOrder<K>& order) {
  int inversions = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) inversions += order[i] > order[j] ? 1 : 0;
  }
  return inversions & 1;
}

/// Parity of every pattern's orders, from the pattern of Win on by moves.
template <int K>
std::array<int, SlidePosition<K>::kPatterns> find_parities() {
  using Position = SlidePosition<K>;
  std::array<int, Position::kPatterns> parities;
  parities.fill(-1);
  // Moves do not change the order along rows but may along columns, so a breadth-first search gives
  // each pattern its parity.
  std::vector<Position> reached = {Position::win()};
  parities[static_cast<std::size_t>(reached.front().pattern())] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for_each_line(reached[i].moves(), [&](int line) {
      const Position next = reached[i].after(line);
      int& parity = parities[static_cast<std::size_t>(next.pattern())];
      if (parity >= 0) return;
      parity = order_parity<K>(slide_order<K>(next));
      reached.push_back(next);
    });
  }
  return parities;
}

/// A pattern of the game has these squares covered, or -1.
template <int K>
int find_pattern(std::uint32_t squares) {
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    if (SlidePosition<K>::pattern_squares(pattern) == squares) return pattern;
  }
  return -1;
}

/// Throws InputError for the text of a position.
[[noreturn]] void fail(std::string_view text, const std::string& reason) {
  throw InputError(fmt::format("position '{}': {}", printable(text, 80), reason));
}

/// The numbers in a text, with any of ' ', ',', '/', '-' and line ends between them; "." reads as
/// 0.
std::vector<std::uint64_t> read_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ' || *at == '\t' || *at == ',' || *at == '/' || *at == '-' || *at == '\n' ||
        *at == '\r') {
      ++at;
    } else if (*at == '.') {
      numbers.push_back(0);
      ++at;
    } else {
      std::uint64_t number = 0;
      const auto result = std::from_chars(at, end, number);
      if (result.ec != std::errc()) {
        fail(text,
             "'start', 'win', pattern/order codes such as 115/987654321, or the squares row "
             "by row with '.' for a blank are allowed");
      }
      numbers.push_back(number);
      at = result.ptr;
    }
  }
  return numbers;
}

/// The position, if the tiles are a permutation and it can be solved.
template <int K>
SlidePosition<K> checked(std::string_view text, int pattern, const SlideOrder<K>& order) {
  std::uint32_t seen = 0;
  for (const std::uint8_t tile : order) {
    if (tile < 1 || tile > K * K || (seen >> tile & 1U) != 0) {
      fail(text, fmt::format("holds no permutation of the tiles 1 to {}", K * K));
    }
    seen |= 1U << tile;
  }
  const SlidePosition<K> position = slide_position<K>(pattern, order);
  if (!slide_solvable<K>(position)) {
    fail(text, "cannot be solved: its order of tiles has the wrong parity");
  }
  return position;
}

/// The pattern of a code, which counts from 100 for the first corner.
template <int K>
int parse_pattern_code(std::string_view text, std::uint64_t code) {
  for (int pattern = 0; pattern < SlidePosition<K>::kPatterns; ++pattern) {
    if (static_cast<std::uint64_t>(slide_pattern_code<K>(pattern)) == code) return pattern;
  }
  fail(text,
       fmt::format("has the pattern code {}; allowed: 1 to 4, then two digits from 00 to {:02}",
                   code, SlidePosition<K>::kPatterns / 4 - 1));
}

}  // namespace

template <int K>
SlideOrder<K> slide_order(const SlidePosition<K>& position) {
  // Without a branch per square, for no predictor knows where the blanks are.
  std::array<std::uint8_t, SlidePosition<K>::kSquares> tiles{};
  std::size_t n = 0;
  for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
    tiles[n] = static_cast<std::uint8_t>(position.at(s));
    n += static_cast<std::size_t>(tiles[n] != 0);
  }
  SlideOrder<K> order{};
  std::copy_n(tiles.begin(), order.size(), order.begin());
  return order;
}

template <int K>
SlidePosition<K> slide_position(int pattern, const SlideOrder<K>& order) {
  std::array<std::uint8_t, SlidePosition<K>::kSquares> squares{};
  std::size_t n = 0;
  for (std::uint32_t rest = SlidePosition<K>::pattern_squares(pattern); rest != 0;
       rest &= rest - 1) {
    squares[static_cast<std::size_t>(std::countr_zero(rest))] = order[n++];
  }
  return SlidePosition<K>::of(squares);
}

template <int K>
int slide_pattern_code(int pattern) {
  constexpr int kPerCorner = SlidePosition<K>::kPatterns / 4;
  return (pattern / kPerCorner + 1) * 100 + pattern % kPerCorner;
}

template <int K>
std::uint64_t slide_goedel(const SlideOrder<K>& order) {
  // Nibble t - 1: how many tiles below t have not come yet. A tile that comes lowers those above.
  std::uint64_t smaller = 0xfedcba9876543210U;
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int shift = 4 * (order[i] - 1);
    rank = rank * (order.size() - i) + (smaller >> shift & 0xFU);
    smaller -= std::uint64_t{0x1111111111111110U} << shift;
  }
  return rank;
}

template <int K>
SlideOrder<K> slide_order_of_goedel(std::uint64_t goedel) {
  SlideOrder<K> order{};
  for (std::size_t i = order.size(); i-- > 0;) {
    // From the last place on: each digit says how many smaller tiles follow, and later tiles make
    // room for this one.
    const std::uint64_t base = order.size() - i;
    order[i] = static_cast<std::uint8_t>(goedel % base + 1);
    goedel /= base;
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (order[j] >= order[i]) ++order[j];
    }
  }
  return order;
}

template <int K>
int slide_pattern_parity(int pattern) {
  static const auto kParities = find_parities<K>();
  return kParities[static_cast<std::size_t>(pattern)];
}

template <int K>
bool slide_solvable(const SlidePosition<K>& position) {
  return order_parity<K>(slide_order<K>(position)) == slide_pattern_parity<K>(position.pattern());
}

template <int K>
std::uint64_t slide_index(const SlidePosition<K>& position) {
  // Half of the orders of a pattern can be solved; two that differ in parity have neighbouring
  // Gödel numbers.
  return static_cast<std::uint64_t>(position.pattern()) * (factorial<K>() / 2) +
         slide_goedel<K>(slide_order<K>(position)) / 2;
}

template <int K>
SlidePosition<K> slide_position_at(std::uint64_t index) {
  const int pattern = static_cast<int>(index / (factorial<K>() / 2));
  SlideOrder<K> order = slide_order_of_goedel<K>(index % (factorial<K>() / 2) * 2);
  if (order_parity<K>(order) != slide_pattern_parity<K>(pattern)) {
    // The other order of the pair has the last two tiles exchanged.
    std::swap(order[order.size() - 1], order[order.size() - 2]);
  }
  return slide_position<K>(pattern, order);
}

template <int K>
std::string slide_code_text(const SlidePosition<K>& position) {
  std::string text = fmt::format("{}/", slide_pattern_code<K>(position.pattern()));
  bool first = true;
  for (const std::uint8_t tile : slide_order<K>(position)) {
    if (K == 4 && !first) text += '-';
    first = false;
    text += fmt::format("{}", tile);
  }
  return text;
}

template <int K>
std::string slide_board_text(const SlidePosition<K>& position) {
  std::string text;
  for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
    const int tile = position.at(s);
    if (s > 0) text += s % SlidePosition<K>::kSide == 0 ? '\n' : ' ';
    text += fmt::format("{:>{}}", tile == 0 ? "." : fmt::format("{}", tile), K == 4 ? 2 : 1);
  }
  return text;
}

template <int K>
SlidePosition<K> parse_slide_position(std::string_view text) {
  using Position = SlidePosition<K>;
  if (text == "start") return Position::start();
  if (text == "win") return Position::win();
  const std::vector<std::uint64_t> numbers = read_numbers(text);
  SlideOrder<K> order{};

  // A pattern code and an order code of one digit a tile; with 16 tiles digits would not do.
  if (numbers.size() == 2 && K < 4) {
    const int pattern = parse_pattern_code<K>(text, numbers[0]);
    std::uint64_t code = numbers[1];
    for (std::size_t i = order.size(); i-- > 0; code /= 10) {
      order[i] = static_cast<std::uint8_t>(code % 10);
    }
    if (code != 0) fail(text, fmt::format("has an order code of more than {} digits", K * K));
    return checked<K>(text, pattern, order);
  }
  // A pattern code and the tiles one by one.
  if (numbers.size() == 1 + static_cast<std::size_t>(K) * K) {
    const int pattern = parse_pattern_code<K>(text, numbers[0]);
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<std::uint8_t>(numbers[i + 1] > K * K ? 0 : numbers[i + 1]);
    }
    return checked<K>(text, pattern, order);
  }
  if (numbers.size() != Position::kSquares) {
    fail(text, fmt::format("has {} numbers; pattern and order code, or the {} squares row by row "
                           "are allowed",
                           numbers.size(), Position::kSquares));
  }
  // The squares row by row, with 0 for a blank.
  std::uint32_t squares = 0;
  std::size_t n = 0;
  for (int s = 0; s < Position::kSquares; ++s) {
    const std::uint64_t tile = numbers[static_cast<std::size_t>(s)];
    if (tile == 0) continue;
    if (n == order.size() || tile > K * K) {
      fail(text, fmt::format("holds no permutation of the tiles 1 to {}", K * K));
    }
    squares |= 1U << s;
    order[n++] = static_cast<std::uint8_t>(tile);
  }
  const int pattern = find_pattern<K>(squares);
  if (pattern < 0) fail(text, "has its blanks where no move can bring them");
  return checked<K>(text, pattern, order);
}

template <int K>
std::string slide_move_text(const SlidePosition<K>& position, int line) {
  const bool row = line < SlidePosition<K>::kSide;
  const bool forward = position.slides_forward(line);
  return fmt::format("{}{}{}", row ? 'R' : 'C', row ? line + 1 : line - K,
                     row ? (forward ? '>' : '<') : (forward ? 'v' : '^'));
}

template <int K>
int parse_slide_move(const SlidePosition<K>& position, std::string_view text) {
  std::vector<std::string> possible;
  int found = -1;
  for_each_line(position.moves(), [&](int line) {
    possible.push_back(slide_move_text<K>(position, line));
    if (possible.back() == text) found = line;
  });
  if (found < 0) {
    throw InputError(fmt::format("move '{}': not possible; allowed here: {}", printable(text, 20),
                                 list_text(possible)));
  }
  return found;
}

#define NTUNE_SLIDE_CODES(K)                                              \
  template SlideOrder<K> slide_order<K>(const SlidePosition<K>&);         \
  template SlidePosition<K> slide_position<K>(int, const SlideOrder<K>&); \
  template int slide_pattern_code<K>(int);                                \
  template std::uint64_t slide_goedel<K>(const SlideOrder<K>&);           \
  template SlideOrder<K> slide_order_of_goedel<K>(std::uint64_t);         \
  template int slide_pattern_parity<K>(int);                              \
  template bool slide_solvable<K>(const SlidePosition<K>&);               \
  template std::uint64_t slide_index<K>(const SlidePosition<K>&);         \
  template SlidePosition<K> slide_position_at<K>(std::uint64_t);          \
  template std::string slide_code_text<K>(const SlidePosition<K>&);       \
  template std::string slide_board_text<K>(const SlidePosition<K>&);      \
  template SlidePosition<K> parse_slide_position<K>(std::string_view);    \
  template std::string slide_move_text<K>(const SlidePosition<K>&, int);  \
  template int parse_slide_move<K>(const SlidePosition<K>&, std::string_view);
NTUNE_SLIDE_CODES(2)
NTUNE_SLIDE_CODES(3)
NTUNE_SLIDE_CODES(4)
#undef NTUNE_SLIDE_CODES

}  // namespace ntune
