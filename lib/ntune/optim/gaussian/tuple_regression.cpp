#include "ntune/optim/gaussian/tuple_regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/optim/dense/dense.h"

namespace ntune {

namespace {

/// Makes the upper triangle what the lower one is.
void mirror(Eigen::MatrixXd& matrix) {
  matrix.triangularView<Eigen::StrictlyUpper>() = matrix.transpose();
}

}  // namespace

TupleRegression::TupleRegression(const SearchSpace& space, const TupleRegressionOptions& options)
    : BayesianModel(space, KernelForm::kPairs), options_(options) {
  set_features();
  reserve(64);
  learn_rows();
  solve();  // the prior, for predictions before any payoff
}

/// Adds a row as one observation of Bayesian linear regression. The part of the point alone counts
/// as noise of the observation (`precision_of`).
void TupleRegression::append(const Point& point, const BayesianRow& row) {
  const Eigen::Index last = add_row(point, row);
  features_.write(codes_.row(last), rows_.col(last).data());
  const double precision = precision_of(noise_[last]);
  moments_ += precision * (row.mean - parameters_.trend) * rows_.col(last);
  condition(last, precision);
}

void TupleRegression::update(Eigen::Index row, const BayesianRow& known) {
  const double noise = noise_of(known.visits);
  const double before = precision_of(noise_[row]);
  const double after = precision_of(noise);
  // The row's old part in the moments is taken off as its new part is added.
  const double change =
      after * (known.mean - parameters_.trend) - before * (means_[row] - parameters_.trend);
  moments_ += change * rows_.col(row);
  means_[row] = known.mean;
  noise_[row] = noise;
  if (after != before) condition(row, after - before);
}

/// Updates the covariance S for a change c of a row's precision (Sherman and Morrison 1950). With x
/// the row, S becomes S - c S x x' S / (1 + c x' S x).
void TupleRegression::condition(Eigen::Index row, double change) {
  const auto features = rows_.col(row);
  Eigen::VectorXd gain(features_.size());
  dense::multiply_symmetric(covariance_, features, gain);
  const double factor = change / (1.0 + change * features.dot(gain));
  dense::add_square(covariance_, gain, -factor);
}

void TupleRegression::reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                            const Eigen::VectorXd& visits) {
  set_rows(parameters, means, visits);
  set_features();
  solve();
}

/// Chooses pairs by a model of 1-tuples alone, and then learns all rows with the chosen pairs.
void TupleRegression::set_features() {
  features_ = TupleFeatures(kernel_, options_.detail);
  features_.set_pairs({});
  learn_rows();
  features_.set_pairs(choose_pairs());
  learn_rows();
}

/// Makes the posterior covariance from the prior, a block of rows X with precisions P at a time. It
/// becomes S - S X' (P^-1 + X S X')^-1 X S (Woodbury 1950). Blocks make it products of matrices.
void TupleRegression::learn_rows() {
  constexpr Eigen::Index kAtOnce = 48;
  rows_.resize(features_.size(), means_.size());
  for (Eigen::Index i = 0; i < size_; ++i) {
    features_.write(codes_.row(i), rows_.col(i).data());
  }
  const Eigen::VectorXd precisions = this->precisions();
  covariance_ = features_.prior();
  for (Eigen::Index first = 0; first < size_; first += kAtOnce) {
    const Eigen::Index count = std::min(kAtOnce, size_ - first);
    const Eigen::MatrixXd block = rows_.middleCols(first, count).transpose();
    // Products read the whole matrix, but only its lower triangle was updated.
    mirror(covariance_);
    Eigen::MatrixXd gain = Eigen::MatrixXd::Zero(count, features_.size());
    dense::add_product(gain, block, covariance_);
    Eigen::MatrixXd between = precisions.segment(first, count).cwiseInverse().asDiagonal();
    dense::add_product(between, block, gain, dense::Entries::kLower);
    dense::factor(between);
    Eigen::MatrixXd scaled = gain.transpose();
    dense::solve_right(scaled, between);
    dense::subtract_product(covariance_, scaled, scaled, dense::Entries::kLower);
  }
  const Eigen::VectorXd told =
      precisions.array() * (means_.head(size_).array() - parameters_.trend);
  moments_.resize(features_.size());
  dense::multiply(known_rows(), told, moments_);
}

/// Finds the weights' posterior mean S * moments (Rasmussen and Williams 2006, equation 2.8), and
/// the mean of each row. To a row belongs also a share of what its payoffs differ from the tuples.
void TupleRegression::solve() {
  weights_.resize(features_.size());
  dense::multiply_symmetric(covariance_, moments_, weights_);
  mirror(covariance_);
  posterior_means_.resize(size_);
  dense::multiply_transposed(known_rows(), weights_, posterior_means_);
  posterior_means_.array() += parameters_.trend;
  for (Eigen::Index i = 0; i < size_; ++i) {
    posterior_means_[i] += residual_share(i) * (means_[i] - posterior_means_[i]);
  }
}

/// Log evidence that a pair adds to 1-tuples and d-tuple: half of u' (I + M)^-1 u - log |I + M|.
/// Here M = Psi' C^-1 Psi and u = Psi' C^-1 (means - trend). Psi has the pair's features scaled by
/// their prior sd, C is the covariance of the rows without the pair.
double TupleRegression::pair_evidence(const AxisPair& pair, const Eigen::VectorXd& precisions,
                                      const Eigen::MatrixXd& weighted,
                                      const Eigen::VectorXd& residual) const {
  const Eigen::Index count = features_.pair_size(pair.first, pair.second);
  Eigen::MatrixXd scaled(count, size_);
  for (Eigen::Index i = 0; i < size_; ++i) {
    features_.write_pair(pair, codes_.row(i), scaled.col(i).data());
  }
  const Eigen::VectorXd scales = (pair.variance * features_.pair_variances(pair)).cwiseSqrt();
  scaled.array().colwise() *= scales.array();
  // By Woodbury C^-1 = P - P Phi' S Phi P, with P the precisions, Phi the features of 1-tuples and
  // S their posterior covariance.
  Eigen::MatrixXd cross = Eigen::MatrixXd::Zero(count, features_.size());
  dense::add_product(cross, scaled, weighted);
  Eigen::MatrixXd explained = Eigen::MatrixXd::Zero(count, features_.size());
  dense::add_product(explained, cross, covariance_);
  Eigen::VectorXd moment(count);
  dense::multiply(scaled, residual, moment);
  // `matrix` is I + Psi' P Psi - Psi' P Phi' S Phi P Psi. Half of its log determinant is the sum of
  // logarithms of its factor's diagonal.
  scaled.array().rowwise() *= precisions.transpose().array().sqrt();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(count, count);
  dense::add_product(matrix, scaled, scaled, dense::Entries::kLower);
  dense::subtract_product(matrix, explained, cross, dense::Entries::kLower);
  dense::factor(matrix);
  dense::solve(matrix, moment);
  return 0.5 * moment.squaredNorm() - matrix.diagonal().array().log().sum();
}

/// Returns the pairs by falling evidence, as long as there is room. When it is called the model
/// holds 1-tuples alone.
std::vector<AxisPair> TupleRegression::choose_pairs() {
  solve();
  const Eigen::VectorXd precisions = this->precisions();
  // What all pairs share is worked out once: features times precisions, and C^-1 (means - trend) as
  // precisions times residuals.
  const Eigen::MatrixXd weighted = known_rows() * precisions.asDiagonal();
  Eigen::VectorXd explained(size_);
  dense::multiply_transposed(known_rows(), weights_, explained);
  const Eigen::VectorXd residual =
      precisions.array() * (means_.head(size_).array() - parameters_.trend - explained.array());

  const Eigen::Index axes = kernel_.axes();
  const double pairs = static_cast<double>(axes * (axes - 1)) / 2.0;
  std::vector<std::pair<double, AxisPair>> rated;
  for (Eigen::Index a = 0; a < axes; ++a) {
    for (Eigen::Index b = a + 1; b < axes; ++b) {
      const AxisPair pair = {a, b, kernel_.variances()[1] / pairs};
      if (features_.size() + features_.pair_size(a, b) > options_.most_features) continue;
      const double evidence = pair_evidence(pair, precisions, weighted, residual);
      if (evidence >= options_.evidence) rated.emplace_back(evidence, pair);
    }
  }
  // The best pairs are taken as long as their features fit.
  std::ranges::stable_sort(rated, [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<AxisPair> chosen;
  Eigen::Index used = features_.size();
  for (const auto& [evidence, pair] : rated) {
    const Eigen::Index size = features_.pair_size(pair.first, pair.second);
    // A pair that is too large leaves room for smaller ones further down.
    if (used + size > options_.most_features) continue;
    used += size;
    chosen.push_back(pair);
  }
  return chosen;
}

/// The belief of candidates by the regression. A mean is that of the tuples, and for a known point
/// mixed with its own payoffs by its share of the residual. Variances are exact, not bounds.
class TupleRegression::Predicted final : public Posterior {
 public:
  Predicted(const TupleRegression& model, std::span<const Query> candidates) {
    const auto count = static_cast<Eigen::Index>(candidates.size());
    Eigen::MatrixXd features(model.features_.size(), count);
    rest_.resize(count);
    payoff_part_.resize(count);
    d_tuple_variance_.resize(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Query& candidate = candidates[static_cast<std::size_t>(i)];
      model.features_.write(model.kernel_.encode(candidate.point), features.col(i).data());
      const double share = candidate.row < 0 ? 0.0 : model.residual_share(candidate.row);
      rest_[i] = 1.0 - share;
      payoff_part_[i] = candidate.row < 0 ? 0.0 : share * model.means_[candidate.row];
      d_tuple_variance_[i] = model.kernel_.variances()[2] * (1.0 - share);
    }
    means_.resize(count);
    dense::multiply_transposed(features, model.weights_, means_);
    means_ = rest_.array() * (means_.array() + model.parameters_.trend) + payoff_part_.array();
    rows_ = features.transpose();
    gains_.setZero(count, features.rows());
    dense::add_product(gains_, rows_, model.covariance_);
    bounds_ = rest_.array().square() * rows_.cwiseProduct(gains_).rowwise().sum().array().max(0.0) +
              d_tuple_variance_.array();
  }

  [[nodiscard]] Eigen::VectorXd variances_or_less(
      std::span<const Eigen::Index> chosen, const Eigen::VectorXd& /*enough*/) const override {
    return bounds_(std::vector(chosen.begin(), chosen.end()));
  }

  /// Candidates are taken for different points.
  [[nodiscard]] Eigen::MatrixXd covariance() const override {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows_.rows(), rows_.rows());
    dense::add_product(result, rows_, gains_);
    result = (rest_ * rest_.transpose()).cwiseProduct(result);
    result.diagonal() += d_tuple_variance_;
    return result;
  }

 private:
  Eigen::MatrixXd rows_;              ///< features, a row per candidate
  Eigen::MatrixXd gains_;             ///< features times covariance of weights
  Eigen::VectorXd rest_;              ///< share of 1-tuples and pairs in a mean
  Eigen::VectorXd payoff_part_;       ///< what the point's own payoffs add
  Eigen::VectorXd d_tuple_variance_;  ///< variance of the d-tuple's part
};

std::unique_ptr<Posterior> TupleRegression::predict(std::span<const Query> candidates) const {
  return std::make_unique<Predicted>(*this, candidates);
}

}  // namespace ntune
