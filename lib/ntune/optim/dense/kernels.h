#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace ntune::dense {

using Index = std::ptrdiff_t;

/// A matrix or a column of Eigen, or a block of one, that lies in memory column by column.
template <class M>
concept ColumnMajor = requires(M matrix) {
  matrix.data();
  matrix.outerStride();
  requires !std::remove_cvref_t<M>::IsRowMajor;
};

/// A matrix that lies elsewhere: entry (i, j) is data[i + j * stride].
struct ConstBlock {
  const double* data;
  Index rows;
  Index columns;
  Index stride;

  ConstBlock(const double* first, Index height, Index width, Index column_stride)
      : data(first), rows(height), columns(width), stride(column_stride) {}
  ConstBlock(const ColumnMajor auto& matrix)
      : ConstBlock(matrix.data(), matrix.rows(), matrix.cols(), matrix.outerStride()) {}
};
/// A matrix that lies elsewhere and is written to: entry (i, j) is data[i + j * stride].
struct Block {
  double* data;
  Index rows;
  Index columns;
  Index stride;

  Block(double* first, Index height, Index width, Index column_stride)
      : data(first), rows(height), columns(width), stride(column_stride) {}
  Block(ColumnMajor auto&& matrix)
      : Block(matrix.data(), matrix.rows(), matrix.cols(), matrix.outerStride()) {}

  operator ConstBlock() const { return {data, rows, columns, stride}; }
};

/// Correlations of `count` points with another one, for PointKernel: along axis a they are
/// single[slots[a] * kPointBlock + i], and their factors in the d-tuple stand in `whole` alike.
inline constexpr Index kPointBlock = 128;
struct PointCorrelations {
  const double* single;
  const double* whole;
  const double* slope;  ///< d log correlation / d log length; for slopes alone
  const int* slots;
  Index axes;
  Index begin;  ///< the first point that counts, a multiple of 8
  Index count;
};
/// Variances of one 1-tuple, of one pair and of the d-tuple.
struct TupleVariances {
  double single;
  double pair;
  double whole;
};

/// The loops of dense.h, compiled for one instruction set. Each entry of a result is the same sum
/// in the same order for all of them.
struct Kernels {
  std::string_view name;
  void (*subtract_product)(const Block& c, const ConstBlock& a, const ConstBlock& b, double sign,
                           bool lower, double* work);
  void (*factor)(const Block& a, double* work);
  void (*solve_right)(const Block& x, const ConstBlock& l, double* work);
  void (*invert)(const ConstBlock& l, const Block& inverse, const Block& space, double* work);
  void (*solve)(const ConstBlock& l, double* x);
  void (*solve_transposed)(const ConstBlock& l, double* x);
  void (*update_factor)(const Block& l, double* x, double sign);
  void (*multiply_transposed)(const ConstBlock& a, const double* x, double* y);
  void (*add_square)(const Block& a, const double* x, double factor);
  void (*covariances)(const PointCorrelations& points, const TupleVariances& variances,
                      double* result);
  void (*add_slopes)(const PointCorrelations& points, const TupleVariances& variances,
                     const double* weights, double* lanes);
};

/// Doubles that `work` must hold.
inline constexpr Index kWork = 160'000;
/// Partial sums of a scalar product: entry i belongs to sum i mod kPartialSums.
inline constexpr Index kPartialSums = 8;

/// All that this processor can execute, the fastest first. The last one is for any processor.
std::span<const Kernels* const> all_kernels();
/// The fastest.
const Kernels& kernels();
/// The space that this thread has for the blocks of a product.
double* work();

}  // namespace ntune::dense
