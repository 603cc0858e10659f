#include "ntune/core/wrapped_text.h"

#include <algorithm>

namespace ntune {

std::size_t text_columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string wrapped(std::string_view line, std::size_t indent, std::size_t columns) {
  if (text_columns(line) <= columns) return std::string(line);
  std::string text;
  std::size_t used = 0;
  std::size_t at = 0;
  bool begins = true;  // nothing but blanks stands on this line
  while (at < line.size()) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::size_t wide = text_columns(line.substr(word, end - word));
    if (!begins && used + (word - at) + wide > columns && word < end) {
      text += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (word < end) {
      text.append(word - at, ' ');
      used += word - at;
    }
    text += line.substr(word, end - word);
    used += wide;
    begins = begins && word == end;
    at = end;
  }
  return text;
}

}  // namespace ntune
