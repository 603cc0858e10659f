#include "apps/arcade/replay_page.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "ntune/version.h"

namespace ntune::arcade {

namespace {

std::string replaced(std::string text, std::string_view name, const std::string& value) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + value.size())) {
    text.replace(at, name.size(), value);
  }
  return text;
}

}  // namespace

std::string html_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

int tenths(double value) { return static_cast<int>(std::lround(10.0 * value)); }

std::string page_text(const ReplayPage& page) {
  const std::string heading = html_text(fmt::format("{}: {}", page.title, page.players));
  std::string body = replaced(std::string(kPageBody), "@VIEW_BOX@", page.view_box);
  body = replaced(body, "@TITLE@", html_text(page.title));
  body = replaced(body, "@LEGEND@", page.legend);
  const char* plan_key = page.data.contains("ahead") ? ", <kbd>P</kbd> plans" : "";
  body = replaced(body, "@PLAN_KEY@", plan_key);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"arcade of ntune {}\">\n<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n<p "
      "class=\"end\">{}</p>{}"
      "</main>\n<script>\"use strict\";{}const data = {};\n{}{}</script>\n</body>\n</html>\n",
      kVersion, heading, kPageStyle, page.style, html_text(page.title), html_text(page.players),
      html_text(page.end), body, kPlayerScript, page.data.dump(), page.script, kControlsScript);
}

}  // namespace ntune::arcade
