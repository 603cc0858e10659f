#pragma once

#include <cassert>
#include <vector>

#include "ntune/optim/dense/kernels.h"

/// Products and triangles of dense matrices, by loops for the processor that is there. The results
/// have the same bytes on any of them: each entry is one sum in one order.
namespace ntune::dense {

/// Which entries of a square result are wanted; others are left undefined.
enum class Entries { kAll, kLower };

/// C -= A B', by ascending columns of A and B.
inline void subtract_product(const Block& c, const ConstBlock& a, const ConstBlock& b,
                             Entries entries = Entries::kAll) {
  assert(c.rows == a.rows && c.columns == b.rows && a.columns == b.columns);
  kernels().subtract_product(c, a, b, 1.0, entries == Entries::kLower, work());
}
/// C += A B', by ascending columns of A and B.
inline void add_product(const Block& c, const ConstBlock& a, const ConstBlock& b,
                        Entries entries = Entries::kAll) {
  assert(c.rows == a.rows && c.columns == b.rows && a.columns == b.columns);
  kernels().subtract_product(c, a, b, -1.0, entries == Entries::kLower, work());
}

/// Puts the Cholesky factor of a positive definite matrix in its place (Golub and Van Loan 2013,
/// section 4.2). Only the lower triangle is read. The factor of another matrix has entries that are
/// not a number.
inline void factor(const Block& a) {
  assert(a.rows == a.columns);
  kernels().factor(a, work());
}
/// The lower triangle of (L L')^-1.
inline void invert(const ConstBlock& l, const Block& inverse) {
  assert(l.rows == l.columns && inverse.rows == l.rows && inverse.columns == l.rows);
  std::vector<double> space(static_cast<std::size_t>(l.rows * l.rows));
  kernels().invert(l, inverse, {space.data(), l.rows, l.rows, l.rows}, work());
}
/// X L'^-1 in the place of X, for a lower triangle L.
inline void solve_right(const Block& x, const ConstBlock& l) {
  assert(x.columns == l.rows && l.rows == l.columns);
  kernels().solve_right(x, l, work());
}
/// L^-1 x and L'^-1 x in the place of a column x.
inline void solve(const ConstBlock& l, const Block& x) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().solve(l, x.data);
}
inline void solve_transposed(const ConstBlock& l, const Block& x) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().solve_transposed(l, x.data);
}
/// The factor of L L' + sign * x x', which must be positive definite, in the place of L. Destroys
/// the column x (Golub and Van Loan 2013, section 6.5.4).
inline void update_factor(const Block& l, const Block& x, double sign) {
  assert(l.rows == l.columns && x.rows == l.rows && x.columns == 1);
  kernels().update_factor(l, x.data, sign);
}

/// y = A' x.
inline void multiply_transposed(const ConstBlock& a, const ConstBlock& x, const Block& y) {
  assert(x.rows == a.rows && y.rows == a.columns);
  kernels().multiply_transposed(a, x.data, y.data);
}
/// The lower triangle of A + factor * x x' in the place of A.
inline void add_square(const Block& a, const ConstBlock& x, double factor) {
  assert(a.rows == a.columns && x.rows == a.rows);
  kernels().add_square(a, x.data, factor);
}

}  // namespace ntune::dense
