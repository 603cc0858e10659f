#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/games/bao/notation.h"
#include "ntune/games/bao/sowing.h"

namespace ntune {
namespace {

/// The way of the hand on the board, or for an entry capture the kichwa it sows from.
char letter_of(BaoMove move) {
  const bool clockwise = move.has(BaoMove::kClockwise);
  if (move.has(BaoMove::kEntryCapture)) return clockwise ? 'L' : 'R';
  return clockwise == (move.pit < Bao::kRow) ? 'R' : 'L';
}

/// The marks of a move: > plays the house, * is a takasa, ** one that makes a takasia.
std::string marks_of(BaoMove move) {
  std::string marks = move.has(BaoMove::kPlaysHouse) ? ">" : "";
  if (move.has(BaoMove::kTakasia)) return marks + "**";
  return move.has(BaoMove::kTakasa) ? marks + "*" : marks;
}

/// What a text says of a move.
struct WrittenMove {
  std::string pit;       ///< with its row
  char direction = ' ';  ///< ' ': none
  bool plays_house = false;
  std::string stars;

  [[nodiscard]] bool means(BaoMove move, int player) const {
    if (pit != bao_pit_text(player, move.pit)) return false;
    if (direction != ' ' && direction != letter_of(move)) return false;
    return plays_house == move.has(BaoMove::kPlaysHouse);
  }
  [[nodiscard]] bool has_marks_of(BaoMove move) const {
    return stars.empty() || stars == marks_of(move);
  }
};

/// Reads a move; nothing for a text that is no move.
std::optional<WrittenMove> read_move(const Bao& position, std::string_view text) {
  WrittenMove move;
  std::size_t i = 0;
  const auto next_is = [&](std::string_view set) {
    return i < text.size() && set.find(text[i]) != std::string_view::npos;
  };
  // In namua only the front row can be entered, so its letter may be left out.
  if (next_is("AaBb")) {
    move.pit = text[i++];
  } else if (position.is_namua()) {
    move.pit = position.to_move() == 0 ? 'A' : 'a';
  } else {
    return {};
  }
  if (!next_is("12345678")) return {};
  move.pit += text[i++];
  if (next_is("LR")) move.direction = text[i++];
  if (next_is(">")) {
    move.plays_house = true;
    ++i;
  }
  move.stars = text.substr(i);
  if (!move.stars.empty() && move.stars != "*" && move.stars != "**") return {};
  return move;
}

}  // namespace

std::string bao_move_text(BaoMove move, int player) {
  const bool forced = move.has(BaoMove::kEntryCapture) && BaoSowing::side_is_forced(move.pit);
  // In an entry capture at a forced side the letter says nothing new.
  std::string text = bao_pit_text(player, move.pit);
  if (!forced) text += letter_of(move);
  return text + marks_of(move);
}

std::string bao_moves_text(const BaoSuccessors& list, int player) {
  std::string text;
  for (const BaoSuccessor& successor : list) {
    text += (text.empty() ? "" : ", ") + bao_move_text(successor.move, player);
  }
  return text.empty() ? "none" : text;
}

BaoSuccessor parse_bao_move(const Bao& position, std::string_view text) {
  const int player = position.to_move();
  BaoSuccessors list;
  position.successors(list);
  const auto fail = [&](const std::string& problem) {
    return InputError(fmt::format("move '{}': {}; legal: {}", printable(text), problem,
                                  bao_moves_text(list, player)));
  };
  const std::optional<WrittenMove> written = read_move(position, text);
  if (!written) {
    throw fail(position.is_namua()
                   ? "a pit 1 to 8, then L or R, > and * or ** are allowed"
                   : "a row and pit such as A5, then L or R, > and * or ** are allowed");
  }
  // All legal moves that the text may mean are collected; marks are checked at the end, for a
  // better message.
  std::vector<BaoSuccessor> meant;
  for (const BaoSuccessor& successor : list) {
    if (written->means(successor.move, player)) meant.push_back(successor);
  }
  if (meant.empty()) {
    throw fail(list.empty() ? fmt::format("the game is over, {} has lost",
                                          bao_player_text(position.is_over() ? 1 - position.winner()
                                                                             : player))
                            : fmt::format("not legal for {}", bao_player_text(player)));
  }
  if (meant.size() > 1) throw fail("needs L or R");
  if (!written->has_marks_of(meant[0].move)) {
    throw fail(fmt::format("marked '{}', but it is {}", written->stars,
                           bao_move_text(meant[0].move, player)));
  }
  return meant[0];
}

}  // namespace ntune
