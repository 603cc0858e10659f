#include "ntune/games/slide/codes.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "support/error_text.h"

namespace ntune {
namespace {

using Catch::Matchers::EndsWith;

template <int K = 3>
std::string position_error(const std::string& text) {
  return test::input_error([&] { parse_slide_position<K>(text); });
}

std::string move_error(const std::string& text) {
  return test::input_error([&] { parse_slide_move(SlidePosition<3>::win(), text); });
}

}  // namespace

TEST_CASE("slide codes: the thesis's example of a Goedel number") {
  // Table 3.2 reaches 129580; two lines of its text have 126580, a misprint.
  const SlideOrder<3> order = {4, 2, 7, 9, 8, 1, 6, 3, 5};
  CHECK(slide_goedel<3>(order) == 129'580);
  CHECK(slide_order_of_goedel<3>(129'580) == order);
}

TEST_CASE("slide codes: Goedel numbers are ranks in lexicographic order") {
  SlideOrder<3> order = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::uint64_t rank = 0;
  bool equal = true;
  do {
    equal = equal && slide_goedel<3>(order) == rank && slide_order_of_goedel<3>(rank) == order;
    ++rank;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(equal);
  CHECK(rank == 362'880);
}

TEST_CASE("slide codes: every position of SlideTwo has one index") {
  std::set<SlidePosition<2>> positions;
  for (std::uint64_t index = 0; index < slide_position_count<2>(); ++index) {
    const SlidePosition<2> position = slide_position_at<2>(index);
    CHECK(slide_solvable(position));
    CHECK(slide_index(position) == index);
    positions.insert(position);
  }
  CHECK(positions.size() == slide_position_count<2>());
}

TEST_CASE("slide codes: every position of SlideThree has one index", "[slow]") {
  constexpr std::uint64_t kSlice = 362'880;
  Parallel parallel;
  std::vector<std::uint8_t> wrong(slide_position_count<3>() / kSlice);
  parallel.for_each(wrong.size(), [&](std::size_t slice) {
    for (std::uint64_t index = slice * kSlice; index < (slice + 1) * kSlice; ++index) {
      const SlidePosition<3> position = slide_position_at<3>(index);
      if (slide_index(position) != index || !slide_solvable(position)) wrong[slice] = 1;
    }
  });
  CHECK(std::count(wrong.begin(), wrong.end(), 0) == 32);
}

TEST_CASE("slide codes: pattern codes are the thesis's") {
  std::set<int> codes;
  for (int pattern = 0; pattern < SlidePosition<3>::kPatterns; ++pattern) {
    codes.insert(slide_pattern_code<3>(pattern));
  }
  CHECK(codes.size() == 64);
  CHECK((*codes.begin() == 100 && *codes.rbegin() == 415));
  // Section 3.3.2: columns 2 and 3 have the bits 0 and 1, rows 2 and 3 the bits 1 and 0. The tiles
  // of a solvable order are row by row 1 … 9 or with the last two exchanged.
  const auto position = slide_position<3>(6, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(slide_board_text(position) == "1 . 2 .\n3 4 5 .\n. 6 7 8\n. 9 . .");
  CHECK(slide_pattern_code<3>(position.pattern()) == 106);
}

TEST_CASE("slide codes: positions are read in all forms") {
  for (const std::string text :
       {"start", "115/987654321", "115 987654321", "115\n987654321\n", "115\r\n987654321\r\n",
        "115/9-8-7-6-5-4-3-2-1", "9 8 7 . 6 5 4 . 3 2 1 . . . . .",
        "9,8,7,0,6,5,4,0,3,2,1,0,0,0,0,0", "9 8 7 . / 6 5 4 . / 3 2 1 . / . . . ."}) {
    INFO(text);
    CHECK(test::input_error([&] {
            CHECK(parse_slide_position<3>(text) == SlidePosition<3>::start());
          }) == "no error");
  }
  CHECK(parse_slide_position<4>(slide_code_text(SlidePosition<4>::start())) ==
        SlidePosition<4>::start());
  CHECK(parse_slide_position<2>("win") == SlidePosition<2>::win());
}

TEST_CASE("slide codes: texts that are no numbers") {
  const std::string allowed =
      ": 'start', 'win', pattern/order codes such as 115/987654321, or the squares row by row with "
      "'.' for a blank are allowed";
  for (const std::string text : {"hello", "Start", "115/98765432x", "115/+987654321",
                                 "115;987654321", "99999999999999999999/1"}) {
    CHECK(position_error(text) == "position '" + text + "'" + allowed);
  }
  CHECK(position_error("a\nb\x1b") == "position 'a\\nb\\x1b'" + allowed);
}

TEST_CASE("slide codes: texts with too many numbers or too few") {
  const auto allowed = [](int numbers, int squares) {
    return ": has " + std::to_string(numbers) + " numbers; pattern and order code, or the " +
           std::to_string(squares) + " squares row by row are allowed";
  };
  CHECK(position_error("") == "position ''" + allowed(0, 16));
  CHECK(position_error("115") == "position '115'" + allowed(1, 16));
  CHECK(position_error("1 2 3 . 4 5 6 . 7 8 9 . . . .") ==
        "position '1 2 3 . 4 5 6 . 7 8 9 . . . .'" + allowed(15, 16));
  CHECK(position_error<2>("1 2 3") == "position '1 2 3'" + allowed(3, 9));
  CHECK(position_error<4>("115/12") == "position '115/12'" + allowed(2, 25));
}

TEST_CASE("slide codes: pattern codes that are none") {
  for (const std::string code : {"116", "515", "15", "1", "0", "4294967411"}) {
    CHECK(position_error(code + "/987654321") ==
          "position '" + code + "/987654321': has the pattern code " + code +
              "; allowed: 1 to 4, then two digits from 00 to 15");
  }
}

TEST_CASE("slide codes: orders and squares that are no permutation") {
  for (const std::string text :
       {"115/98765432", "115/987654320", "115/987654322", "115/9-8-7-6-5-4-3-2-300",
        "115/9-8-7-6-5-4-3-2-257", "1 2 3 . 4 5 6 . 7 8 8 . . . . .",
        "1 2 3 . 4 5 6 . 7 8 265 . . . . .", "1 2 3 4 5 6 7 8 9 . . . . . . 9"}) {
    CHECK(position_error(text) ==
          "position '" + text + "': holds no permutation of the tiles 1 to 9");
  }
  CHECK(position_error("115/1987654321") ==
        "position '115/1987654321': has an order code of more than 9 digits");
}

TEST_CASE("slide codes: boards out of reach") {
  for (const std::string text :
       {"1 2 3 . 4 5 6 . 7 8 . . . . . .", "1 2 3 . 4 5 6 . 7 8 . . . . . 9"}) {
    CHECK(position_error(text) ==
          "position '" + text + "': has its blanks where no move can bring them");
  }
  for (const std::string text : {"2 1 3 . 4 5 6 . 7 8 9 . . . . .", "115/987654312"}) {
    CHECK(position_error(text) ==
          "position '" + text + "': cannot be solved: its order of tiles has the wrong parity");
  }
}

TEST_CASE("slide codes: the thesis's example position EP cannot be solved") {
  // In Figure 4.2 the pattern 308 is one of the odd ones, but its order has 20 inversions, as the
  // thesis itself counts. Every walk from Win comes to 308 with an odd order alone.
  const SlideOrder<3> order = {8, 5, 7, 1, 2, 6, 4, 9, 3};
  const auto ep = slide_position<3>(2 * 16 + 8, order);
  CHECK(slide_board_text(ep) == ". 8 . .\n. 5 7 1\n. 2 6 4\n9 . 3 .");
  CHECK(slide_pattern_code<3>(ep.pattern()) == 308);
  CHECK(slide_pattern_parity<3>(ep.pattern()) == 1);
  CHECK_FALSE(slide_solvable(ep));
  CHECK_THAT(position_error(". 8 . . . 5 7 1 . 2 6 4 9 . 3 ."), EndsWith("the wrong parity"));
}

TEST_CASE("slide codes: texts that are no move") {
  for (const std::string text :
       {"", "R4>", "R2<", "R0>", "R5>", "C1^", "c1v", "R2", "R2> ", "2>"}) {
    CHECK(move_error(text) ==
          "move '" + text + "': not possible; allowed here: R1>, R2>, R3>, C1v, C2v or C3v");
  }
}

}  // namespace ntune
