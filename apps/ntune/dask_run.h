#pragma once

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"

namespace ntune::cli {

/// `ntune run --executor dask`: the Python package evaluates on the cluster and keeps the study in
/// its folder, and this command, begun anew, shows it. Returns only by InputError.
[[noreturn]] void run_with_dask(const RunArguments& arguments);

}  // namespace ntune::cli
