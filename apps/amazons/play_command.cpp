#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/amazons/commands.h"
#include "apps/amazons/experiments/valuer.h"
#include "apps/amazons/replay.h"
#include "apps/common/person.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/amazons/notation.h"

namespace ntune::amazons {

namespace {

constexpr const char* kPerson = "person";
constexpr const char* kHelp =
    "2:A2-A3xC3: on board 2 from A2 to A3, arrow to C3; m, m 2, m 2 A2: the moves by what they "
    "gain, of a board, of a square; Enter: the adviser's choice for you; u: undo; p: the boards as "
    "text; ?: this help; q: quit\n"
    "mean and temp: value of a board, and what a move there is worth; ~: from a search that was "
    "not finished\n";
/// With which a person's moves are advised, and boards and moves valued.
constexpr const char* kAdviser = "hotstrat-all";
/// So many moves are listed unasked.
constexpr std::size_t kFewMoves = 60;
/// Of a list of moves.
constexpr std::size_t kLineWidth = 100;

const char* colour_text(Player player) { return player == Player::kLeft ? "Black" : "White"; }

/// A game between persons and players, and what has been played.
template <int kSide>
class Game {
 public:
  using Sum = AmazonsSum<kSide>;

  Game(const PlayArguments& arguments, const Sum& start,
       std::shared_ptr<const AmazonsDatabase> database)
      : rng_(cli::rng_of(arguments.seed)),
        states_{start},
        valuer_(read_sum_player("adviser", kAdviser, arguments.limits).options,
                database_of_values(start, arguments.database, database)) {
    const std::array<const std::string*, 2> texts = {&arguments.black, &arguments.white};
    for (std::size_t p = 0; p < 2; ++p) {
      is_person_[p] = *texts[p] == kPerson;
      const SumPlayer player = read_sum_player(
          p == 0 ? "--black" : "--white", is_person_[p] ? kAdviser : *texts[p], arguments.limits);
      names_[p] = is_person_[p] ? "you" : player_text(player);
      agents_[p] = make_sum_agent<kSide>(player.options, database);
      agents_[p]->begin_game();
    }
  }

  [[nodiscard]] const Sum& now() const { return states_.back(); }
  [[nodiscard]] std::size_t plies() const { return states_.size() - 1; }
  [[nodiscard]] bool is_over() const { return now().outcome().has_value(); }
  [[nodiscard]] bool persons_turn() const { return is_person_[turn()]; }
  [[nodiscard]] std::string heading() const {
    return fmt::format("Black: {}; White: {}\n{}", names_[0], names_[1],
                       is_person_[0] || is_person_[1] ? kHelp : "");
  }
  /// The boards with their values, and the legal moves if they are few.
  [[nodiscard]] std::string text();
  /// The move of the player on turn, as "White: 2:A2-A3xC3".
  std::string agents_move();
  /// Does what the person's line says and tells what that was; "" for a move.
  std::string play(const std::string& line);
  /// The game so far.
  [[nodiscard]] cli::ReplayPage page() const;

 private:
  [[nodiscard]] std::size_t turn() const { return static_cast<std::size_t>(now().on_turn()); }
  static std::shared_ptr<const AmazonsDatabase> database_of_values(
      const Sum& start, const std::string& file, std::shared_ptr<const AmazonsDatabase> known);
  [[nodiscard]] std::string boards_text(const std::vector<BoardWorth>& worths) const;
  [[nodiscard]] std::vector<BoardWorth> worths();
  [[nodiscard]] std::string position_text() const;
  [[nodiscard]] std::string move_text(const AmazonsSumMove& move) const;
  [[nodiscard]] std::string moves_text(const std::string& words,
                                       const std::vector<BoardWorth>& worths);
  [[nodiscard]] AmazonsSumMove read_move(const std::string& line) const;
  [[nodiscard]] SeenSum seen(std::size_t ply) const;
  void move(const AmazonsSumMove& move) {
    Sum next = now();
    next.apply(move);
    states_.push_back(next);
    moves_.push_back(move);
  }
  std::string undo();

  Rng rng_;
  std::vector<Sum> states_;
  std::vector<std::vector<BoardWorth>> worths_;  ///< of each state that was shown
  std::vector<AmazonsSumMove> moves_;            ///< between them
  std::array<bool, 2> is_person_{};
  std::array<std::string, 2> names_;
  std::array<std::unique_ptr<SumAgent<kSide>>, 2> agents_;
  AmazonsValuer<kSide> valuer_;
};

std::string about(bool is_exact) { return is_exact ? "" : "~"; }

/// "the means add up to 3/4; board 2 is the hottest".
std::string sum_text(const std::vector<BoardWorth>& worths) {
  Dyadic total;
  bool is_exact = true;
  std::size_t hottest = 0;
  for (std::size_t i = 0; i < worths.size(); ++i) {
    total += worths[i].value.mean;
    is_exact = is_exact && worths[i].is_exact;
    if (worths[i].value.temperature > worths[hottest].value.temperature) hottest = i;
  }
  return worths.size() == 1 ? ""
                            : fmt::format("; the means add up to {}{}, board {} is the hottest",
                                          about(is_exact), dyadic_text(total), hottest + 1);
}

Dyadic highest_temperature(const std::vector<BoardWorth>& worths) {
  Dyadic highest = -1;
  for (const BoardWorth& worth : worths) highest = std::max(highest, worth.value.temperature);
  return highest;
}

/// The database where the player's has it or boards of the start are in it.
template <int kSide>
std::shared_ptr<const AmazonsDatabase> Game<kSide>::database_of_values(
    const Sum& start, const std::string& file, std::shared_ptr<const AmazonsDatabase> known) {
  if constexpr (kSide == 4) {
    if (known == nullptr && std::ranges::any_of(start.boards(), AmazonsDatabase::contains)) {
      Parallel parallel;
      return std::make_shared<const AmazonsDatabase>(database_of(file, parallel));
    }
  }
  return known;
}

template <int kSide>
std::vector<BoardWorth> Game<kSide>::worths() {
  std::vector<BoardWorth> worths;
  for (const auto& board : now().boards()) {
    worths.push_back(valuer_.board(board, now().on_turn()));
  }
  return worths;
}

template <int kSide>
std::string Game<kSide>::boards_text(const std::vector<BoardWorth>& worths) const {
  constexpr int kWidth = 2 * kSide + 8;
  std::string text;
  const auto add_line = [&](auto part) {
    std::string line;
    for (std::size_t i = 0; i < now().size(); ++i) {
      line += fmt::format("{:<{}}", part(i), kWidth);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  add_line([](std::size_t i) { return fmt::format("   Board {}", i + 1); });
  for (int rank = kSide - 1; rank >= 0; --rank) {
    add_line([&](std::size_t i) {
      const std::string squares = amazons_text(now()[i]);
      std::string line = fmt::format("{} ", rank + 1);
      for (int file = 0; file < kSide; ++file) {
        line += ' ';
        line += squares[static_cast<std::size_t>((kSide - 1 - rank) * (kSide + 1) + file)];
      }
      return line;
    });
  }
  add_line([](std::size_t) {
    std::string line = "  ";
    for (int file = 0; file < kSide; ++file) line += fmt::format(" {:c}", 'A' + file);
    return line;
  });
  add_line([&](std::size_t i) {
    return fmt::format("   mean {}{}", about(worths[i].is_exact),
                       dyadic_text(worths[i].value.mean));
  });
  add_line([&](std::size_t i) {
    return fmt::format("   temp {}{}", about(worths[i].is_exact),
                       dyadic_text(worths[i].value.temperature));
  });
  return text;
}

template <int kSide>
std::string Game<kSide>::position_text() const {
  std::string text;
  for (const auto& board : now().boards()) text += amazons_text(board) + '\n';
  return text;
}

template <int kSide>
std::string Game<kSide>::move_text(const AmazonsSumMove& move) const {
  const std::string text = amazons_move_text<kSide>(move.move);
  return now().size() == 1 ? text : fmt::format("{}:{}", move.board + 1, text);
}

/// The moves that begin with the words, "", "2", "2 a3" or "a3" of one board, a line or more for
/// each gain.
template <int kSide>
std::string Game<kSide>::moves_text(const std::string& words,
                                    const std::vector<BoardWorth>& worths) {
  const std::string prefix =
      now().size() == 1
          ? words
          : words.substr(0, 1) + ":" + words.substr(std::min<std::size_t>(1, words.size()));
  const Dyadic temperature = highest_temperature(worths);
  std::string text;
  std::string last;
  std::size_t width = 0;
  for (const MoveGain& move : valuer_.moves(now(), temperature)) {
    const std::string one = move_text(move.move);
    if (!words.empty() && !one.starts_with(prefix)) continue;
    const std::string gain = fmt::format("{}{}{}", about(move.is_exact), move.gain > 0 ? "+" : "",
                                         dyadic_text(move.gain));
    if (gain != last || width + one.size() + 1 > kLineWidth) {
      text += fmt::format("\n  {:>8} ", gain == last ? "" : gain);
      width = 11;
    }
    text += ' ' + one;
    width += one.size() + 1;
    last = gain;
  }
  return text.empty() ? "No such moves\n"
                      : fmt::format("Moves by what they gain while others are worth {}:{}\n",
                                    dyadic_text(temperature), text);
}

/// "Black has won; the score is 2", or "" while the game goes on.
template <class Sum>
std::string outcome_text(const Sum& sum) {
  const auto outcome = sum.outcome();
  if (!outcome) return {};
  return fmt::format("{} has won; the score is {}", colour_text(outcome->winner), outcome->score);
}

template <int kSide>
SeenSum Game<kSide>::seen(std::size_t ply) const {
  SeenSum seen;
  for (std::size_t i = 0; i < now().size(); ++i) {
    const auto& board = states_[ply][i];
    seen.boards.push_back({.squares = amazons_text(board),
                           .worth = worths_[ply][i],
                           .thermograph = valuer_.thermograph(board)});
  }
  return seen;
}

template <int kSide>
cli::ReplayPage Game<kSide>::page() const {
  std::vector<SeenSum> game = {seen(0)};
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    SeenSum after = seen(i + 1);
    after.move =
        fmt::format("{}. {}: {}", i + 1, colour_text(states_[i].on_turn()), move_text(moves_[i]));
    after.played = moves_[i].board;
    const AmazonsMove& move = moves_[i].move;
    after.squares = {move.from, move.to, move.arrow};
    game.push_back(std::move(after));
  }
  const std::string end = outcome_text(now());
  return replay_page(game, kSide, end.empty() ? "not played to its end" : end,
                     fmt::format("Black: {}; White: {}", names_[0], names_[1]));
}

template <int kSide>
std::string Game<kSide>::text() {
  const bool is_over = this->is_over();
  worths_.resize(plies());
  worths_.push_back(this->worths());
  const std::vector<BoardWorth>& worths = worths_.back();
  const std::string state =
      is_over ? outcome_text(now())
              : fmt::format("{} to move{}", colour_text(now().on_turn()), sum_text(worths));
  std::string text =
      fmt::format("\n{}After {}: {}\n", boards_text(worths), counted(plies(), "move"), state);
  if (is_over) return text;
  std::vector<std::size_t> counts(now().size());
  std::size_t all = 0;
  now().for_each_move([&](const AmazonsSumMove& move) { return ++counts[move.board], ++all > 0; });
  if (all <= kFewMoves) return text + moves_text("", worths);
  text += "Moves:";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += fmt::format(" {} on board {}{}", counts[i], i + 1, i + 1 < counts.size() ? "," : "");
  }
  return text + "; m lists them\n";
}

template <int kSide>
std::string Game<kSide>::agents_move() {
  Rng draw = rng_.stream("play", plies());
  const AmazonsSumMove chosen = agents_[turn()]->choose(now(), draw);
  const std::string text = fmt::format("{}: {}\n", colour_text(now().on_turn()), move_text(chosen));
  move(chosen);
  return text;
}

template <int kSide>
std::string Game<kSide>::undo() {
  std::size_t plies = this->plies();
  const auto is_persons = [&](std::size_t ply) {
    return is_person_[static_cast<std::size_t>(states_[ply].on_turn())];
  };
  while (plies > 0 && !is_persons(--plies)) {
  }
  if (plies == this->plies() || !is_persons(plies)) return "Nothing to undo\n";
  states_.resize(plies + 1);
  moves_.resize(plies);
  return "Undone\n";
}

template <int kSide>
AmazonsSumMove Game<kSide>::read_move(const std::string& line) const {
  std::size_t board = 0;
  std::string move = line;
  const std::size_t colon = line.find(':');
  if (colon != std::string::npos) {
    move = line.substr(colon + 1);
    if (!read_number(line.substr(0, colon), board) || board < 1 || board > now().size()) {
      throw InputError(
          fmt::format("move '{}': there are boards 1 to {}", printable(line, 60), now().size()));
    }
    --board;
  } else if (now().size() > 1) {
    throw InputError(fmt::format(
        "move '{}': on which board? one with its number such as 2:A2-A3xC3 is allowed; ? for help",
        printable(line, 60)));
  }
  return {static_cast<std::uint8_t>(board),
          parse_amazons_move(now()[board], now().on_turn(), move)};
}

template <int kSide>
std::string Game<kSide>::play(const std::string& line) {
  if (line.empty()) return agents_move();
  if (line == "u") return undo();
  if (line == "p") return position_text();
  if (line == "?") return kHelp;
  if (line[0] == 'm') {
    std::string words = line.substr(1);
    for (char& c : words) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return moves_text(words, worths());
  }
  try {
    move(read_move(line));
    return "";
  } catch (const InputError& error) {
    return fmt::format("{}\n", error.what());
  }
}

template <int kSide>
AmazonsSum<kSide> start_of(const PlayArguments& arguments) {
  if (arguments.positions.empty()) {
    Rng draw = cli::rng_of(arguments.seed).stream("sum", std::size_t{0});
    return random_amazons_sum<kSide>(static_cast<std::size_t>(arguments.sums.boards),
                                     arguments.sums.burnt, draw);
  }
  std::vector<AmazonsPosition<kSide>> boards;
  for (const std::string& text : arguments.positions) {
    boards.push_back(parse_amazons<kSide>(text));
    require_amazons_queens(boards.back(), true);
  }
  return AmazonsSum<kSide>(boards);
}

template <int kSide>
int play_game(const PlayArguments& arguments, const Terminal& terminal) {
  const AmazonsSum<kSide> start = start_of<kSide>(arguments);
  Parallel parallel;
  std::vector<SumPlayer> players;
  for (const std::string& text : {arguments.black, arguments.white}) {
    if (text != kPerson) players.push_back(read_sum_player("player", text, arguments.limits));
  }
  cli::check_replay(arguments.replay);
  Game<kSide> game(arguments, start, database_for(players, kSide, arguments.database, parallel));
  const int code = cli::play_with_person(game, terminal);
  if (!arguments.replay.empty()) cli::write_replay(arguments.replay, game.page(), terminal);
  return code;
}

/// The side that holds all boards.
int side_of(const PlayArguments& arguments) {
  if (arguments.positions.empty()) return arguments.sums.size;
  if (arguments.positions.size() > AmazonsSum<4>::kMostBoards) {
    throw InputError(fmt::format("--position: are {}, at most {} boards are allowed",
                                 arguments.positions.size(), AmazonsSum<4>::kMostBoards));
  }
  int side = 4;
  for (const std::string& text : arguments.positions) {
    const AmazonsSize size = amazons_size(text);
    side = std::max({side, size.files, size.ranks});
  }
  if (side > 6) {
    throw InputError(fmt::format("--position: has a board of side {}, at most 6 is allowed", side));
  }
  return side;
}

}  // namespace

int play_command(const PlayArguments& arguments, const Terminal& terminal) {
  check_sums(arguments.sums);
  return with_side(side_of(arguments), [&](auto side) {
    return play_game<decltype(side)::value>(arguments, terminal);
  });
}

}  // namespace ntune::amazons
