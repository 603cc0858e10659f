#pragma once

#include <span>

#include "apps/common/command_help.h"

namespace ntune::cli {

/// The commands of ntune by what they are for, each with a call of its own.
std::span<const CommandHelp> command_help();

}  // namespace ntune::cli
