#pragma once

#include <string>
#include <vector>

#include "apps/common/terminal.h"

namespace ntune::cli {

/// Runs `ntune ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

}  // namespace ntune::cli
