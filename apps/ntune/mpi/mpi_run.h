#pragma once

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"

namespace ntune::cli {

// CMake takes with_mpi.cpp or without_mpi.cpp, by its option NTUNE_MPI.

/// "with MPI" or "without MPI", for the version.
const char* mpi_text();

/// `ntune run --executor mpi` on one rank of the job. Without MPI: throws InputError.
int run_with_mpi(const RunArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
