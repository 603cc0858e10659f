// Every set of loops gives the bytes of plain loops, whose order of operations is the definition.

#include "ntune/optim/dense/dense.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {

using dense::Block;
using dense::ConstBlock;
using dense::Index;
using dense::Kernels;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<double> working_space() { return std::vector<double>(std::size_t{dense::kWork}); }

MatrixXd random_matrix(Index rows, Index columns, Rng& rng) {
  MatrixXd matrix(rows, columns);
  for (Index j = 0; j < columns; ++j) {
    for (Index i = 0; i < rows; ++i) matrix(i, j) = rng.uniform() - 0.5;
  }
  return matrix;
}

/// Symmetric positive definite.
MatrixXd random_covariance(Index rows, Rng& rng) {
  const MatrixXd matrix = random_matrix(rows, rows, rng);
  MatrixXd result = 0.5 * (matrix + matrix.transpose());
  result.diagonal().array() += 0.5 * static_cast<double>(rows);
  return result;
}

MatrixXd lower(const MatrixXd& matrix) { return matrix.triangularView<Eigen::Lower>(); }

bool same_bytes(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  if (a.size() == 0) return true;  // it may have no data
  return std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

/// A scalar product from `first` on, by partial sums.
double plain_dot(const double* a, const double* b, Index size) {
  std::array<double, dense::kPartialSums> s{};
  for (Index i = 0; i < size; ++i) s[static_cast<std::size_t>(i) % s.size()] += a[i] * b[i];
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

MatrixXd plain_product(MatrixXd c, const MatrixXd& a, const MatrixXd& b, double sign) {
  for (Index i = 0; i < c.rows(); ++i) {
    for (Index j = 0; j < c.cols(); ++j) {
      for (Index k = 0; k < a.cols(); ++k) c(i, j) -= a(i, k) * (sign * b(j, k));
    }
  }
  return c;
}

MatrixXd plain_factor(MatrixXd a) {
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = j; i < a.rows(); ++i) {
      for (Index k = 0; k < j; ++k) a(i, j) -= a(i, k) * a(j, k);
      a(i, j) = i == j ? std::sqrt(a(i, j)) : a(i, j) / a(j, j);
    }
  }
  return lower(a);
}

MatrixXd plain_solve_right(MatrixXd x, const MatrixXd& l) {
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index k = 0; k < j; ++k) x(i, j) -= x(i, k) * l(j, k);
      x(i, j) /= l(j, j);
    }
  }
  return x;
}

MatrixXd plain_inverse(const MatrixXd& l) {
  const Index n = l.rows();
  const MatrixXd turned = plain_solve_right(MatrixXd::Identity(n, n), l);
  MatrixXd inverse = MatrixXd::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      for (Index k = i; k < n; ++k) inverse(i, j) += turned(i, k) * turned(j, k);
    }
  }
  return inverse;
}

/// Eight columns at a time.
VectorXd plain_solve_transposed(const MatrixXd& l, VectorXd x) {
  constexpr Index kFew = 8;
  for (Index end = x.size(); end > 0;) {
    const Index first = (end - 1) / kFew * kFew;
    for (Index k = first; k < end; ++k) {
      x[k] -= plain_dot(l.col(k).data() + end, x.data() + end, x.size() - end);
    }
    for (Index k = end; k-- > first;) {
      for (Index i = end; i-- > k + 1;) x[k] -= l(i, k) * x[i];
      x[k] /= l(k, k);
    }
    end = first;
  }
  return x;
}

/// A block within a larger matrix, so that a stride is more than a height.
struct Placed {
  explicit Placed(const MatrixXd& matrix)
      : whole(MatrixXd::Constant(matrix.rows() + 3, matrix.cols() + 1, 7.0)) {
    whole.block(1, 1, matrix.rows(), matrix.cols()) = matrix;
  }
  [[nodiscard]] auto block() { return whole.block(1, 1, whole.rows() - 3, whole.cols() - 1); }
  /// Nothing around the block has changed.
  [[nodiscard]] bool is_framed() const {
    const auto height = whole.rows();
    return (whole.col(0).array() == 7.0).all() && (whole.row(0).array() == 7.0).all() &&
           (whole.row(height - 1).array() == 7.0).all() &&
           (whole.row(height - 2).array() == 7.0).all();
  }
  MatrixXd whole;
};

}  // namespace

TEST_CASE("products have the bytes of plain loops, on every instruction set") {
  Rng rng(1);
  std::vector<double> work = working_space();
  constexpr std::array<std::array<Index, 3>, 9> kSizes = {{{1, 1, 1},
                                                           {0, 5, 3},
                                                           {3, 2, 0},
                                                           {8, 8, 8},
                                                           {9, 7, 13},
                                                           {60, 64, 70},
                                                           {97, 31, 260},
                                                           {200, 100, 5},
                                                           {13, 500, 6}}};
  for (const auto& [rows, columns, depth] : kSizes) {
    const MatrixXd a = random_matrix(rows, depth, rng);
    const MatrixXd b = random_matrix(columns, depth, rng);
    const MatrixXd c = random_matrix(rows, columns, rng);
    for (const double sign : {1.0, -1.0}) {
      const MatrixXd expected = plain_product(c, a, b, sign);
      for (const Kernels* kernels : dense::all_kernels()) {
        INFO(std::string(kernels->name) << ", " << rows << " x " << columns << " x " << depth);
        Placed placed(c);
        kernels->subtract_product(placed.block(), a, b, sign, false, work.data());
        CHECK(same_bytes(placed.block(), expected));
        CHECK(placed.is_framed());
        Placed half(c);
        kernels->subtract_product(half.block(), a, b, sign, true, work.data());
        CHECK(same_bytes(lower(half.block()), lower(expected)));
        CHECK(half.is_framed());
      }
    }
  }
}

TEST_CASE("triangles have the bytes of plain loops, on every instruction set") {
  Rng rng(2);
  std::vector<double> work = working_space();
  for (const Index n : {1, 2, 7, 8, 9, 31, 64, 95, 96, 97, 200, 300}) {
    const MatrixXd covariance = random_covariance(n, rng);
    const MatrixXd l = plain_factor(covariance);
    const MatrixXd inverse = plain_inverse(l);
    const MatrixXd x = random_matrix(13, n, rng);
    const VectorXd column = random_matrix(n, 1, rng);
    for (const Kernels* kernels : dense::all_kernels()) {
      INFO(std::string(kernels->name) << ", " << n);
      Placed placed(covariance);
      kernels->factor(placed.block(), work.data());
      CHECK(same_bytes(lower(placed.block()), l));
      CHECK(placed.is_framed());

      MatrixXd found(n, n);
      MatrixXd space(n, n);
      kernels->invert(placed.block(), found, space, work.data());
      CHECK(same_bytes(lower(found), inverse));

      Placed solved(x);
      kernels->solve_right(solved.block(), placed.block(), work.data());
      CHECK(same_bytes(solved.block(), plain_solve_right(x, l)));
      CHECK(solved.is_framed());

      VectorXd forward = column;
      kernels->solve(placed.block(), forward.data());
      CHECK(same_bytes(forward, plain_solve_right(column.transpose(), l).transpose()));
      VectorXd backward = column;
      kernels->solve_transposed(placed.block(), backward.data());
      CHECK(same_bytes(backward, plain_solve_transposed(l, column)));
    }
    // And they are what they are called.
    CHECK((l * l.transpose() - covariance).cwiseAbs().maxCoeff() < 1e-11);
    const MatrixXd whole = inverse.selfadjointView<Eigen::Lower>();
    CHECK((whole * covariance - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < 1e-11);
    CHECK((l.transpose() * plain_solve_transposed(l, column) - column).cwiseAbs().maxCoeff() <
          1e-11);
  }
}

TEST_CASE("updates of a factor have the bytes of plain loops, on every instruction set") {
  Rng rng(3);
  for (const Index n : {1, 2, 9, 50, 131}) {
    const MatrixXd covariance = random_covariance(n, rng);
    const MatrixXd l = plain_factor(covariance);
    const VectorXd x = random_matrix(n, 1, rng);
    for (const double sign : {1.0, -1.0}) {
      MatrixXd expected = l;
      VectorXd rest = x;
      for (Index k = 0; k < n; ++k) {
        const double old = expected(k, k);
        const double fresh = std::sqrt(old * old + sign * rest[k] * rest[k]);
        const double cosine = fresh / old;
        const double sine = rest[k] / old;
        const double shrink = 1.0 / cosine;
        expected(k, k) = fresh;
        for (Index i = k + 1; i < n; ++i) {
          expected(i, k) = (expected(i, k) + sign * sine * rest[i]) * shrink;
          rest[i] = cosine * rest[i] - sine * expected(i, k);
        }
      }
      const MatrixXd target = covariance + sign * x * x.transpose();
      CHECK((expected * expected.transpose() - target).cwiseAbs().maxCoeff() < 1e-11);
      for (const Kernels* kernels : dense::all_kernels()) {
        INFO(std::string(kernels->name) << ", " << n << ", sign " << sign);
        Placed placed(l);
        VectorXd used = x;
        kernels->update_factor(placed.block(), used.data(), sign);
        CHECK(same_bytes(lower(placed.block()), expected));
        CHECK(placed.is_framed());
      }
    }
  }
}

TEST_CASE("products with a column have the bytes of plain loops, on every instruction set") {
  Rng rng(4);
  for (const auto& [rows, columns] :
       {std::pair<Index, Index>{1, 1}, {5, 9}, {8, 8}, {33, 17}, {100, 60}, {17, 129}}) {
    const MatrixXd a = random_matrix(rows, columns, rng);
    const VectorXd other = random_matrix(rows, 1, rng);
    const MatrixXd square = random_covariance(rows, rng);
    VectorXd transposed(columns);
    for (Index k = 0; k < columns; ++k) {
      transposed[k] = plain_dot(a.col(k).data(), other.data(), rows);
    }
    MatrixXd sum = square;
    for (Index k = 0; k < rows; ++k) {
      for (Index i = k; i < rows; ++i) sum(i, k) += 0.3 * other[k] * other[i];
    }
    for (const Kernels* kernels : dense::all_kernels()) {
      INFO(std::string(kernels->name) << ", " << rows << " x " << columns);
      VectorXd z(columns);
      kernels->multiply_transposed(a, other.data(), z.data());
      CHECK(same_bytes(z, transposed));
      MatrixXd changed = square;
      kernels->add_square(changed, other.data(), 0.3);
      CHECK(same_bytes(lower(changed), lower(sum)));
    }
  }
}

TEST_CASE("covariances of points have the bytes of plain loops, on every instruction set") {
  constexpr Index kSlots = 5;
  constexpr std::array<int, 3> kChosen = {4, 0, 2};
  Rng rng(5);
  const MatrixXd single = random_matrix(dense::kPointBlock, kSlots, rng);
  const MatrixXd whole = random_matrix(dense::kPointBlock, kSlots, rng);
  const MatrixXd slope = random_matrix(dense::kPointBlock, kSlots, rng);
  const VectorXd weights = random_matrix(dense::kPointBlock, 1, rng);
  const dense::TupleVariances variances{.single = 0.3, .pair = 0.2, .whole = 0.7};
  for (const Index count : {1, 8, 61, 128}) {
    const Index begin = count > 16 ? 16 : 0;
    VectorXd expected = VectorXd::Zero(dense::kPointBlock);
    MatrixXd slopes = MatrixXd::Zero(dense::kPartialSums, 6);
    for (Index i = begin; i < count; ++i) {
      double sum = 0.0;
      double squares = 0.0;
      double product = 1.0;
      for (const int slot : kChosen) {
        sum += single(i, slot);
        squares += single(i, slot) * single(i, slot);
        product *= whole(i, slot);
      }
      const double pairs = 0.5 * (sum * sum - squares);
      expected[i] = 0.3 * sum + 0.2 * pairs + 0.7 * product;
      for (Index a = 0; a < 3; ++a) {
        const int slot = kChosen[static_cast<std::size_t>(a)];
        const double rest = (0.3 + 0.2 * sum) - 0.2 * single(i, slot);
        slopes(i % dense::kPartialSums, a) +=
            weights[i] * slope(i, slot) * (single(i, slot) * rest + 0.7 * product);
      }
      slopes(i % dense::kPartialSums, 3) += 0.3 * (weights[i] * sum);
      slopes(i % dense::kPartialSums, 4) += 0.2 * (weights[i] * pairs);
      slopes(i % dense::kPartialSums, 5) += weights[i] * (0.7 * product);
    }
    const dense::PointCorrelations points{.single = single.data(),
                                          .whole = whole.data(),
                                          .slope = slope.data(),
                                          .slots = kChosen.data(),
                                          .axes = 3,
                                          .begin = begin,
                                          .count = count};
    for (const Kernels* kernels : dense::all_kernels()) {
      INFO(std::string(kernels->name) << ", " << count);
      VectorXd found = VectorXd::Zero(dense::kPointBlock);
      kernels->covariances(points, variances, found.data());
      CHECK(same_bytes(found, expected));
      MatrixXd lanes = MatrixXd::Zero(dense::kPartialSums, 6);
      kernels->add_slopes(points, variances, weights.data(), lanes.data());
      CHECK(same_bytes(lanes, slopes));
    }
  }
}

TEST_CASE("the last set of loops is for any processor") {
  CHECK(dense::all_kernels().back()->name == "any");
  CHECK(&dense::kernels() == dense::all_kernels().front());
}

}  // namespace ntune
