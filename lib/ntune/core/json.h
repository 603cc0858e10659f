#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "ntune/core/json_fwd.h"

namespace ntune {

/// So many lists and objects may stand within each other in a text from outside: what walks through
/// a value calls itself for every level.
inline constexpr int kDeepestJson = 64;

/// The value of a text from outside: a program's output, a request, a journal, a file. It is
/// discarded (Json::is_discarded) if the text is not valid JSON or nests deeper than kDeepestJson.
Json parse_json(std::string_view text);

/// Why parse_json discards this text: "is not valid JSON", or that it nests too deeply.
std::string json_problem(std::string_view text);

/// JSON on one line. Bytes that are not UTF-8 are replaced, as it may quote a program.
std::string json_line(const Json& json);

}  // namespace ntune
