#pragma once

#include "apps/common/arguments.h"
#include "apps/common/terminal.h"
#include "ntune/core/parallel.h"
#include "ntune/games/amazons/database/database.h"

namespace ntune::amazons {

using cli::Format;
using cli::OutputArguments;
using cli::Terminal;

/// The database in the file, or built.
AmazonsDatabase database_of(const std::string& file, Parallel& parallel);

}  // namespace ntune::amazons
