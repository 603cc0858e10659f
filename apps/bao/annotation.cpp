#include "apps/bao/annotation.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"

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

}  // namespace ntune::bao
