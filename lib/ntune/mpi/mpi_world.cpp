#include "ntune/mpi/mpi_world.h"

#include <mpi.h>

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/rng.h"

namespace ntune {

MpiWorld::MpiWorld() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED) {
    throw InputError("--executor mpi: the MPI library was built without support for threads");
  }
}

MpiWorld::~MpiWorld() { MPI_Finalize(); }

void MpiWorld::check_same(const std::string& text, const std::string& what) const {
  const std::uint64_t hash = Purpose(std::string_view(text)).hash;
  std::uint64_t leading = hash;
  MPI_Bcast(&leading, sizeof leading, MPI_BYTE, 0, MPI_COMM_WORLD);
  int different = hash == leading ? 0 : 1;
  int first = different != 0 ? rank_ : size_;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size_) return;
  throw InputError(
      fmt::format("--executor mpi: {} differs between rank 0 and rank {}", what, first));
}

void MpiWorld::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace ntune
