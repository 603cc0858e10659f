#pragma once

#include "apps/common/terminal.h"
#include "apps/ntune/commands.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/model/study.h"

namespace ntune::cli {

class LiveRecommendations;

/// The study of the file, with what the command line says instead. Throws InputError.
Study load_study(const RunArguments& arguments);

/// Runs a study on the backend, prints and writes the result, and returns the exit code. `live`
/// adds what it has seen to the line of progress.
int execute_study(Study& study, Backend& backend, const RunArguments& arguments,
                  const Terminal& terminal, LiveRecommendations* live = nullptr);

/// `ntune run --executor dask`: the Python package evaluates on the cluster and keeps the study in
/// its folder, and this command, begun anew, shows it. Returns only by InputError.
[[noreturn]] void run_with_dask(const RunArguments& arguments);

// CMake takes with_mpi.cpp or without_mpi.cpp, by its option NTUNE_MPI.

/// "with MPI" or "without MPI", for the version.
const char* mpi_text();

/// `ntune run --executor mpi` on one rank of the job. Without MPI: throws InputError.
int run_with_mpi(const RunArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
