#pragma once

#include <iosfwd>

namespace ntune::cli {

// Escape sequences of terminals.
inline constexpr const char* kBoldGreen = "\x1b[1;32m";
inline constexpr const char* kYellow = "\x1b[33m";
inline constexpr const char* kRed = "\x1b[31m";
inline constexpr const char* kPlain = "\x1b[0m";

/// True if this is standard output or error output on a terminal, and nobody has set NO_COLOR.
bool shows_colour(const std::ostream& stream);

}  // namespace ntune::cli
