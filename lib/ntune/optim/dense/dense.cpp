#include "ntune/optim/dense/dense.h"

#include <cassert>
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

/// Returns the space that this thread has for the blocks of a product.
double* work() {
  thread_local std::vector<double> space(static_cast<std::size_t>(kWork));
  return space.data();
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

void subtract_product(const Block& c, const ConstBlock& a, const ConstBlock& b, Entries entries) {
  assert(c.rows == a.rows && c.columns == b.rows && a.columns == b.columns);
  kernels().subtract_product(c, a, b, 1.0, entries == Entries::kLower, work());
}

void add_product(const Block& c, const ConstBlock& a, const ConstBlock& b, Entries entries) {
  assert(c.rows == a.rows && c.columns == b.rows && a.columns == b.columns);
  kernels().subtract_product(c, a, b, -1.0, entries == Entries::kLower, work());
}

void factor(const Block& a) {
  assert(a.rows == a.columns);
  kernels().factor(a, work());
}

void invert(const ConstBlock& l, const Block& inverse) {
  assert(l.rows == l.columns && inverse.rows == l.rows && inverse.columns == l.rows);
  std::vector<double> space(static_cast<std::size_t>(l.rows * l.rows));
  kernels().invert(l, inverse, {space.data(), l.rows, l.rows, l.rows}, work());
}

void solve_right(const Block& x, const ConstBlock& l) {
  assert(x.columns == l.rows && l.rows == l.columns);
  kernels().solve_right(x, l, work());
}

void solve(const ConstBlock& l, const Block& x) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().solve(l, x.data);
}

void solve_transposed(const ConstBlock& l, const Block& x) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().solve_transposed(l, x.data);
}

void update_factor(const Block& l, const Block& x, double sign) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().update_factor(l, x.data, sign);
}

void multiply(const ConstBlock& a, const ConstBlock& x, const Block& y) {
  assert(x.rows == a.columns && y.rows == a.rows);
  kernels().multiply(a, x.data, y.data);
}

void multiply_transposed(const ConstBlock& a, const ConstBlock& x, const Block& y) {
  assert(x.rows == a.rows && y.rows == a.columns);
  kernels().multiply_transposed(a, x.data, y.data);
}

void multiply_symmetric(const ConstBlock& a, const ConstBlock& x, const Block& y) {
  assert(a.rows == a.columns && x.rows == a.rows && y.rows == a.rows);
  kernels().multiply_symmetric(a, x.data, y.data);
}

void add_square(const Block& a, const ConstBlock& x, double factor) {
  assert(a.rows == a.columns && x.rows == a.rows);
  kernels().add_square(a, x.data, factor);
}

}  // namespace ntune::dense
