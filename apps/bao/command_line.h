#pragma once

#include <string>
#include <vector>

#include "apps/common/terminal.h"

namespace ntune::bao {

/// Runs `bao ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const cli::Terminal& terminal);

}  // namespace ntune::bao
