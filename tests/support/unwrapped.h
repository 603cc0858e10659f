#pragma once

#include <string>

namespace ntune::test {

/// The text of a result with the facts that were wrapped on one line each: a line that is moved in
/// by twelve blanks or more belongs to the one before.
inline std::string unwrapped(const std::string& text) {
  const std::string blanks(12, ' ');
  std::string whole;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n' || text.compare(at + 1, blanks.size(), blanks) != 0) {
      whole += text[at];
      continue;
    }
    whole += ' ';
    at = text.find_first_not_of(' ', at + 1) - 1;
  }
  return whole;
}

}  // namespace ntune::test
