#pragma once

#include <cstddef>
#include <string>

namespace ntune::test {

/// How often a word stands in a text; its places may overlap.
inline std::size_t times_in(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace ntune::test
