#pragma once

#include "ntune/optim/dense/kernels.h"

/// Products and triangles of dense matrices, by loops for the processor that is there. The results
/// have the same bytes on any of them: each entry is one sum in one order.
namespace ntune::dense {

/// Which entries of a square result are wanted; others are left undefined.
enum class Entries { kAll, kLower };

/// C -= A B', by ascending columns of A and B.
void subtract_product(const Block& c, const ConstBlock& a, const ConstBlock& b,
                      Entries entries = Entries::kAll);
/// C += A B', by ascending columns of A and B.
void add_product(const Block& c, const ConstBlock& a, const ConstBlock& b,
                 Entries entries = Entries::kAll);

/// Puts the Cholesky factor of a positive definite matrix in its place (Golub and Van Loan 2013,
/// section 4.2). Only the lower triangle is read. The factor of another matrix has entries that are
/// not a number.
void factor(const Block& a);
/// The lower triangle of (L L')^-1.
void invert(const ConstBlock& l, const Block& inverse);
/// X L'^-1 in the place of X, for a lower triangle L.
void solve_right(const Block& x, const ConstBlock& l);
/// L^-1 x and L'^-1 x in the place of a column x.
void solve(const ConstBlock& l, const Block& x);
void solve_transposed(const ConstBlock& l, const Block& x);
/// The factor of L L' + sign * x x', which must be positive definite, in the place of L. Destroys
/// the column x (Golub and Van Loan 2013, section 6.5.4).
void update_factor(const Block& l, const Block& x, double sign);

/// y = A x, y = A' x, and y = A x for a symmetric A of which the lower triangle is read.
void multiply(const ConstBlock& a, const ConstBlock& x, const Block& y);
void multiply_transposed(const ConstBlock& a, const ConstBlock& x, const Block& y);
void multiply_symmetric(const ConstBlock& a, const ConstBlock& x, const Block& y);
/// The lower triangle of A + factor * x x' in the place of A.
void add_square(const Block& a, const ConstBlock& x, double factor);

}  // namespace ntune::dense
