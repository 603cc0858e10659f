#include "ntune/optim/base/failures.h"

#include <cmath>

#include "ntune/optim/gaussian/failure_process.h"

namespace ntune {

Failures::Failures(const OptimiserContext& context, const SampledPoints& points)
    : space_(context.space),
      points_(&points),
      noisy_(context.noisy),
      limit_(context.fail_limit),
      own_(context.failures == nullptr),
      known_(own_ ? std::make_shared<RunFailures>() : context.failures) {}

void Failures::fail(const Point& point) {
  if (!own_) return;
  if (known_->model) {
    compare_models(point, true);
  } else {
    begin();
  }
  blame(point, 1.0);
}

void Failures::fail_match(const Point& point, const Point& opponent) {
  if (!own_) return;
  if (known_->model) {
    compare_models(point, opponent);
  } else {
    begin();
  }
  const double own = suspicion(point);
  const double other = suspicion(opponent);
  // Each player is to blame in proportion to how suspicious it was before this failure.
  blame(point, own / (own + other));
  blame(opponent, other / (own + other));
}

void Failures::blame(const Point& point, double part) {
  known_->model->fail(point, part);
  if (known_->process) known_->process->add(point, part, 0.0);
}

void Failures::succeed(const Point& point) {
  if (!own_ || !known_->model) return;
  compare_models(point, false);
  known_->model->succeed(point);
  if (known_->process) known_->process->add(point, 0.0, 1.0);
}

/// Makes the models at the first failure, and tells them of all successes before it.
void Failures::begin() {
  known_->model.emplace(*space_, *points_);
  if (!known_->wants_process) return;
  known_->process = std::make_shared<FailureProcess>(*space_);
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const std::uint32_t count = points_->cell(i).count;
    if (count > 0) known_->process->add(points_->point(i), 0.0, count);
  }
}

/// Weighs the outcome of a new point. The first failure of a run does not count, as no model stands
/// that could have expected it.
void Failures::compare_models(const Point& point, bool failed) {
  RunFailures& known = *known_;
  if (!known.process || known.process->knows(point)) return;
  const double smooth = known.process->rate(point);
  const double by_causes = known.model->rate(point);
  known.evidence +=
      failed ? std::log(smooth / by_causes) : std::log((1.0 - smooth) / (1.0 - by_causes));
}

/// Weighs the failure of a match in which a new point played.
void Failures::compare_models(const Point& point, const Point& opponent) {
  RunFailures& known = *known_;
  if (!known.process || (known.process->knows(point) && known.process->knows(opponent))) return;
  const auto either = [](double one, double other) { return one + other - one * other; };
  const double smooth = either(known.process->rate(point), known.process->rate(opponent));
  const double by_causes = either(known.model->rate(point), known.model->rate(opponent));
  known.evidence += std::log(smooth / by_causes);
}

/// What tells which of two points is to blame (FailureModel::suspicion).
double Failures::suspicion(const Point& point) const {
  double rate = known_->model->suspicion(point);
  if (known_->process) rate = std::lerp(rate, known_->process->rate(point), share_of_process());
  return known_->model->beside_own(rate, point, payoffs(point));
}

/// Posterior probability that the process is the right one of the two models, where both were as
/// likely at first.
double Failures::share_of_process() const { return 1.0 / (1.0 + std::exp(-known_->evidence)); }

/// Returns the rate where it is certain: 0 before any failure, and without noise 0 or 1 for a point
/// that has been evaluated. Else it returns none.
std::optional<double> Failures::certain_rate(const Point& point) const {
  if (!any()) return 0.0;
  if (!noisy_ && payoffs(point) > 0) return 0.0;
  if (refused(point)) return 1.0;
  return std::nullopt;
}

double Failures::rate(const Point& point) const {
  if (const std::optional<double> certain = certain_rate(point)) return *certain;
  double rate = known_->model->rate(point);
  if (known_->process) rate = std::lerp(rate, known_->process->rate(point), share_of_process());
  return known_->model->beside_own(rate, point, payoffs(point));
}

double Failures::risk(const Point& point) const {
  if (const std::optional<double> certain = certain_rate(point)) return *certain;
  double risk = known_->model->risk(point);
  if (known_->process) {
    const double smooth = known_->process->rate(point);
    risk = std::lerp(risk, smooth * smooth, share_of_process());
  }
  return known_->model->beside_own(risk, point, payoffs(point));
}

}  // namespace ntune
