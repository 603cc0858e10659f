#include "ntune/games/bao/notation.h"

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/rng.h"
#include "ntune/games/bao/replay.h"
#include "ntune/games/bao/start_positions.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

const std::string kSource = NTUNE_SOURCE_DIR;
const std::string kOpening =
    "0 0 0 0 0 0 0 0/0 2 2 6 0 0 0 0/0 0 0 0 6 2 2 0/0 0 0 0 0 0 0 0 st 22,22 h SN South tk -";

/// The fault of the opening's text with one part of it replaced.
std::string fault(const std::string& part, const std::string& by) {
  std::string text = kOpening;
  text.replace(text.rfind(part), part.size(), by);
  const std::string error = test::input_error([&] { parse_bao_position(text); });
  const std::string begin = "position '" + text + "': ";
  return error.rfind(begin, 0) == 0 ? error.substr(begin.size()) : error;
}

std::string move_fault(const std::string& position, const std::string& move) {
  return test::input_error([&] { parse_bao_move(parse_bao_position(position), move); });
}

std::string replay_fault(const std::string& transcript) {
  return test::input_error([&] { replay_bao(transcript, "game.txt", Bao()); });
}

}  // namespace

TEST_CASE("bao notation: positions and moves of random games are read as they are printed") {
  const Rng rng(1);
  int wrong = 0;
  BaoSuccessors list;
  for (int game = 0; game < 100; ++game) {
    Rng stream = rng.stream("game", static_cast<std::uint64_t>(game));
    for (Bao at;;) {
      if (parse_bao_position(bao_position_text(at)) != at) ++wrong;
      at.successors(list);
      if (list.empty()) break;
      for (const auto& [move, next] : list) {
        const BaoSuccessor read = parse_bao_move(at, bao_move_text(move, at.to_move()));
        if (read.move != move || read.next != next) ++wrong;
      }
      at = list[stream.below(static_cast<std::uint32_t>(list.size()))].next;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("bao notation: the opening, spaces and rules") {
  CHECK(parse_bao_position("opening") == Bao());
  CHECK(parse_bao_position(kOpening) == Bao());
  CHECK(
      parse_bao_position("  0 0 0 0 0 0 0 0 / 0 2 2 6 0 0 0 0 / 0 0 0 0 6 2 2 0 /\t0 0 0 0 0 0 0 0 "
                         "  st 22,22 h SN South tk -\n") == Bao());
  CHECK(parse_bao_position("opening", {.infinite_limit = 50}).rules().infinite_limit == 50);
}

TEST_CASE("bao notation: malformed positions") {
  const std::string form =
      "four rows of 8 pits between '/', then st S,N h SN South tk -, or 'opening' are allowed";
  CHECK(test::input_error([] { parse_bao_position("hello"); }) ==
        "position 'hello': has 1 rows; " + form);
  CHECK(fault("6 2 2 0/", "6 2 2/") == "row 3 (A1 … A8) has 7 pits; 8 are allowed");
  CHECK(fault("6 2 2 0/", "6 2 x 0/") ==
        "row 3 (A1 … A8): 'x' is no number of stones; 0 to 64 are allowed");
  CHECK(fault("6 2 2 0/", "6 2 -2 0/") ==
        "row 3 (A1 … A8): '-2' is no number of stones; 0 to 64 are allowed");
  CHECK(fault(" tk -", "") == "malformed; " + form);
  CHECK(fault("22,22", "22") ==
        "st '22': South's and North's store are allowed, such as 12,12, each 0 to 22");
  CHECK(fault("SN", "NS") == "h 'NS': SN, S-, -N or -- are allowed");
  CHECK(fault("South", "south") == "player 'south': South or North are allowed");
  CHECK(fault("tk -", "tk a3") ==
        "tk 'a3': a front pit of the player on turn, A1 to A8, or - are allowed");
}

TEST_CASE("bao notation: positions that cannot be") {
  CHECK(fault("6 2 2 0/", "6 2 3 0/") == "has 65 stones with the stores; 64 are allowed");
  CHECK(fault("6 2 2 0/", "0 2 8 0/") ==
        "South owns the house A5 without a stone; an owned house holds stones");
  CHECK(
      fault("South", "North") ==
      "stores 22,22 with North on turn; equal ones with South on turn, or one more of North's with "
      "North on turn, are allowed");
  CHECK(fault("tk -", "tk A5") == "tk in the namua stage, where - alone is allowed");
  CHECK(test::input_error([] {
          parse_bao_position(
              "0 0 0 0 0 0 0 0/0 2 2 28 0 0 0 0/0 0 0 0 28 2 2 0/0 0 0 0 0 0 0 0 "
              "st 0,0 h SN South tk A1");
        }).find("tk A1 holds no stone; a pit with stones, or - are allowed") != std::string::npos);
}

TEST_CASE("bao notation: the board for a person") {
  CHECK(bao_board_text(Bao()) ==
        "     8    7    6    5    4    3    2    1\n"
        "b   0    0    0    0    0    0    0    0   store 22\n"
        "a   0    2    2  [ 6]   0    0    0    0 \n"
        "A   0    0    0    0  [ 6]   2    2    0 \n"
        "B   0    0    0    0    0    0    0    0   store 22\n"
        "     1    2    3    4    5    6    7    8\n");
}

TEST_CASE("bao notation: the board marks the pits that a move changed") {
  const Bao opening;
  const Bao next = parse_bao_move(opening, "A6L*").next;
  CHECK(bao_board_text(next, &opening) ==
        "     8    7    6    5    4    3    2    1\n"
        "b   0    0    0    0    0    0    0    0   store 22\n"
        "a   0    2    2  [ 6]   0    0    0    0 \n"
        "A   0    0    1+   1+[ 7+]   0-   2    0 \n"
        "B   0    0    0    0    0    0    0    0   store 21\n"
        "     1    2    3    4    5    6    7    8\n");
}

TEST_CASE("bao notation: moves may leave out what is clear") {
  const Bao opening;
  CHECK(parse_bao_move(opening, "7L").move == parse_bao_move(opening, "A7L*").move);
  const Bao kimbi = parse_bao_position(
      "2 1 0 0 0 0 1 1/0 1 0 9 0 0 0 0/0 4 3 0 9 1 1 0/0 0 0 0 0 1 1 0 st 14,15 h SN North tk -");
  CHECK(parse_bao_move(kimbi, "7").move == parse_bao_move(kimbi, "a7R").move);
  CHECK(parse_bao_move(kimbi, "7>").move.has(BaoMove::kPlaysHouse));
}

TEST_CASE("bao notation: moves that are not legal") {
  const std::string legal = "; legal: A6L*, A6R*, A7L*, A7R*";
  CHECK(move_fault("opening", "A5L") == "move 'A5L': not legal for South" + legal);
  CHECK(move_fault("opening", "a6L") == "move 'a6L': not legal for South" + legal);
  CHECK(move_fault("opening", "6") == "move '6': needs L or R" + legal);
  CHECK(move_fault("opening", "6L>") == "move '6L>': not legal for South" + legal);
  CHECK(move_fault("opening", "6L**") == "move '6L**': marked '**', but it is A6L*" + legal);
  for (const std::string text : {"", "9L", "A6Q", "6L***", "A", "6L*>"}) {
    CHECK(move_fault("opening", text) ==
          "move '" + text + "': a pit 1 to 8, then L or R, > and * or ** are allowed" + legal);
  }
  const std::string mtaji =
      "1 0 0 0 2 1 0 1/0 0 0 0 0 0 1 0/0 15 0 10 1 3 3 3/0 3 1 2 0 10 4 3 st 0,0 h -- North tk -";
  CHECK(move_fault(mtaji, "4L") ==
        "move '4L': a row and pit such as A5, then L or R, > and * or ** are allowed; legal: b4R*, "
        "b4L*");
  CHECK(move_fault("1 0 0 1 1 0 1 1/0 0 0 0 0 0 1 0/2 17 2 0 1 3 0 4/2 1 3 4 2 12 1 4 st 0,0 h -- "
                   "North tk -",
                   "a2L") == "move 'a2L': the game is over, North has lost; legal: none");
}

TEST_CASE("bao replay: the transcript of Fig. 5 is legal and its marks are right") {
  const std::string transcript = read_file(kSource + "/configs/bao/figure_5.txt", 10'000);
  const auto plies = replay_bao(transcript, "figure_5.txt", Bao());
  REQUIRE(plies.size() == 52);
  const auto marks = [](const std::string& text) {
    return text.substr(std::min(text.find_first_of(">*"), text.size()));
  };
  for (std::size_t i = 0; i < plies.size(); ++i) {
    const std::string text = bao_move_text(plies[i].move, i % 2 == 0 ? 0 : 1);
    INFO(i << ' ' << plies[i].written << ' ' << text);
    CHECK(marks(plies[i].written) == marks(text));
  }
  CHECK(bao_position_text(plies.back().next) ==
        "3 3 5 1 0 5 5 1/0 8 0 5 5 7 7 1/0 0 0 0 2 0 0 0/2 0 2 0 1 0 1 0 st 0,0 h -- South tk -");
  // 12: 5R 7R*; end in nyumba
  CHECK((plies[23].written == "7R*" && plies[23].next.is_house_active(1)));
}

TEST_CASE("bao replay: a whole game of fixed choices") {
  const std::string game = R"(
A7L* a5R A6R* a6R* A8L* a8R* A6R* a7R* A7R* a8R* A8L* a5R* A6L* a5L A7R* a1 A5L a7L* A1L* a3R*
A5R a2L* A8> a6L A4L a6L A8 a3R A3R a8 A2 a8 A2 a3L A4R a4L A6L a8 A2 a4L # twenty moves
A6L a6L A6L a6R; the last stones
23: B7R a1R
24: B3L a3R A5L a5R A8L b7R A7L b2L A1R b8R B7R b5L A7L b1L B8R b3L A7L a8L B4L* b8R B1L a3R
25: A1R b5R B5R b6R B7R a6L B8R b8R A8L a5L A4L b7R A2L* b6R A3L* b3L)";
  const auto plies = replay_bao(game, "game.txt", Bao());
  REQUIRE(plies.size() == 84);
  CHECK((plies[83].line == 7 && plies[83].written == "b3L"));
  CHECK(bao_position_text(plies[83].next) ==
        "5 1 0 3 1 0 1 4/3 5 6 6 2 1 7 11/0 0 0 0 0 0 0 0/2 2 0 2 1 1 0 0 st 0,0 h -- South tk -");
  CHECK(plies[83].next.winner() == 1);
}

TEST_CASE("bao replay: what is wrong is named with line, move and the legal moves") {
  CHECK(replay_fault("South: x\n1: 7L* 5R;\n2: 6R* 5L;\n") ==
        "game.txt:3: move '5L': not legal for North; legal: "
        "a6L*, a6R*, a7L*, a7R*, a8L*, a8R*");
  CHECK(replay_fault("1: 7L* 5R;\n3: 6R* 6R*;\n") ==
        "game.txt:2: move number 3: 2 is allowed after 1");
  CHECK(replay_fault("7L* 5R hello") ==
        "game.txt:1: move 'hello': a pit 1 to 8, then L or R, > and * or ** are allowed; legal: "
        "A6L*, A6R*");
}

TEST_CASE("bao start positions: the paper's 100 rows") {
  const auto starts = read_bao_start_positions(kSource + "/configs/bao/start_positions.csv");
  CHECK(starts.usable.size() == 95);
  std::vector<int> left_out;
  for (const auto& start : starts.left_out) left_out.push_back(start.row);
  CHECK(left_out == std::vector<int>{38, 85, 90, 99, 100});
  for (const auto& start : starts.usable) {
    INFO(start.row);
    CHECK(start.position.stones(0) + start.position.stones(1) == 40);
    CHECK((start.position.is_namua() && start.position.to_move() == 0));
    BaoSuccessors list;
    start.position.successors(list);
    CHECK(!list.empty());
  }
  CHECK(bao_position_text(starts.usable[1].position) ==
        "1 1 1 1 1 1 1 1/1 3 7 0 4 0 6 2/0 1 0 1 0 5 0 0/0 0 0 0 0 0 1 1 st 12,12 h -- South tk -");
}

TEST_CASE("bao start positions: a damaged file") {
  const test::TemporaryFolder folder;
  const std::string good = read_file(kSource + "/configs/bao/start_positions.csv", 100'000);
  const auto error = [&](const std::string& part, const std::string& by) {
    std::string text = good;
    text.replace(text.find(part), part.size(), by);
    const auto file = folder.path() / "starts.csv";
    write_file_atomically(file, text);
    const std::string message = test::input_error([&] { read_bao_start_positions(file); });
    return message.substr(message.find("starts.csv"));
  };
  CHECK(error("\n2,ok,1,", "\n2,ok,2,") ==
        "starts.csv:7: has 65 stones with the stores; 64 are allowed");
  CHECK(error("\n2,ok,1,", "\n2,ok,") == "starts.csv:7: has 35 fields; 36 are allowed");
  CHECK(error("\n2,ok,1,", "\n2,ok,x,") ==
        "starts.csv:7: b1 'x': a whole number from 0 to 64 is allowed");
  CHECK(error("\n2,ok,", "\n2,fine,") ==
        "starts.csv:7: status 'fine': ok, repaired, repaired_amb, damaged or missing are allowed");
  CHECK(error("\n2,ok,", "\n1,ok,") == "starts.csv:7: row 1 is there twice");
  CHECK(error(",b2,", ",b3,") == "starts.csv:5: column 4 is 'b3'; 'b2' is allowed");
}

}  // namespace ntune
