#include "ntune/games/bao/notation.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {
namespace {

/// The form of a position, for messages.
constexpr std::string_view kForm =
    "four rows of 8 pits between '/', then st S,N h SN South tk -, or 'opening'";

/// The words between blanks.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = cut(text, " \t\r\n");
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// The whole number in a text; -1 unless it is one from 0 to `most`.
int whole_number(std::string_view text, int most) {
  if (text.empty() || text.size() > 3) return -1;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value <= most ? value : -1;
}

/// Reads the parts of a position into a board.
class PositionReader {
 public:
  explicit PositionReader(std::string_view text) : text_(text) {}

  BaoBoard read() {
    const auto rows = split(text_, '/');
    if (rows.size() != 4) fail(fmt::format("has {} rows; {} are allowed", rows.size(), kForm));
    for (std::size_t row = 0; row < 3; ++row) read_row(row, words_of(rows[row]));
    std::vector<std::string_view> last = words_of(rows[3]);
    std::size_t pits = 0;
    // The last row is followed by the stores, which begin with the word "st".
    while (pits < last.size() && last[pits] != "st") ++pits;
    read_row(3, {last.begin(), last.begin() + static_cast<std::ptrdiff_t>(pits)});
    read_rest({last.begin() + static_cast<std::ptrdiff_t>(pits), last.end()});
    if (const std::string fault = bao_board_fault(board_); !fault.empty()) fail(fault);
    return board_;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("position '{}': {}", printable(text_), problem));
  }

  void read_row(std::size_t row, const std::vector<std::string_view>& words) {
    static constexpr std::array<const char*, 4> kNames = {"b8 … b1", "a8 … a1", "A1 … A8",
                                                          "B1 … B8"};
    if (words.size() != 8) {
      fail(fmt::format("row {} ({}) has {} pits; 8 are allowed", row + 1, kNames[row],
                       words.size()));
    }
    for (std::size_t column = 0; column < 8; ++column) {
      const int stones = whole_number(words[column], Bao::kStones);
      if (stones < 0) {
        fail(fmt::format("row {} ({}): '{}' is no number of stones; 0 to {} are allowed", row + 1,
                         kNames[row], printable(words[column]), Bao::kStones));
      }
      // North's ring runs b8 … b1 and a8 … a1 from the left as 8 … 15 and 7 … 0, South's A1 … A8
      // and B1 … B8 as 0 … 7 and 15 … 8.
      constexpr std::array<std::size_t, 4> kFirst = {8, 7, 0, 15};
      const bool upwards = row == 0 || row == 2;
      const std::size_t pit = upwards ? kFirst[row] + column : kFirst[row] - column;
      board_.pits[row < 2 ? 1 : 0][pit] = static_cast<std::uint8_t>(stones);
    }
  }

  void read_rest(const std::vector<std::string_view>& words) {
    if (words.size() != 7 || words[2] != "h" || words[5] != "tk") {
      fail(fmt::format("malformed; {} are allowed", kForm));
    }
    read_stores(words[1]);
    read_houses(words[3]);
    board_.to_move = read_player(words[4]);
    read_takasia(words[6]);
  }

  void read_stores(std::string_view word) {
    constexpr int kMost = 22;
    const auto numbers = split(word, ',');
    for (std::size_t p = 0; p < 2; ++p) {
      const int stones = numbers.size() == 2 ? whole_number(numbers[p], kMost) : -1;
      if (stones < 0) {
        fail(
            fmt::format("st '{}': South's and North's store are allowed, such as 12,12, each 0 "
                        "to {}",
                        printable(word), kMost));
      }
      board_.stores[p] = static_cast<std::uint8_t>(stones);
    }
  }

  void read_houses(std::string_view word) {
    if (word.size() != 2 || (word[0] != 'S' && word[0] != '-') ||
        (word[1] != 'N' && word[1] != '-')) {
      fail(fmt::format("h '{}': SN, S-, -N or -- are allowed", printable(word)));
    }
    board_.houses = {word[0] == 'S', word[1] == 'N'};
  }

  [[nodiscard]] int read_player(std::string_view word) const {
    if (word == "South") return 0;
    if (word == "North") return 1;
    fail(fmt::format("player '{}': South or North are allowed", printable(word)));
  }

  void read_takasia(std::string_view word) {
    if (word == "-") return;
    const char row = board_.to_move == 0 ? 'A' : 'a';
    if (word.size() != 2 || word[0] != row || word[1] < '1' || word[1] > '8') {
      fail(fmt::format("tk '{}': a front pit of the player on turn, {}1 to {}8, or - are allowed",
                       printable(word), row, row));
    }
    board_.takasia = word[1] - '1';
  }

  std::string_view text_;
  BaoBoard board_;
};

}  // namespace

std::string bao_player_text(int player) { return player == 0 ? "South" : "North"; }

std::string bao_pit_text(int player, int pit) {
  const bool front = pit < Bao::kRow;
  const char row = static_cast<char>((player == 0 ? 'A' : 'a') + (front ? 0 : 1));
  return fmt::format("{}{}", row, front ? pit + 1 : Bao::kPits - pit);
}

std::string bao_position_text(const Bao& position) {
  std::string text;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 8; ++column) {
      const int stones = row == 0   ? position.back(1, 7 - column)
                         : row == 1 ? position.front(1, 7 - column)
                         : row == 2 ? position.front(0, column)
                                    : position.back(0, column);
      text += fmt::format("{}{}", stones, column < 7 ? " " : row < 3 ? "/" : " ");
    }
  }
  const int player = position.to_move();
  return text +
         fmt::format("st {},{} h {}{} {} tk {}", position.store(0), position.store(1),
                     position.owns_house(0) ? 'S' : '-', position.owns_house(1) ? 'N' : '-',
                     bao_player_text(player),
                     position.takasia() < 0 ? "-" : bao_pit_text(player, position.takasia()));
}

Bao parse_bao_position(std::string_view text, const BaoRules& rules) {
  if (const auto words = words_of(text); words.size() == 1 && words[0] == "opening") {
    return Bao(rules);
  }
  return Bao(PositionReader(text).read(), rules);
}

std::string bao_board_fault(const BaoBoard& board) {
  // Rules are checked from the whole to the parts: all stones, stores, houses, takasia.
  int stones = board.stores[0] + board.stores[1];
  for (const auto& ring : board.pits) {
    for (const int pit : ring) stones += pit;
  }
  if (stones != Bao::kStones) {
    return fmt::format("has {} stones with the stores; {} are allowed", stones, Bao::kStones);
  }
  // In namua both stores fall in turn, South first, so their difference tells who is on turn.
  const bool mtaji = board.stores[0] + board.stores[1] == 0;
  if (!mtaji && board.stores[0] + board.to_move != board.stores[1]) {
    return fmt::format(
        "stores {},{} with {} on turn; equal ones with South on turn, or one more of "
        "North's with North on turn, are allowed",
        board.stores[0], board.stores[1], bao_player_text(board.to_move));
  }
  for (std::size_t p = 0; p < 2; ++p) {
    if (board.houses[p] && board.pits[p][Bao::kHouse] == 0) {
      const int player = static_cast<int>(p);
      return fmt::format("{} owns the house {} without a stone; an owned house holds stones",
                         bao_player_text(player), bao_pit_text(player, Bao::kHouse));
    }
  }
  if (board.takasia >= 0) {
    const auto p = static_cast<std::size_t>(board.to_move);
    const auto pit = static_cast<std::size_t>(board.takasia);
    if (!mtaji) return "tk in the namua stage, where - alone is allowed";
    if (board.pits[p][pit] == 0) {
      return fmt::format("tk {} holds no stone; a pit with stones, or - are allowed",
                         bao_pit_text(board.to_move, board.takasia));
    }
  }
  return "";
}

std::string bao_board_text(const Bao& position, const Bao* before) {
  const auto cell = [&](int player, int pit) {
    const bool house = pit == Bao::kHouse && position.owns_house(player);
    const int stones = position.pit(player, pit);
    const int change = before == nullptr ? 0 : stones - before->pit(player, pit);
    if (house && change == 0) return fmt::format(" [{:>2}]", stones);
    const char mark = change == 0 ? ' ' : change > 0 ? '+' : '-';
    return house ? fmt::format("[{:>2}{}]", stones, mark) : fmt::format("  {:>2}{}", stones, mark);
  };
  std::string text = "     8    7    6    5    4    3    2    1\n";
  const auto add_row = [&](int player, char name, bool front) {
    text += name;
    for (int column = 0; column < 8; ++column) {
      const int i = player == 0 ? column : 7 - column;
      text += cell(player, front ? i : Bao::kPits - 1 - i);
    }
    text += name == 'b' || name == 'B' ? fmt::format("  store {}\n", position.store(player)) : "\n";
  };
  add_row(1, 'b', false);
  add_row(1, 'a', true);
  add_row(0, 'A', true);
  add_row(0, 'B', false);
  return text + "     1    2    3    4    5    6    7    8\n";
}

}  // namespace ntune
