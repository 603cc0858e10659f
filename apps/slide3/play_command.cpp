#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/person.h"
#include "apps/slide3/commands.h"
#include "apps/slide3/experiments/sample.h"
#include "apps/slide3/replay.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"

namespace ntune::slide3 {

namespace {

using Position = SlidePosition<3>;

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
