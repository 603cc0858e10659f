// One case for each contested rule: the reading that BaoRules has by default, and each other one.

#include <set>
#include <string>

#include "catch.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/notation.h"
#include "ntune/games/bao/position.h"
#include "support/error_text.h"

namespace ntune {
namespace {

using Moves = std::set<std::string>;

/// The legal moves.
Moves moves(const std::string& position, const BaoRules& rules = {}) {
  const Bao at = parse_bao_position(position, rules);
  BaoSuccessors list;
  at.successors(list);
  Moves texts;
  for (const auto& successor : list) texts.insert(bao_move_text(successor.move, at.to_move()));
  return texts;
}

/// The position after a move.
std::string after(const std::string& position, const std::string& move,
                  const BaoRules& rules = {}) {
  return bao_position_text(parse_bao_move(parse_bao_position(position, rules), move).next);
}

}  // namespace

TEST_CASE("bao rules: an entry capture sows from the kichwa of its letter") {
  const std::string at =
      "0 0 0 0 0 0 0 0/0 2 2 6 0 0 0 0/0 0 0 2 6 2 0 0/0 0 0 0 0 0 0 0 st 22,22 h SN South tk -";
  CHECK(moves(at) == Moves{"A4L", "A4R"});
  CHECK(after(at, "A4L") ==
        "0 0 0 0 0 0 0 0/0 2 2 0 0 0 0 0/1 1 1 4 7 0 1 1/0 0 0 0 0 0 0 1 st 21,22 h S- North tk -");
}

TEST_CASE("bao rules: a kimbi forces the side of every capture of a move") {
  CHECK(after("0 1 0 0 3 1 0 2/0 1 0 2 0 0 1 0/1 14 5 1 4 4 0 0/5 8 2 0 0 1 1 7 st 0,0 h -- North "
              "tk -",
              "a5R") ==
        "0 1 1 1 4 2 1 3/1 3 2 1 1 1 2 1/1 0 5 1 4 4 0 0/5 8 2 0 0 1 1 7 st 0,0 h -- South tk -");
}

TEST_CASE("bao rules: a kichwa forces the side of every capture of a move") {
  CHECK(after("2 4 0 2 6 0 1 0/3 4 2 1 13 3 8 1/3 0 0 0 0 0 0 0/1 1 1 3 1 0 3 1 st 0,0 h -- North "
              "tk -",
              "a6R") ==
        "2 4 0 2 6 0 1 0/5 6 1 1 13 3 8 1/0 0 0 0 0 0 0 0/1 1 1 3 1 0 3 1 st 0,0 h -- South tk -");
}

TEST_CASE("bao rules: an entry capture at a kichwa has one side") {
  const std::string at =
      "0 0 0 0 0 0 0 0/4 8 5 2 0 0 0 1/0 1 0 0 0 2 1 4/4 0 4 4 1 0 4 1 st 9,9 h -- South tk -";
  CHECK(moves(at) == Moves{"A8"});
  CHECK(after(at, "A8R") == after(at, "8"));
}

TEST_CASE("bao rules: a capture move that ends in the active house may stop or play it") {
  const std::string at =
      "2 1 0 0 0 0 1 1/0 1 0 9 0 0 0 0/0 4 3 0 9 1 1 0/0 0 0 0 0 1 1 0 st 14,15 h SN North tk -";
  CHECK(moves(at) == Moves{"a7", "a7>"});
  CHECK(after(at, "a7") ==
        "2 1 0 0 0 0 1 1/1 3 1 10 0 0 0 0/0 0 3 0 9 1 1 0/0 0 0 0 0 1 1 0 st 14,14 h SN South tk "
        "-");
  CHECK(after(at, "a7>") ==
        "2 1 1 1 1 1 2 2/1 3 1 0 1 1 1 1/0 0 3 0 9 1 1 0/0 0 0 0 0 1 1 0 st 14,14 h S- South tk "
        "-");
}

TEST_CASE("bao rules: a takasa that ends in the active house stops") {
  const std::string at =
      "1 1 0 0 0 0 0 0/2 0 0 8 0 0 0 0/0 0 2 0 10 3 0 0/0 0 0 0 0 0 0 0 st 18,19 h SN North tk -";
  CHECK(moves(at) == Moves{"a8L*", "a8R*"});
  CHECK(after(at, "a8L*") ==
        "1 1 0 0 0 0 0 0/0 1 1 9 0 0 0 0/0 0 2 0 10 3 0 0/0 0 0 0 0 0 0 0 st 18,18 h SN South tk "
        "-");
}

TEST_CASE("bao rules: takasa from the active house takes two stones where it is the only pit") {
  const std::string at =
      "3 2 0 1 1 0 0 0/0 2 1 15 0 0 0 0/0 0 0 0 16 0 0 0/0 0 0 1 1 2 0 1 st 9,9 h SN South tk -";
  CHECK(moves(at) == Moves{"A5L*", "A5R*"});
  CHECK(after(at, "A5L*") ==
        "3 2 0 1 1 0 0 0/0 2 1 15 0 0 0 0/0 0 1 1 15 0 0 0/0 0 0 1 1 2 0 1 st 8,9 h SN North tk -");
}

TEST_CASE("bao rules: takasa may not start from the active house beside another pit") {
  CHECK(moves("0 0 0 0 0 0 0 0/0 0 0 14 0 0 0 0/0 2 0 0 8 0 0 0/0 0 0 0 0 0 0 0 st 20,20 h S- "
              "South tk -") == Moves{"A2L*", "A2R*"});
}

TEST_CASE("bao rules: five stones and the entry stone leave a house that may start a takasa") {
  const std::string at =
      "4 0 2 1 1 0 0 0/0 0 0 5 0 0 0 0/1 0 0 0 8 1 5 0/0 0 1 1 0 2 1 0 st 15,16 h SN North tk -";
  CHECK(after(at, "a5L*") ==
        "4 0 2 1 1 0 1 1/0 0 0 0 1 1 1 1/1 0 0 0 8 1 5 0/0 0 1 1 0 2 1 0 st 15,15 h S- South tk -");
  CHECK(after(at, "a5L*", {.house_counts_entry = true}) ==
        "4 0 2 1 1 0 0 0/0 0 0 4 1 1 0 0/1 0 0 0 8 1 5 0/0 0 1 1 0 2 1 0 st 15,15 h SN South tk -");
}

TEST_CASE("bao rules: with the house lost a single stone starts no takasa beside a fuller pit") {
  CHECK(moves("0 0 0 0 1 1 1 1/1 0 3 0 0 0 0 0/0 6 0 2 12 1 4 0/0 0 0 0 0 0 0 0 st 15,16 h S- "
              "North tk -") == Moves{"a6L*", "a6R*"});
}

TEST_CASE("bao rules: with the house owned a single stone starts a takasa") {
  CHECK(moves("1 1 0 0 0 1 1 1/1 0 0 11 0 0 4 1/0 3 1 0 13 0 0 0/0 0 0 1 1 2 0 1 st 10,10 h SN "
              "South tk -") == Moves{"A2L*", "A2R*", "A3L*", "A3R*"});
}

TEST_CASE("bao rules: a lone kichwa does not takasa into the back row, in namua") {
  CHECK(moves("0 0 1 1 1 1 1 1/0 0 0 0 0 0 0 1/2 0 1 5 16 3 0 0/1 1 1 1 1 1 1 2 st 10,11 h S- "
              "North tk -") == Moves{"a1R*"});
}

TEST_CASE("bao rules: a lone kichwa does not takasa into the back row, in mtaji") {
  CHECK(moves("2 1 1 1 0 2 4 1/0 0 0 0 0 0 0 5/5 5 5 5 0 1 7 4/0 0 3 1 3 5 2 1 st 0,0 h -- North "
              "tk -") == Moves{"a1R*"});
}

TEST_CASE("bao rules: the first mtaji capture ends both houses") {
  const std::string at =
      "0 1 3 2 1 0 1 1/0 0 2 19 0 0 0 1/0 7 1 0 14 0 1 0/0 2 1 1 2 2 2 0 st 0,0 h SN South tk -";
  const std::string then =
      "0 1 3 2 1 0 1 1/0 0 0 19 0 0 0 1/3 1 0 2 2 3 0 3/2 0 3 3 4 1 5 3 st 0,0 h ";
  CHECK(after(at, "A5R") == then + "-- North tk -");
  CHECK(after(at, "A5R", {.house_loss = BaoRules::HouseLoss::capturer}) == then + "-N North tk -");
  const std::string other =
      "1 0 2 2 1 1 1 1/1 6 3 0 0 2 3 2/1 0 1 5 18 1 0 0/0 1 1 2 0 1 1 6 st 0,0 h S- South tk -";
  const std::string next =
      "1 0 2 2 1 1 1 1/1 6 0 0 0 0 0 2/1 1 3 7 20 0 4 4/0 1 1 2 0 1 1 0 st 0,0 h ";
  CHECK(after(other, "B8R") == next + "-- North tk -");
  CHECK(after(other, "B8R", {.house_loss = BaoRules::HouseLoss::victim}) == next + "S- North tk -");
  CHECK(after(other, "B8R", {.house_loss = BaoRules::HouseLoss::nobody}) == next + "S- North tk -");
}

TEST_CASE("bao rules: the house does not stop a move in mtaji") {
  const std::string at =
      "1 1 1 1 1 1 2 0/0 1 6 1 0 5 0 1/0 4 1 0 27 0 0 1/0 1 1 1 2 0 1 3 st 0,0 h S- South tk -";
  CHECK(moves(at) == Moves{"A2R*", "A5L*", "A5R*"});
  CHECK(after(at, "A2L*", {.mtaji_house_stop = true}) ==
        "1 1 1 1 1 1 2 0/0 1 6 1 0 5 0 1/1 0 1 0 28 1 1 2/1 2 0 2 0 1 2 0 st 0,0 h S- North tk -");
}

TEST_CASE("bao rules: a pit of 16 or more stones starts no capture") {
  CHECK(moves("0 5 0 4 1 0 1 0/2 11 9 1 1 17 0 1/0 0 1 0 0 1 1 1/0 3 2 0 0 0 0 2 st 0,0 h -- North "
              "tk -") == Moves{"a8L"});
  CHECK(moves("1 5 0 1 2 0 4 20/0 0 0 0 0 0 0 2/0 5 0 7 3 8 1 0/0 0 1 0 2 1 1 0 st 0,0 h -- North "
              "tk -") == Moves{"a1R*"});
}

TEST_CASE("bao rules: sixteen captured stones go once round the ring, no pit left out") {
  CHECK(after("1 0 0 1 1 1 1 1/0 0 0 0 3 1 16 1/4 6 2 4 0 0 1 0/1 0 1 1 0 2 1 0 st 7,7 h -- South "
              "tk -",
              "7") ==
        "1 0 0 1 1 1 1 1/0 0 0 0 3 1 0 1/5 7 3 5 1 1 3 1/2 1 2 2 1 3 2 1 st 6,7 h -- North tk -");
}

TEST_CASE("bao rules: takasa starts in the back row only where none in the front row can") {
  CHECK(moves("1 0 0 0 2 1 0 1/0 0 0 0 0 0 1 0/0 15 0 10 1 3 3 3/0 3 1 2 0 10 4 3 st 0,0 h -- "
              "North tk -") == Moves{"b4L*", "b4R*"});
}

TEST_CASE("bao rules: a hundred stones are finite, one more is not") {
  const std::string hundred =
      "3 1 0 7 0 3 0 1/0 9 1 4 8 7 2 0/0 0 0 6 0 0 3 1/2 1 1 0 0 1 1 2 st 0,0 h -- North tk -";
  CHECK(moves(hundred) == Moves{"b5R"});
  CHECK(moves(hundred, {.infinite_limit = 99}).count("b5R") == 1);  // it ends the game
  const std::string more =
      "2 3 0 0 1 0 1 3/1 0 0 9 5 10 0 0/2 5 0 4 3 2 5 0/2 1 2 0 1 1 1 0 st 0,0 h -- North tk -";
  CHECK(moves(more) == Moves{"a3L*", "a3R*", "a4L*", "a4R*", "a5L*", "a5R*"});
  CHECK(moves(more, {.infinite_limit = 101}) == Moves{"b1L"});
}

TEST_CASE("bao rules: a player whose captures are all infinite may takasa") {
  const std::string at =
      "1 1 0 0 0 0 0 1/0 6 0 4 4 6 5 1/0 0 0 0 0 0 0 6/4 4 4 1 3 4 1 0 st 4,4 h -- South tk -";
  CHECK(moves(at) == Moves{"A8L*"});
  CHECK(moves(at, {.infinite_captures_lose = true}).empty());
}

TEST_CASE("bao rules: an emptied front row ends the game within the move") {
  const std::string at =
      "2 2 3 1 0 4 1 3/0 0 0 0 0 0 8 1/4 1 3 2 0 2 2 0/1 1 0 2 0 2 0 2 st 8,9 h -- North tk -";
  const Bao won = parse_bao_move(parse_bao_position(at), "2").next;
  CHECK(bao_position_text(won) ==
        "3 3 4 0 1 0 2 4/4 4 4 4 1 0 1 5/0 0 0 0 0 0 0 0/1 1 0 2 0 2 0 2 st 8,8 h -- South tk -");
  CHECK((won.is_over() && won.winner() == 1));
  CHECK(moves(bao_position_text(won)).empty());
  CHECK(after(at, "2", {.front_row_at_end = true}) ==
        "3 3 4 0 1 0 2 4/4 0 5 5 2 1 1 5/0 0 0 0 0 0 0 0/1 1 0 2 0 2 0 2 st 8,8 h -- South tk -");
}

TEST_CASE("bao rules: a player with single stones alone has lost") {
  const Bao at = parse_bao_position(
      "1 0 0 1 1 0 1 1/0 0 0 0 0 0 1 0/2 17 2 0 1 3 0 4/2 1 3 4 2 12 1 4 st 0,0 h -- North tk -");
  BaoSuccessors list;
  at.successors(list);
  CHECK((list.empty() && !at.is_over()));
}

TEST_CASE("bao rules: the mtaji stage begins when the last stone has been entered") {
  const std::string at =
      "5 4 3 0 3 0 8 0/0 5 1 0 0 0 13 0/1 0 0 6 0 6 1 0/1 1 1 1 1 0 1 1 st 0,1 h -- North tk -";
  CHECK(moves(at) == Moves{"a2"});
  const Bao next = parse_bao_move(parse_bao_position(at), "2").next;
  CHECK((next.store(1) == 0 && !next.is_namua()));
}

TEST_CASE("bao rules: a takasa that leaves one pit to capture blocks it") {
  const std::string at =
      "0 1 2 1 4 8 2 2/10 0 0 10 2 1 0 1/0 2 0 0 0 0 2 0/0 0 2 2 0 2 6 4 st 0,0 h -- South tk -";
  CHECK(moves(at) == Moves{"A2L*", "A2R**", "A7L**", "A7R*"});
  const Bao next = parse_bao_move(parse_bao_position(at), "A7L").next;
  CHECK(next.takasia() == 3);
  CHECK(moves(bao_position_text(next)) == Moves{"a5L*", "a5R*", "a8L*", "a8R*"});
}

TEST_CASE("bao rules: a move ends in the blocked pit, and the block lasts one move") {
  CHECK(
      after("4 4 0 3 1 3 1 0/0 0 0 0 0 11 11 1/0 1 10 0 1 1 1 0/2 1 2 0 0 2 2 2 st 0,0 h -- North "
            "tk a2",
            "a3R*") ==
      "5 5 1 4 2 0 2 1/1 1 1 1 1 0 12 2/0 1 10 0 1 1 1 0/2 1 2 0 0 2 2 2 st 0,0 h -- South tk -");
}

TEST_CASE("bao rules: options have names and ranges") {
  BaoRules rules;
  CHECK(options_json(rules).dump() ==
        R"({"infinite_limit":100,"house_counts_entry":false,"house_loss":"both",)"
        R"("mtaji_house_stop":false,"infinite_captures_lose":false,"front_row_at_end":false})");
  const YamlNode node = parse_yaml("{infinite_limit: 8}");
  CHECK(test::input_error([&] {
          OptionReader reader(node);
          rules.visit(reader);
        }).find("infinite_limit") != std::string::npos);
}

}  // namespace ntune
