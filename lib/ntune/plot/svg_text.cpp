#include "ntune/plot/svg_text.h"

#include <limits>

#include "ntune/core/text.h"

namespace ntune {

namespace {

/// The width of a character as a part of the font's size, as in DejaVu Sans, which is wide.
double character_width(char c) {
  constexpr std::string_view kNarrow = "ijlI.,:;'|!()[]{} \"";
  constexpr std::string_view kHalf = "ftr-/\\";
  constexpr std::string_view kBroad = "<>=+~^#";
  constexpr std::string_view kWide = "mwMW@%";
  if (kNarrow.find(c) != std::string_view::npos) return 0.37;
  if (kHalf.find(c) != std::string_view::npos) return 0.42;
  if (kBroad.find(c) != std::string_view::npos) return 0.84;
  if (kWide.find(c) != std::string_view::npos) return 0.96;
  return c >= 'A' && c <= 'Z' ? 0.7 : 0.63;
}

}  // namespace

std::string xml_text(std::string_view text) {
  const std::string safe = printable(text, std::numeric_limits<std::size_t>::max());
  std::string escaped;
  escaped.reserve(safe.size());
  for (const char c : safe) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

double text_width(std::string_view text, double font_size) {
  double width = 0.0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = utf8_length(text, i);
    // Characters of two bytes are mostly Latin and Greek, those of three and four are wider.
    width += bytes <= 1 ? character_width(text[i]) : bytes == 2 ? 0.65 : 1.1;
    i += bytes == 0 ? 1 : bytes;
  }
  return width * font_size;
}

std::string shortened(std::string_view text, std::size_t characters) {
  // A character has 4 bytes at most, and an escaped one is cut again below.
  const std::string line = printable(text, 4 * characters + 8);
  std::size_t at = 0;
  for (std::size_t count = 0; at < line.size(); ++count) {
    // The last character that has room becomes "…" if more would follow.
    if (count + 1 == characters && at + utf8_length(line, at) < line.size()) {
      return line.substr(0, at) + "…";
    }
    const std::size_t bytes = utf8_length(line, at);
    at += bytes == 0 ? 1 : bytes;
  }
  return line;
}

}  // namespace ntune
