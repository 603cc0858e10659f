#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/annotation.h"
#include "apps/bao/commands.h"
#include "apps/common/rows.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"
#include "ntune/games/bao/replay.h"

namespace ntune::bao {

int winner_of(const Bao& position) {
  if (position.is_over()) return position.winner();
  BaoSuccessors successors;
  position.successors(successors);
  return successors.empty() ? 1 - position.to_move() : -1;
}

std::string state_text(const Bao& position) {
  const int winner = winner_of(position);
  return winner < 0 ? fmt::format("{} to move", bao_player_text(position.to_move()))
                    : fmt::format("{} has won", bao_player_text(winner));
}

int replay_command(const ReplayArguments& arguments, const Terminal& terminal) {
  constexpr std::uintmax_t kLimit = 10'000'000;
  cli::check_replay(arguments.replay);
  const Bao start = parse_bao_position(arguments.position);
  Bao at = start;
  MoveJudge judge(read_player("--judge", arguments.judge, arguments.folder));
  std::vector<BaoPly> plies = replay_bao(read_file(arguments.file, kLimit), arguments.file, at);
  if (arguments.until && static_cast<std::size_t>(*arguments.until) < plies.size()) {
    plies.resize(static_cast<std::size_t>(*arguments.until));
  }
  std::vector<Json> rows;
  std::vector<BaoSuccessor> moves;
  Bao before = at;
  for (const BaoPly& ply : plies) {
    moves.push_back({ply.move, ply.next});
    rows.push_back({{"ply", rows.size() + 1},
                    {"player", bao_player_text(at.to_move())},
                    {"written", ply.written},
                    {"move", bao_move_text(ply.move, at.to_move())},
                    {"position", bao_position_text(ply.next)}});
    before = std::exchange(at, ply.next);
  }
  const BaoSuccessor last = {plies.back().move, at};
  const JudgedMove judged = judge.judge(before, last);
  const int winner = winner_of(at);
  const Json json = {{"plies", rows.size()},
                     {"position", bao_position_text(at)},
                     {"winner", winner < 0 ? Json() : Json(bao_player_text(winner))},
                     {"last", annotated_json(before, last, judged)},
                     {"moves", rows}};
  cli::print_result(
      terminal.out, arguments.format, json, rows,
      fmt::format("{}, all legal\n{}\n\n{}{}\n{}\n{}\n{}\n", counted(rows.size(), "move"),
                  judge.text(), annotated_move(before, last, judged),
                  arguments.steps ? step_boards(before, last) : "", bao_board_text(at, &before),
                  bao_position_text(at), state_text(at)));
  if (!arguments.replay.empty()) {
    std::vector<MoveJudge> judges;
    judges.push_back(std::move(judge));
    cli::write_replay(arguments.replay,
                      replay_page(start, moves, judges, path_text(arguments.file)), terminal);
  }
  return cli::kDone;
}

}  // namespace ntune::bao
