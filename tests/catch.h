#pragma once

// Catch2, version 2 or 3. Tests use the names of version 3.

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>

namespace Catch::Matchers {

// NOLINTNEXTLINE(readability-identifier-naming)
inline auto ContainsSubstring(const std::string& text,
                              CaseSensitive::Choice sensitive = CaseSensitive::Yes) {
  return Contains(text, sensitive);
}

}  // namespace Catch::Matchers

#endif
