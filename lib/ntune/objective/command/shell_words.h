#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/parameter.h"

namespace ntune {

/// The words that a POSIX shell makes of a text without variables and patterns: blanks separate
/// words, quotes and backslashes go. A quote that stays open ends with the text.
std::vector<std::string> shell_words(std::string_view text);

/// A value with numbers in plain decimals, 0.00000001 in place of 1e-08.
std::string plain_text(const Value& value);

}  // namespace ntune
