#include "ntune/games/amazons/notation.h"

#include <string>

#include "catch.h"
#include "games/amazons/reference.h"
#include "support/error_text.h"

namespace ntune {
namespace {

std::string board_error(const std::string& board) {
  return test::input_error([&] { parse_amazons<4>(board); });
}

std::string move_error(const std::string& move, Player player = Player::kLeft) {
  const auto position = parse_amazons<4>("####/#.##/.#B#/W.##");
  return test::input_error([&] { parse_amazons_move(position, player, move); });
}

template <int kSide>
int side_of(const AmazonsPosition<kSide>&) {
  return kSide;
}

template <int kSide>
void check_round_trip() {
  Rng rng = Rng(1).stream("board", kSide);
  for (int i = 0; i < 50; ++i) {
    const auto position = test::random_amazons<kSide>(rng, 2, 2, kSide * kSide / 2);
    CHECK(parse_amazons<kSide>(amazons_text(position)) == position);
    for (const Player player : {Player::kLeft, Player::kRight}) {
      position.for_each_move(player, [&](const AmazonsMove& move) {
        const std::string text = amazons_move_text<kSide>(move);
        REQUIRE(parse_amazons_move(position, player, text) == move);
        return true;
      });
    }
  }
}

}  // namespace

TEST_CASE("Amazons notation: squares are where the text shows them") {
  const auto position = parse_amazons<4>("####/#.##/.#B#/W.##");
  CHECK(position.queens(Player::kRight) == AmazonsBoard<4>::bit(0));     // A1
  CHECK(position.queens(Player::kLeft) == AmazonsBoard<4>::bit(4 + 2));  // C2
  CHECK(position.empty() == (AmazonsBoard<4>::bit(1) | AmazonsBoard<4>::bit(4) |
                             AmazonsBoard<4>::bit(8 + 1)));  // B1, A2, B3
  CHECK(amazons_text(position) == "####/#.##/.#B#/W.##");
}

TEST_CASE("Amazons notation: what is written is read") {
  check_round_trip<4>();
  check_round_trip<5>();
  check_round_trip<6>();
  check_round_trip<8>();
  check_round_trip<10>();
}

TEST_CASE("Amazons notation: beyond a smaller board all is burnt") {
  const auto small = parse_amazons<4>("B.W/...");
  CHECK(small == parse_amazons<4>("####/####/B.W#/...#"));
  CHECK(amazons_text(small, {3, 2}) == "B.W/...");
  const std::string wide(8, '.');
  CHECK(visit_amazons(wide, [](const auto& position) { return position.empties(); }) == 8);
  const auto side = [](const auto& position) { return side_of(position); };
  CHECK(visit_amazons("..../B..W", side) == 4);
  CHECK(visit_amazons("B..../....W", side) == 5);
  CHECK(visit_amazons("B/././././././.", side) == 8);
  CHECK(visit_amazons("B/./././././././.", side) == 10);
}

TEST_CASE("Amazons notation: boards that are none") {
  CHECK(board_error("..x/...") ==
        "board '..x/...': has the square 'x'; allowed are '.' (empty), '#' (burnt), 'B' and 'W' "
        "(queens), and '/' between ranks");
  CHECK(board_error("B.\n") ==
        "board 'B.\\n': has the square '\\n'; allowed are '.' (empty), '#' (burnt), 'B' and 'W' "
        "(queens), and '/' between ranks");
  CHECK(board_error("..../...") ==
        "board '..../...': has ranks of 4 and of 3 squares; all must have as many");
  CHECK(board_error("..../") ==
        "board '..../': has ranks of 4 and of 0 squares; all must have as many");
  CHECK(board_error("") == "board '': has 0 files and 1 ranks; allowed are 1 to 10");
  CHECK(board_error("...........") ==
        "board '...........': has 11 files and 1 ranks; allowed are 1 to 10");
  CHECK(board_error("././././././././././.") ==
        "board '././././././././././.': has 1 files and 11 ranks; allowed are 1 to 10");
  CHECK(board_error(".....") ==
        "board '.....': has 5 files and 1 ranks; allowed here are at most 4");
}

TEST_CASE("Amazons notation: missing queens") {
  const auto error = [](const std::string& board, bool one_each) {
    return test::input_error([&] { require_amazons_queens(parse_amazons<4>(board), one_each); });
  };
  CHECK(error("..../.B../..W./....", true) == "no error");
  CHECK(error("..../.BB./..W./....", false) == "no error");
  CHECK(error("..../.BB./..W./....", true) ==
        "board '..../.BB./..W./....': has 2 black and 1 white queens; exactly one of each colour "
        "is needed");
  CHECK(error("..../.B../..../....", false) ==
        "board '..../.B../..../....': has 1 black and 0 white queens; at least one of each colour "
        "is needed");
}

TEST_CASE("Amazons notation: moves that are none") {
  CHECK(move_error("a1-A2XB1", Player::kRight) == "no error");
  for (const std::string move : {"", "A1", "A1-A2", "A1A2xB1", "A1-A2xB1 ", "A1-A2xE1", "A1-A5xB1",
                                 "A1-A0xB1", "A1-A2xB", "A01-A2xB1", "1A-A2xB1", "A1-A99xB1"}) {
    CHECK(move_error(move, Player::kRight) ==
          "move '" + move +
              "': from-to x arrow such as A2-A3xC3, with squares from A1 to D4, is allowed");
  }
}

TEST_CASE("Amazons notation: moves that are not legal") {
  CHECK(move_error("A1-A2xB1") == "move 'A1-A2xB1': Black has no queen on A1");
  CHECK(move_error("C2-B3xC2", Player::kRight) == "move 'C2-B3xC2': White has no queen on C2");
  CHECK(move_error("C2-A2xB1") == "move 'C2-A2xB1': no queen's move leads from C2 to A2");
  CHECK(move_error("C2-B3xB1") == "move 'C2-B3xB1': no arrow from B3 reaches B1");
  CHECK(move_error("C2-B3xB3") == "move 'C2-B3xB3': no arrow from B3 reaches B3");
}

}  // namespace ntune
