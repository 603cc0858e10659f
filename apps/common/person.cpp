#include "apps/common/person.h"

#include <istream>

namespace ntune::cli {

std::optional<std::string> ask_person(const Terminal& terminal) {
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

}  // namespace ntune::cli
