#include "ntune/games/slide/position.h"

#include <bit>
#include <set>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/games/slide/codes.h"

namespace ntune {
namespace {

/// Counted from the definition, for lib has its own.
template <class Order>
int inversions(const Order& order) {
  int count = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) count += order[i] > order[j] ? 1 : 0;
  }
  return count;
}

/// The lines that can slide, from the rule: exactly one blank, at an end.
template <int K>
std::uint32_t moves_by_rule(const SlidePosition<K>& position) {
  using Position = SlidePosition<K>;
  std::uint32_t lines = 0;
  for (int line = 0; line < Position::kLines; ++line) {
    int blanks = 0;
    bool at_end = false;
    for (int i = 0; i < Position::kSide; ++i) {
      const int square = line <= K ? line * (K + 1) + i : line - (K + 1) + i * (K + 1);
      if (position.at(square) != 0) continue;
      ++blanks;
      at_end = i == 0 || i == K;
    }
    if (blanks == 1 && at_end) lines |= 1U << line;
  }
  return lines;
}

/// Walks at random from Win and calls check(position) after every move.
template <int K, class Check>
void walk(int moves, const Check& check) {
  Rng rng(static_cast<std::uint64_t>(K));
  auto position = SlidePosition<K>::win();
  for (int i = 0; i < moves; ++i) {
    std::vector<int> lines;
    for_each_line(position.moves(), [&](int line) { lines.push_back(line); });
    position.slide(lines[rng.below(static_cast<std::uint32_t>(lines.size()))]);
    check(position);
  }
}

template <int K>
void check_moves(const SlidePosition<K>& position) {
  const std::uint32_t lines = position.moves();
  REQUIRE(lines == moves_by_rule(position));
  const int count = std::popcount(lines);
  REQUIRE((count >= 2 * K - 2 && count <= SlidePosition<K>::kMostMoves));
  for_each_line(lines, [&](int line) {
    const SlidePosition<K> next = position.after(line);
    REQUIRE(next != position);
    REQUIRE(next.can_slide(line));
    REQUIRE(next.slides_forward(line) != position.slides_forward(line));
    REQUIRE(next.after(line) == position);
  });
}

template <int K>
void check_codes(const SlidePosition<K>& position) {
  const int pattern = position.pattern();
  const SlideOrder<K> order = slide_order(position);
  std::uint32_t covered = 0;
  for (int s = 0; s < SlidePosition<K>::kSquares; ++s) {
    if (position.at(s) != 0) covered |= 1U << s;
  }
  REQUIRE(SlidePosition<K>::pattern_squares(pattern) == covered);
  REQUIRE(slide_position<K>(pattern, order) == position);
  REQUIRE(slide_order_of_goedel<K>(slide_goedel<K>(order)) == order);
  REQUIRE(slide_solvable(position));
  REQUIRE(inversions(order) % 2 == slide_pattern_parity<K>(pattern));
  REQUIRE(slide_position_at<K>(slide_index(position)) == position);
  REQUIRE(slide_index(position) < slide_position_count<K>());
  REQUIRE(parse_slide_position<K>(slide_code_text(position)) == position);
  REQUIRE(parse_slide_position<K>(slide_board_text(position)) == position);
  for_each_line(position.moves(), [&](int line) {
    REQUIRE(parse_slide_move(position, slide_move_text(position, line)) == line);
  });
}

template <int K>
void check_play(int moves) {
  walk<K>(moves, [](const SlidePosition<K>& position) {
    check_moves(position);
    check_codes(position);
  });
}

}  // namespace

TEST_CASE("slide: rules and codes hold all along random play") {
  check_play<2>(2'000);
  check_play<3>(3'000);
  check_play<4>(3'000);
}

TEST_CASE("slide: Win and Start stand as in the thesis") {
  using Position = SlidePosition<3>;
  CHECK(slide_board_text(Position::win()) == "1 2 3 .\n4 5 6 .\n7 8 9 .\n. . . .");
  CHECK(slide_board_text(Position::start()) == "9 8 7 .\n6 5 4 .\n3 2 1 .\n. . . .");
  CHECK(Position::of(std::vector<std::uint8_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0}) ==
        Position::win());
  CHECK(slide_code_text(Position::start()) == "115/987654321");
  CHECK(slide_solvable(Position::start()));
}

TEST_CASE("slide: a row slides towards its blank, a column likewise") {
  auto position = SlidePosition<3>::win();
  position.slide(parse_slide_move(position, "C1v"));
  position.slide(parse_slide_move(position, "R2>"));
  CHECK(slide_board_text(position) == ". 2 3 .\n. 1 5 6\n4 8 9 .\n7 . . .");
  CHECK(slide_move_text(position, 1) == "R2<");
  position.slide(1);
  CHECK(slide_move_text(position, 4) == "C1^");
}

TEST_CASE("slide: numbers of positions") {
  CHECK(slide_position_count<2>() == 192);
  CHECK(slide_position_count<3>() == 11'612'160);
  CHECK(slide_position_count<4>() == 256 * (20'922'789'888'000 / 2));
}

TEST_CASE("slide: positions within six moves of Win in SlideFour") {
  std::set<SlidePosition<4>> known = {SlidePosition<4>::win()};
  std::set<SlidePosition<4>> level = known;
  std::vector<std::size_t> counts;
  for (int moves = 0; moves <= 6; ++moves) {
    counts.push_back(level.size());
    std::set<SlidePosition<4>> next;
    for (const auto& position : level) {
      for_each_line(position.moves(), [&](int line) {
        if (known.insert(position.after(line)).second) next.insert(position.after(line));
      });
    }
    level = next;
  }
  CHECK(counts == std::vector<std::size_t>{1, 8, 36, 140, 520, 1844, 6317});
}

TEST_CASE("slide: sixteen patterns of SlideThree have odd orders (Heuser 2003, Figure H.1)") {
  std::vector<std::set<int>> seen(SlidePosition<3>::kPatterns);
  walk<3>(20'000, [&](const SlidePosition<3>& position) {
    seen[static_cast<std::size_t>(position.pattern())].insert(inversions(slide_order(position)) %
                                                              2);
  });
  int odd = 0;
  for (int pattern = 0; pattern < SlidePosition<3>::kPatterns; ++pattern) {
    const std::set<int>& parities = seen[static_cast<std::size_t>(pattern)];
    REQUIRE(parities == std::set<int>{slide_pattern_parity<3>(pattern)});
    odd += slide_pattern_parity<3>(pattern);
  }
  CHECK(odd == 16);
}

}  // namespace ntune
