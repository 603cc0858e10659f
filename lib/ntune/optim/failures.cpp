#include "ntune/optim/failures.h"

namespace ntune {

Failures::Failures(const OptimiserContext& context)
    : space_(context.space),
      noisy_(context.noisy),
      limit_(context.fail_limit),
      own_(context.failures == nullptr),
      known_(own_ ? std::make_shared<RunFailures>() : context.failures) {}

void Failures::fail(const Point& point, const SampledPoints& payoffs) {
  if (!own_) return;
  if (!known_->model) known_->model.emplace(*space_, payoffs);
  known_->model->fail(point);
}

/// Without noise 0 or 1 for a point that has been evaluated.
std::optional<double> Failures::certain_rate(const Point& point, std::uint32_t payoffs) const {
  if (!any()) return 0.0;
  if (!noisy_ && payoffs > 0) return 0.0;
  if (refused(point)) return 1.0;
  return std::nullopt;
}

double Failures::rate(const Point& point, std::uint32_t payoffs) const {
  const std::optional<double> certain = certain_rate(point, payoffs);
  return certain ? *certain : known_->model->failure_rate(point, payoffs);
}

double Failures::risk(const Point& point, std::uint32_t payoffs) const {
  const std::optional<double> certain = certain_rate(point, payoffs);
  return certain ? *certain : known_->model->risk(point, payoffs);
}

}  // namespace ntune
