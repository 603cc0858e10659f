#pragma once

#include <string_view>

namespace ntune {

/// True if the pattern, in which * stands for any characters, fits the whole name.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace ntune
