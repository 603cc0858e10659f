#include "ntune/optim/models/count_table.h"

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
      root_of_difference_(options.exploration->form == Exploration::Form::kRootOfDifference) {
  // Every visit is an evaluation, so that few counts exceed the budget.
  const std::int64_t rows = std::min(budget + 1, kMostRows);
  rows_.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t n = 0; n < rows; ++n) rows_.push_back(compute(static_cast<std::uint32_t>(n)));
  tabulated_ = rows_.size();
  set_total(0);
}

CountTable::Row CountTable::compute(std::uint32_t count) const {
  const auto n = static_cast<double>(count);
  return {.reciprocal = count > 0 ? 1.0 / n : 0.0,
          .exploration = exploration_->of_visits(n, epsilon_),
          .seen = count > 0 ? 1.0 : 0.0,
          .weight = weighting_->weight == nullptr ? 1.0 : weighting_->weight(n, horizon_)};
}

}  // namespace ntune
