// A game for a browser: the board with its possible pushes.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "apps/slide3/commands.h"
#include "apps/slide3/replay.h"
#include "ntune/core/text.h"
#include "ntune/games/slide/codes.h"

namespace ntune::slide3 {

// Made by CMake from the files in assets/.
extern const std::string_view kBoardStyle;
extern const std::string_view kBoardScript;

namespace {

using Position = SlidePosition<3>;

/// The possible moves: [line, whether it moves right or down, value, distance to win after it].
Json moves_json(const SeenPosition& seen, const SlideDatabase<3>& database) {
  Json moves = Json::array();
  for (const SlideSuccessor& move : seen.values) {
    moves.push_back({move.line, seen.position.slides_forward(move.line),
                     fmt::format("{:.4f}", move.value),
                     database.dtw(seen.position.after(move.line))});
  }
  return moves;
}

/// "3. R2>, the player: value 12.0000, distance to win 13 → 12".
std::string move_text(const SeenPosition& seen, std::size_t number,
                      const SlideDatabase<3>& database) {
  std::string value;
  for (const SlideSuccessor& move : seen.values) {
    if (move.line == seen.line) value = fmt::format("{:.4f}", move.value);
  }
  return fmt::format("{}. {}, {}: value {}, distance to win {} → {}", number,
                     slide_move_text<3>(seen.position, seen.line), seen.note, value,
                     database.dtw(seen.position), database.dtw(seen.position.after(seen.line)));
}

}  // namespace

cli::ReplayPage replay_page(const std::vector<SeenPosition>& game, const SlideDatabase<3>& database,
                            const std::string& players) {
  Json data = {{"speeds", {1, 0.5, 2, 4, 8}}, {"texts", {"The start"}}};
  for (std::size_t t = 0; t < game.size(); ++t) {
    Json squares = Json::array();
    for (int s = 0; s < Position::kSquares; ++s) squares.push_back(game[t].position.at(s));
    data["squares"].push_back(std::move(squares));
    data["moves"].push_back(moves_json(game[t], database));
    data["lines"].push_back(game[t].line);
    data["scores"].push_back(database.dtw(game[t].position));
    if (t > 0) data["texts"].push_back(move_text(game[t - 1], t, database));
  }
  const std::size_t moves = game.size() - 1;
  const Position& last = game.back().position;
  return {.program = "slide3",
          .title = "SlideThree",
          .players = players,
          .end = last == Position::win() ? fmt::format("Win after {}", counted(moves, "move"))
                                         : fmt::format("No win after {}", counted(moves, "move")),
          .view_box = "0 0 440 440",
          .legend =
              "An arrow is a row or column that can be pushed, with its value, less is "
              "better, and the distance to win after it. The full arrow is pushed next. The "
              "curve is the least number of moves to Win, which the player does not know.",
          .step = "move",
          .score = "Distance to win",
          .style = kBoardStyle,
          .script = kBoardScript,
          .data = std::move(data)};
}

}  // namespace ntune::slide3
