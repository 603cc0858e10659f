#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/person.h"
#include "apps/common/replay_page.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/sample.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/games/slide/codes.h"
#include "ntune/games/slide/exact/database.h"
#include "ntune/games/slide/search.h"

namespace ntune::slide3 {

// Made by CMake from the files in assets/.
extern const std::string_view kBoardStyle;
extern const std::string_view kBoardScript;

namespace {

/// A position of a game, as its player sees it.
struct SeenPosition {
  SlidePosition<3> position;
  int depth = 0;                            ///< of the player's next search
  std::vector<SlideSuccessor> values = {};  ///< of the possible moves; none of Win
  int line = -1;                            ///< the move that was made; -1: none yet
  std::string note = {};                    ///< who made it: "the player, a tie"
};

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

/// A page that plays a game push by push. `players` tells who plays.
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

constexpr const char* kHelp =
    "Enter: the agent's move; R2> R2< C3v C3^: your move; h: hint; u: undo; q: quit\n";

/// A game between a person and the depth-t player, and what has been played.
class Game {
 public:
  /// `moves`: the player makes all moves, at most so many; none: a person plays.
  Game(const Position& start, const DepthPlayer& player, std::uint64_t seed,
       SlideDatabase<3> database, std::optional<std::int64_t> moves)
      : most_moves_(moves),
        player_(player),
        rng_(seed),
        database_(std::move(database)),
        evaluator_(player.evaluation, slide_tables()),
        plain_(player.evaluation.deterministic(), slide_tables()),
        states_{{start, player.depth}} {}

  [[nodiscard]] std::string heading() const {
    return player_text(player_) + '\n' + (most_moves_ ? "" : kHelp);
  }
  [[nodiscard]] bool is_win() const { return now().position == Position::win(); }
  [[nodiscard]] bool is_over() const {
    return is_win() || (most_moves_ && std::ssize(states_) > *most_moves_);
  }
  [[nodiscard]] bool persons_turn() const { return !most_moves_; }
  [[nodiscard]] std::size_t plies() const { return states_.size() - 1; }

  /// The position with its successors, as both evaluations see them.
  std::string text();
  std::string agents_move();
  /// Carries out a line of the person's and returns what to print, which may be empty.
  std::string play(std::string line);
  /// The game so far, which begins with `seed`.
  [[nodiscard]] cli::ReplayPage page(std::int64_t seed) const {
    return replay_page(states_, database_, fmt::format("{}, seed {}", player_text(player_), seed));
  }

 private:
  [[nodiscard]] const SeenPosition& now() const { return states_.back(); }
  /// The stream of the next move, so that an undone move is made again as it was.
  [[nodiscard]] Rng stream() const { return rng_.stream("play", plies()); }
  std::string slide(int line, const std::string& note);
  [[nodiscard]] std::string hint() const;

  std::optional<std::int64_t> most_moves_;
  DepthPlayer player_;
  Rng rng_;
  SlideDatabase<3> database_;
  SlideEvaluator evaluator_;
  SlideEvaluator plain_;
  std::shared_ptr<SlideSearch> search_ = std::make_shared<SlideSearch>();
  std::vector<SeenPosition> states_;
  bool win_seen_ = false;  ///< by the last search
};

std::string Game::text() {
  const std::string moves = counted(plies(), "move");
  if (is_win()) return fmt::format("\nWin after {}\n", moves);
  const Position& position = now().position;
  Rng rng = stream();
  const SlideSearch::Result seen =
      search_->search(position, now().depth, evaluator_, player_.search, rng);
  win_seen_ = seen.win_seen;
  std::vector<SlideSuccessor>& values = states_.back().values;
  values.assign(seen.successors.begin(), seen.successors.end());
  const auto plain = search_->search_and_count(position, now().depth, plain_, player_.search);
  TextTable table({"<move", "<position", "DTW", "value", "without chance", "minimal leaves"});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Position next = position.after(values[i].line);
    table.add_row({slide_move_text<3>(position, values[i].line), slide_code_text<3>(next),
                   std::to_string(database_.dtw(next)), fmt::format("{:.4f}", values[i].value),
                   fmt::format("{:.4f}", plain.successors[i].value),
                   count_text(plain.successors[i].minimal_leaves)});
  }
  return fmt::format("\nAfter {}: {}, DTW {}, search depth {}\n{}\n\n{}", moves,
                     slide_code_text<3>(position), database_.dtw(position), now().depth,
                     slide_board_text<3>(position), table.text());
}

std::string Game::slide(int line, const std::string& note) {
  const int depth = win_seen_ ? std::max(1, now().depth - 1) : now().depth;
  const std::string move = slide_move_text<3>(now().position, line);
  states_.back().line = line;
  states_.back().note = note;
  states_.push_back({.position = now().position.after(line), .depth = depth});
  return move + "\n";
}

std::string Game::agents_move() {
  DepthPlayer player = player_;
  player.depth = now().depth;
  DepthAgent agent(player, true, search_);
  Rng rng = stream();
  const SlideDecision decision = agent.choose(now().position, rng);
  const char* const tie = !decision.tie  ? ""
                          : decision.fat ? "Tie broken to the fuller side: "
                                         : "Tie: ";
  return tie + slide(decision.line, decision.tie ? "the player, a tie" : "the player");
}

std::string Game::hint() const {
  const std::vector<int> lines = shortest_solution<3>(database_, now().position);
  return fmt::format("{} begins a shortest way of {} moves\n",
                     slide_move_text<3>(now().position, lines.front()), lines.size());
}

std::string Game::play(std::string line) {
  for (char& c : line) c = c == 'r' ? 'R' : c == 'c' ? 'C' : c;  // "r2>" as "R2>"
  if (line.empty()) return agents_move();
  if (line == "h") return hint();
  if (line == "?") return kHelp;
  if (line == "u") {
    if (plies() == 0) return "Nothing to undo\n";
    states_.pop_back();
    states_.back().line = -1;
    return "Undone\n";
  }
  try {
    return slide(parse_slide_move<3>(now().position, line), "you");
  } catch (const InputError& error) {
    return fmt::format("{}\n{}", error.what(), kHelp);
  }
}

}  // namespace

int play_command(const PlayArguments& arguments, const Terminal& terminal) {
  const Position start = parse_slide_position<3>(arguments.position);
  const DepthPlayer player = {.evaluation = evaluation_of(arguments.player),
                              .depth = arguments.depth,
                              .search = arguments.player.search};
  cli::check_replay(arguments.replay);
  Parallel parallel(1);
  Game game(start, player, static_cast<std::uint64_t>(arguments.seed),
            database_of<3>(arguments.database, parallel), arguments.moves);
  const int code = cli::play_with_person(game, terminal);
  if (!arguments.replay.empty()) {
    cli::write_replay(arguments.replay, game.page(arguments.seed), terminal);
  }
  return code;
}

}  // namespace ntune::slide3
