#include "apps/bao/annotation.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/commands.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/course.h"
#include "ntune/games/bao/notation.h"
#include "ntune/plot/svg_text.h"

namespace ntune::bao {

namespace {

std::string source_text(const BaoStep& step, int mover) {
  switch (step.source) {
    case BaoStep::Source::kStore:
      return "from the store";
    case BaoStep::Source::kCapture:
      return fmt::format("captured in {},", bao_pit_text(1 - mover, step.pit));
    case BaoStep::Source::kPit:
      break;
  }
  return fmt::format("from {}", bao_pit_text(mover, step.pit));
}

}  // namespace

std::string value_text(double value) {
  if (!is_win_or_loss(value)) return fmt::format("{:+.4g}", value == 0.0 ? 0.0 : value);
  const int plies = static_cast<int>(std::lround(kWinScore - std::abs(value)));
  return fmt::format("{} in {}", value > 0.0 ? "wins" : "loses", counted(plies, "move"));
}

std::string step_text(const BaoStep& step, int mover) {
  std::string text = fmt::format("{} {} to {}", step.stones, source_text(step, mover),
                                 bao_pit_text(mover, step.first));
  if (step.stones > 1) {
    text += fmt::format("{}{}", step.stones == 2 ? ", " : " … ", bao_pit_text(mover, step.last));
  }
  return text;
}

MoveJudge::MoveJudge(const Player& player)
    : name_(
          fmt::format("{}, alpha-beta, depth {}", player.name, player.settings.search.agent.depth)),
      depth_(player.settings.search.agent.depth),
      search_(make_bao_search(player.evaluation, player.settings.search.alpha_beta)) {}

std::string MoveJudge::text() const {
  return fmt::format("values by {}, to the player who moves", name_);
}

JudgedMove MoveJudge::judge(const Bao& at, const BaoSuccessor& successor) {
  const Judge eyes = judge_of(at.to_move());
  const BestMoves best = search_->best_moves(at, depth_, eyes);
  BaoSuccessors successors;
  at.successors(successors);
  const auto first = static_cast<std::size_t>(best.indices.front());
  return {.value = -search_->value(Bao(successor.next), depth_ - 1, eyes, 1),
          .best = best.value,
          .best_move = bao_move_text(successors[first].move, at.to_move())};
}

std::string judged_text(const JudgedMove& judged, const std::string& move) {
  std::string text = value_text(judged.value);
  if (judged.value < judged.best) {
    text += fmt::format("; best {}, {}", judged.best_move, value_text(judged.best));
  } else if (judged.best_move != move) {
    text += fmt::format("; as good as {}", judged.best_move);
  } else {
    text += "; best";
  }
  return text;
}

std::string annotated_move(const Bao& from, const BaoSuccessor& successor,
                           const JudgedMove& judged) {
  const int mover = from.to_move();
  const std::string move = bao_move_text(successor.move, mover);
  std::string text =
      fmt::format("{}: {}, value {}\n", bao_player_text(mover), move, judged_text(judged, move));
  for (const BaoStep& step : bao_course(from, successor.move)) {
    text += fmt::format("  {}\n", step_text(step, mover));
  }
  return text;
}

std::string step_boards(const Bao& from, const BaoSuccessor& successor) {
  std::string text;
  Bao before = from;
  for (const BaoStep& step : bao_course(from, successor.move)) {
    const Bao after(step.board, from.rules());
    text +=
        fmt::format("\n  {}\n{}", step_text(step, from.to_move()), bao_board_text(after, &before));
    before = after;
  }
  return text;
}

Json annotated_json(const Bao& from, const BaoSuccessor& successor, const JudgedMove& judged) {
  const int mover = from.to_move();
  std::vector<Json> steps;
  for (const BaoStep& step : bao_course(from, successor.move)) {
    const bool captures = step.source == BaoStep::Source::kCapture;
    const bool enters = step.source == BaoStep::Source::kStore;
    steps.push_back(
        {{"from", enters ? "store" : bao_pit_text(captures ? 1 - mover : mover, step.pit)},
         {"stones", step.stones},
         {"first", bao_pit_text(mover, step.first)},
         {"last", bao_pit_text(mover, step.last)},
         {"position", bao_position_text(Bao(step.board, from.rules()))}});
  }
  return {{"player", bao_player_text(mover)},
          {"move", bao_move_text(successor.move, mover)},
          {"value", judged.value},
          {"best_value", judged.best},
          {"best_move", judged.best_move},
          {"steps", steps}};
}

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
