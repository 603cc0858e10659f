#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ntune {

/// How many columns a text takes on a terminal: characters, not bytes.
std::size_t text_columns(std::string_view text);

/// One line of text as several of at most `columns`, broken at blanks; those that follow are moved
/// in by `indent`. A word that is longer stays whole.
std::string wrapped(std::string_view line, std::size_t indent, std::size_t columns = 80);

}  // namespace ntune
