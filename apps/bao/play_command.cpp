#include <memory>
#include <vector>

#include <fmt/format.h>

#include "apps/bao/annotation.h"
#include "apps/bao/commands.h"
#include "apps/common/person.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"

namespace ntune::bao {

namespace {

constexpr const char* kPerson = "person";
constexpr const char* kHelp =
    "A5L: a move; Enter: the agent's choice for you; s: the board after each step of the last "
    "move; u: undo; p: the position as text; ?: this help; q: quit\n";
/// With which a person's moves are advised.
constexpr const char* kAdviser = "default";

/// A game between persons and agents, and what has been played.
class Game {
 public:
  Game(const PlayArguments& arguments, const Bao& start)
      : rng_(static_cast<std::uint64_t>(arguments.seed)),
        start_(start),
        judge_(read_player("--judge", arguments.judge, arguments.folder)) {
    const std::array<const std::string*, 2> texts = {&arguments.south, &arguments.north};
    std::array<Player, 2> players;
    for (std::size_t p = 0; p < 2; ++p) {
      const char* option = p == 0 ? "--south" : "--north";
      is_person_[p] = *texts[p] == kPerson;
      players[p] = read_player(option, is_person_[p] ? kAdviser : *texts[p], arguments.folder);
      names_[p] = is_person_[p] ? "you" : player_text(players[p]);
    }
    for (std::size_t p = 0; p < 2; ++p) {
      agents_[p] = make_bao_agent(against(players[p], players[1 - p].evaluation));
    }
    // A page shows how the agents see the game, of whom a person is none.
    for (std::size_t p = 0; p < 2; ++p) {
      if (is_person_[p]) continue;
      MoveJudge eyes(players[p]);
      if (eyes_.empty() || eyes_.front().name() != eyes.name()) eyes_.push_back(std::move(eyes));
    }
  }

  /// The game so far.
  cli::ReplayPage page() {
    if (eyes_.empty()) eyes_.push_back(std::move(judge_));
    return replay_page(start_, moves_, eyes_,
                       fmt::format("South: {}; North: {}", names_[0], names_[1]));
  }

  [[nodiscard]] const Bao& now() const { return after(plies()); }
  [[nodiscard]] std::size_t plies() const { return moves_.size(); }
  [[nodiscard]] bool is_over() const { return winner_of(now()) >= 0; }
  [[nodiscard]] bool has_person() const { return is_person_[0] || is_person_[1]; }
  [[nodiscard]] bool persons_turn() const { return is_person_[turn()]; }
  [[nodiscard]] std::string heading() const {
    return fmt::format("South: {}; North: {}; {}\n{}", names_[0], names_[1], judge_.text(),
                       has_person() ? kHelp : "");
  }

  /// The board with its legal moves.
  [[nodiscard]] std::string text() const;
  /// Makes the agent's move and tells it.
  std::string agents_move();
  /// Does what the person's line says and tells what that was.
  std::string play(const std::string& line);

 private:
  [[nodiscard]] std::size_t turn() const { return static_cast<std::size_t>(now().to_move()); }
  [[nodiscard]] const Bao& after(std::size_t moves) const {
    return moves == 0 ? start_ : moves_[moves - 1].next;
  }
  /// Makes a move and tells it with its steps and its value.
  std::string move(const BaoSuccessor& successor);
  [[nodiscard]] std::string last_steps() const;
  std::string undo();

  Rng rng_;
  Bao start_;
  std::vector<BaoSuccessor> moves_;
  MoveJudge judge_;
  std::vector<MoveJudge> eyes_;
  std::array<bool, 2> is_person_{};
  std::array<std::string, 2> names_;
  std::array<std::unique_ptr<BaoAgent>, 2> agents_;
};

std::string Game::text() const {
  const Bao* const before = plies() == 0 ? nullptr : &after(plies() - 1);
  const std::string text = fmt::format("\n{}After {}: {}\n", bao_board_text(now(), before),
                                       counted(plies(), "move"), state_text(now()));
  if (winner_of(now()) >= 0) return text;
  BaoSuccessors successors;
  now().successors(successors);
  return text + fmt::format("Moves: {}\n", bao_moves_text(successors, now().to_move()));
}

std::string Game::move(const BaoSuccessor& successor) {
  std::string text = annotated_move(now(), successor, judge_.judge(now(), successor));
  moves_.push_back(successor);
  return text;
}

std::string Game::agents_move() {
  BaoSuccessors successors;
  now().successors(successors);
  Rng draw = rng_.stream("play", plies());  // an undone move is made again as it was
  return move(successors[static_cast<std::size_t>(agents_[turn()]->choose(now(), draw))]);
}

std::string Game::last_steps() const {
  if (moves_.empty()) return "No move yet\n";
  return step_boards(after(plies() - 1), moves_.back());
}

std::string Game::undo() {
  std::size_t plies = this->plies();
  const auto is_persons = [&](std::size_t moves) {
    return is_person_[static_cast<std::size_t>(after(moves).to_move())];
  };
  while (plies > 0 && !is_persons(--plies)) {
  }
  if (plies == this->plies() || !is_persons(plies)) return "Nothing to undo\n";
  moves_.resize(plies);
  return "Undone\n";
}

std::string Game::play(const std::string& line) {
  if (line.empty()) return agents_move();
  if (line == "u") return undo();
  if (line == "s") return last_steps();
  if (line == "p") return bao_position_text(now()) + '\n';
  if (line == "?") return kHelp;
  try {
    return move(parse_bao_move(now(), line));
  } catch (const InputError& error) {
    return fmt::format("{}\n", error.what());
  }
}

}  // namespace

int play_command(const PlayArguments& arguments, const Terminal& terminal) {
  cli::check_replay(arguments.replay);
  Game game(arguments, parse_bao_position(arguments.position));
  const int code = cli::play_with_person(game, terminal);
  if (arguments.replay.empty()) return code;
  if (game.plies() > 0) {
    cli::write_replay(arguments.replay, game.page(), terminal);
  } else {
    terminal.err << "No move was played, so that there is no replay.\n";
  }
  return code;
}

}  // namespace ntune::bao
