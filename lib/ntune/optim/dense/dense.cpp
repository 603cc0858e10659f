#include "ntune/optim/dense/dense.h"

#include <vector>

namespace ntune::dense {

extern const Kernels kAnyKernels;
#ifdef NTUNE_X86_KERNELS
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

namespace {

/// Returns the kernels that this processor can execute, the fastest first.
std::vector<const Kernels*> find_kernels() {
  std::vector<const Kernels*> found;
#ifdef NTUNE_X86_KERNELS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    found.push_back(&kAvx512Kernels);
  }
  if (__builtin_cpu_supports("avx2")) found.push_back(&kAvx2Kernels);
#endif
  found.push_back(&kAnyKernels);
  return found;
}

}  // namespace

std::span<const Kernels* const> all_kernels() {
  static const std::vector<const Kernels*> all = find_kernels();
  return all;
}

const Kernels& kernels() {
  static const Kernels& best = *all_kernels().front();
  return best;
}

double* work() {
  thread_local std::vector<double> space(static_cast<std::size_t>(kWork));
  return space.data();
}

}  // namespace ntune::dense
