#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "apps/common/terminal.h"

namespace ntune::cli {

/// What a person types after the prompt "> ", without blanks; none at "q" and at the end of input.
inline std::optional<std::string> ask_person(const Terminal& terminal) {
  terminal.out << "> " << std::flush;
  std::string line;
  if (terminal.in == nullptr || !std::getline(*terminal.in, line)) {
    terminal.out << '\n';
    return std::nullopt;
  }
  std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  if (line == "q") return std::nullopt;
  return line;
}

/// A game between a person and agents in the terminal, to its end or until the person leaves.
/// `Game` draws itself (`heading`, `text`) and knows whose turn it is (`persons_turn`, `is_over`,
/// `plies`). It makes the agent's move (`agents_move`) or the one that the person types (`play`),
/// and returns a text about it.
template <class Game>
int play_with_person(Game& game, const Terminal& terminal) {
  end_at_signals();
  terminal.out << game.heading() << game.text();
  while (!game.is_over()) {
    const std::size_t before = game.plies();
    if (!game.persons_turn()) terminal.out << game.agents_move();
    while (game.plies() == before) {
      const std::optional<std::string> line = ask_person(terminal);
      if (!line) return kDone;
      terminal.out << game.play(*line);
    }
    terminal.out << game.text() << std::flush;
  }
  return kDone;
}

}  // namespace ntune::cli
