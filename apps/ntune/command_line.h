#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/common/command_help.h"
#include "apps/common/terminal.h"

namespace ntune::cli {

/// Runs `ntune ARGUMENTS…` and returns its exit code. Wrong input is one line on `err`.
int run(const std::vector<std::string>& arguments, const Terminal& terminal);

/// The commands of ntune by what they are for, each with a call of its own.
std::span<const CommandHelp> command_help();

}  // namespace ntune::cli
