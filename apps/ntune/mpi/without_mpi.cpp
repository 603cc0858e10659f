#include "apps/ntune/study_run.h"
#include "ntune/core/error.h"

namespace ntune::cli {

const char* mpi_text() { return "without MPI"; }

int run_with_mpi(const RunArguments&, const Terminal&) {
  throw InputError("--executor mpi: this ntune was built without MPI (CMake option NTUNE_MPI)");
}

}  // namespace ntune::cli
