// A game for a browser, a hand of stones at a time.

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/annotation.h"
#include "apps/bao/commands.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/course.h"
#include "ntune/games/bao/notation.h"
#include "ntune/plot/svg_text.h"

namespace ntune::bao {

// Made by CMake from the files in assets/.
extern const std::string_view kBoardStyle;
extern const std::string_view kBoardScript;

namespace {

/// [pits of South, pits of North, their stores, whether they own their houses].
Json board_json(const Bao& position) {
  Json board = Json::array({Json::array(), Json::array()});
  for (int player = 0; player < 2; ++player) {
    for (int i = 0; i < Bao::kPits; ++i) {
      board[static_cast<std::size_t>(player)].push_back(position.pit(player, i));
    }
  }
  board.push_back({position.store(0), position.store(1)});
  board.push_back({position.owns_house(0), position.owns_house(1)});
  return board;
}

/// A tick for the start and for each hand of each move. The values of a move, to South by each
/// judge, stand from its first hand on; those of the start are of the best move there.
Json data_of(const Bao& start, const std::vector<BaoSuccessor>& moves,
             std::vector<MoveJudge>& judges) {
  constexpr std::array kCurves = {"scores", "rival"};
  Json data = {{"speeds", {1, 0.5, 2, 4, 8}}};
  std::vector<double> values(judges.size());
  const auto add = [&](const Bao& position, int mover, std::size_t move, const std::string& hand) {
    data["boards"].push_back(board_json(position));
    data["movers"].push_back(mover);
    data["moves"].push_back(move);
    data["hands"].push_back(hand);
    data["shown"].push_back(value_text(values.front()));
    for (std::size_t j = 0; j < judges.size(); ++j) data[kCurves[j]].push_back(values[j]);
  };
  Json texts = Json::array();
  const auto add_move = [&](const std::string& name) {
    data["names"].push_back(name);
    data["values"].push_back(std::exchange(texts, Json::array()));
  };
  Bao at = start;
  for (std::size_t m = 0; m < moves.size(); ++m) {
    const int mover = at.to_move();
    const std::string move = bao_move_text(moves[m].move, mover);
    const double sign = mover == 0 ? 1.0 : -1.0;
    std::vector<JudgedMove> judged;
    for (std::size_t j = 0; j < judges.size(); ++j) {
      judged.push_back(judges[j].judge(at, moves[m]));
      if (m == 0) values[j] = sign * judged[j].best;
    }
    if (m == 0) {
      add_move("The start");
      add(start, mover, 0, "");
    }
    for (std::size_t j = 0; j < judges.size(); ++j) {
      values[j] = sign * judged[j].value;
      texts.push_back(judged_text(judged[j], move));
    }
    add_move(fmt::format("{}. {}: {}", m + 1, bao_player_text(mover), move));
    for (const BaoStep& step : bao_course(at, moves[m].move)) {
      add(Bao(step.board, at.rules()), mover, m + 1, step_text(step, mover));
    }
    at = moves[m].next;
  }
  return data;
}

}  // namespace

cli::ReplayPage replay_page(const Bao& start, const std::vector<BaoSuccessor>& moves,
                            std::vector<MoveJudge>& judges, const std::string& players) {
  std::string names;
  for (const MoveJudge& judge : judges) {
    names +=
        (names.empty() ? "" : "; the dotted one, on another scale, by ") + xml_text(judge.name());
  }
  const Bao& end = moves.back().next;
  cli::ReplayPage page{
      .program = "bao",
      .title = "Bao",
      .players = players,
      .end = fmt::format("{} after {}", state_text(end), counted(std::ssize(moves), "move")),
      .view_box = "0 0 640 488",
      .legend = fmt::format(
          "<span class=\"key1\">South</span> sits below, <span class=\"key2\">North</span> above. "
          "A square pit is a house, thick while its player owns it; a full ring is a pit that got "
          "stones, a dashed one a pit that lost them. The curve is the value to South by {}. The "
          "text tells it to the player who moves.",
          names),
      .step = "hand",
      .score = "Value to South",
      .style = kBoardStyle,
      .script = kBoardScript,
      .data = data_of(start, moves, judges)};
  for (const MoveJudge& judge : judges) page.data["judges"].push_back(judge.name());
  return page;
}

}  // namespace ntune::bao
