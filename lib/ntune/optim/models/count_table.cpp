#include "ntune/optim/models/count_table.h"

#include <algorithm>

namespace ntune {

namespace {

/// 32 MiB per run; larger counts are computed when they are met.
constexpr std::int64_t kMostRows = 1 << 20;

}  // namespace

CountTable::CountTable(const ModelOptions& options, std::int64_t budget)
    : weighting_(options.weighting),
      horizon_(options.horizon),
      exploration_(options.exploration),
      epsilon_(options.epsilon),
      ratio_(options.exploration == Exploration::kRatio) {
  const std::int64_t rows = std::min(budget + 1, kMostRows);
  rows_ = compute_rows(Eigen::ArrayXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1)));
}

void CountTable::set_total(std::int64_t total) {
  const auto n = static_cast<double>(total);
  log_total_ = std::log1p(n);
  switch (exploration_) {
    case Exploration::kUcb1:
      factor_ = std::sqrt(log_total_);
      break;
    case Exploration::kSquareRoot:
      factor_ = std::sqrt(std::sqrt(n));
      break;
    case Exploration::kRatio:
      factor_ = 1.0;
      break;
  }
}

CountTable::Rows CountTable::compute_rows(const Eigen::ArrayXd& n) const {
  Rows rows(n.size(), 4);
  rows.col(0) = (n > 0.0).select(n.max(1.0).inverse(), 0.0);
  switch (weighting_) {
    case Weighting::kNone:
      rows.col(3) = 1.0;
      break;
    case Weighting::kLinear:  // eq. 7
      rows.col(3) = (n / horizon_).min(1.0);
      break;
    case Weighting::kInverseRoot:  // eq. 8
      rows.col(3) = 1.0 - (horizon_ / (n + horizon_)).sqrt();
      break;
    case Weighting::kInverse:  // eq. 9
      rows.col(3) = 1.0 - horizon_ / (n + horizon_);
      break;
    case Weighting::kExponential:  // eq. 10
      rows.col(3) = 1.0 - (-n / horizon_).exp();
      break;
  }
  if (ratio_) {
    rows.col(1) = (n + epsilon_).log();
  } else {
    rows.col(1) = (n + epsilon_).sqrt().inverse();
  }
  rows.col(2) = (n > 0.0).cast<double>();
  return rows;
}

CountTable::Row CountTable::compute(std::uint32_t n) const {
  const Rows rows = compute_rows(Eigen::ArrayXd::Constant(1, static_cast<double>(n)));
  return {rows(0, 0), rows(0, 1), rows(0, 2), rows(0, 3)};
}

}  // namespace ntune
