#include "ntune/core/json.h"

#include <fmt/format.h>

namespace ntune {

namespace {

/// Counts brackets outside of strings. Exact for every text that the parser reads to its end.
bool nests_too_deeply(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A backslash hides the next character, be it a quote or another backslash.
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestJson) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

Json parse_json(std::string_view text) {
  // The depth is checked before parsing, since the parser and all later walks call themselves for
  // each level.
  if (nests_too_deeply(text)) return Json::value_t::discarded;
  return Json::parse(text, nullptr, false);
}

std::string json_problem(std::string_view text) {
  if (!nests_too_deeply(text)) return "is not valid JSON";
  return fmt::format("is JSON that nests deeper than {} levels", kDeepestJson);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ntune
