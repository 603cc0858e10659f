#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/bao/players.h"
#include "apps/common/replay_page.h"
#include "ntune/core/json.h"
#include "ntune/games/bao/course.h"
#include "ntune/games/bao/position.h"

namespace ntune::bao {

/// How good a move is to the player who makes it, in the units of the judge's evaluation.
struct JudgedMove {
  double value = 0.0;
  double best = 0.0;           ///< of his best move
  std::string best_move = {};  ///< the first of them
};

/// Judges moves by an alpha-beta search of a fixed depth.
class MoveJudge {
 public:
  /// With the player's evaluation and depth.
  explicit MoveJudge(const Player& player);

  /// "default, alpha-beta, depth 6".
  [[nodiscard]] const std::string& name() const { return name_; }
  JudgedMove judge(const Bao& at, const BaoSuccessor& successor);
  /// "values by default, alpha-beta, depth 6, to the player who moves".
  [[nodiscard]] std::string text() const;

 private:
  std::string name_;
  int depth_;
  std::unique_ptr<BaoSearch> search_;
};

/// "+7.5", "wins in 3 moves" of both players.
std::string value_text(double value);
/// "-12; best a7R*, +30", "best", "wins in 3 moves" of both players.
std::string judged_text(const JudgedMove& judged, const std::string& move);

/// A hand that the mover sows: "2 captured in a4, to A8, A7".
std::string step_text(const BaoStep& step, int mover);
/// The move with its value, then a line for each hand that it sows:
///   South: A5R, value +7; best A6L, +12
///     1 from the store to A5
///     2 captured in a4, to A8, A7
std::string annotated_move(const Bao& from, const BaoSuccessor& successor,
                           const JudgedMove& judged);
/// The board after each hand; pits that have got or lost stones are marked.
std::string step_boards(const Bao& from, const BaoSuccessor& successor);
Json annotated_json(const Bao& from, const BaoSuccessor& successor, const JudgedMove& judged);

/// A page that plays a game hand by hand, with each move's value by one judge or two: South's and
/// North's. `players` tells who plays.
cli::ReplayPage replay_page(const Bao& start, const std::vector<BaoSuccessor>& moves,
                            std::vector<MoveJudge>& judges, const std::string& players);

}  // namespace ntune::bao
