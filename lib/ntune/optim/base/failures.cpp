#include "ntune/optim/base/failures.h"

#include <cmath>
#include <utility>

namespace ntune {

Failures::Failures(const OptimiserContext& context)
    : space_(context.space),
      noisy_(context.noisy),
      limit_(context.fail_limit),
      own_(context.failures == nullptr),
      known_(own_ ? std::make_shared<RunFailures>() : context.failures) {}

void Failures::foretell_by(std::function<std::unique_ptr<SmoothFailures>()> make) {
  if (!known_->make_smooth) known_->make_smooth = std::move(make);
}

void Failures::fail(const Point& point, const SampledPoints& payoffs) {
  if (!own_) return;
  if (known_->model) {
    compare_models(point, true);
  } else {
    begin(payoffs);
  }
  blame(point, 1.0);
}

void Failures::fail_match(const Point& point, const Point& opponent, const SampledPoints& payoffs) {
  if (!own_) return;
  if (known_->model) {
    compare_models(point, opponent);
  } else {
    begin(payoffs);
  }
  const double own = suspicion(point, payoffs.at(point).count);
  const double other = suspicion(opponent, payoffs.at(opponent).count);
  // Each player is to blame in proportion to how suspicious it was before this failure.
  blame(point, own / (own + other));
  blame(opponent, other / (own + other));
}

void Failures::blame(const Point& point, double part) {
  known_->model->fail(point, part);
  if (known_->smooth) known_->smooth->add(point, part, 0.0);
}

void Failures::succeed(const Point& point) {
  if (!own_ || !known_->model) return;
  compare_models(point, false);
  known_->model->succeed(point);
  if (known_->smooth) known_->smooth->add(point, 0.0, 1.0);
}

/// Makes the models at the first failure, and tells them of all successes before it.
void Failures::begin(const SampledPoints& payoffs) {
  known_->model.emplace(*space_, payoffs);
  if (!known_->make_smooth) return;
  known_->smooth = known_->make_smooth();
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    const std::uint32_t count = payoffs.cell(i).count;
    if (count > 0) known_->smooth->add(payoffs.point(i), 0.0, count);
  }
}

/// Weighs the outcome of a new point. The first failure of a run does not count, as no model stands
/// that could have expected it.
void Failures::compare_models(const Point& point, bool failed) {
  RunFailures& known = *known_;
  if (!known.smooth || known.smooth->knows(point)) return;
  const double smooth = known.smooth->rate(point);
  const double by_causes = known.model->rate(point);
  known.evidence +=
      failed ? std::log(smooth / by_causes) : std::log((1.0 - smooth) / (1.0 - by_causes));
}

/// Weighs the failure of a match in which a new point played.
void Failures::compare_models(const Point& point, const Point& opponent) {
  RunFailures& known = *known_;
  if (!known.smooth || (known.smooth->knows(point) && known.smooth->knows(opponent))) return;
  const auto either = [](double one, double other) { return one + other - one * other; };
  const double smooth = either(known.smooth->rate(point), known.smooth->rate(opponent));
  const double by_causes = either(known.model->rate(point), known.model->rate(opponent));
  known.evidence += std::log(smooth / by_causes);
}

/// What tells which of two points is to blame (FailureModel::suspicion).
double Failures::suspicion(const Point& point, std::uint32_t payoffs) const {
  double rate = known_->model->suspicion(point);
  if (known_->smooth) rate = std::lerp(rate, known_->smooth->rate(point), smooth_share());
  return known_->model->beside_own(rate, point, payoffs);
}

/// Posterior probability that the smooth model is the right one, where both were as likely at
/// first.
double Failures::smooth_share() const { return 1.0 / (1.0 + std::exp(-known_->evidence)); }

/// Returns the rate where it is certain: 0 before any failure, and without noise 0 or 1 for a point
/// that has been evaluated. Else it returns none.
std::optional<double> Failures::certain_rate(const Point& point, std::uint32_t payoffs) const {
  if (!any()) return 0.0;
  if (!noisy_ && payoffs > 0) return 0.0;
  if (refused(point)) return 1.0;
  return std::nullopt;
}

double Failures::rate(const Point& point, std::uint32_t payoffs) const {
  if (const std::optional<double> certain = certain_rate(point, payoffs)) return *certain;
  double rate = known_->model->rate(point);
  if (known_->smooth) rate = std::lerp(rate, known_->smooth->rate(point), smooth_share());
  return known_->model->beside_own(rate, point, payoffs);
}

double Failures::risk(const Point& point, std::uint32_t payoffs) const {
  if (const std::optional<double> certain = certain_rate(point, payoffs)) return *certain;
  double risk = known_->model->risk(point);
  if (known_->smooth) {
    const double smooth = known_->smooth->rate(point);
    risk = std::lerp(risk, smooth * smooth, smooth_share());
  }
  return known_->model->beside_own(risk, point, payoffs);
}

}  // namespace ntune
