#include "ntune/study/evaluation.h"

#include <cmath>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

[[noreturn]] void fail(const Objective& objective, const Point& point, std::string_view reason) {
  throw EvaluationError(fmt::format("evaluation failed: {}: {} at {}", objective.description(),
                                    printable(reason),
                                    printable(objective.space().text(point), 1000)));
}

}  // namespace

double evaluate_checked(const Objective& objective, const Point& point, Rng stream) {
  double payoff = 0.0;
  try {
    payoff = objective.evaluate(point, stream);
  } catch (const std::exception& error) {
    fail(objective, point, error.what());
  } catch (...) {
    fail(objective, point, "an exception of unknown type");
  }
  if (!std::isfinite(payoff)) {
    fail(objective, point, fmt::format("the payoff is {}, a finite number is allowed", payoff));
  }
  return payoff;
}

std::optional<Interval> hold_out_interval(const Objective& objective, const RunningStats& payoffs) {
  const Payoffs kind = objective.payoffs();
  if (!kind.noisy && payoffs.count() > 0) {
    const double value = objective.value_of(payoffs.mean());
    return Interval{value, value};
  }
  if (payoffs.count() < 2) return std::nullopt;
  Interval interval = student_interval(payoffs);
  if (kind.two_valued && kind.low && kind.high) {
    const double range = *kind.high - *kind.low;
    const auto n = static_cast<double>(payoffs.count());
    const Interval wins = wilson_interval(n * (payoffs.mean() - *kind.low) / range, n);
    interval = {*kind.low + range * wins.low, *kind.low + range * wins.high};
  }
  return Interval{objective.value_of(interval.low), objective.value_of(interval.high)};
}

}  // namespace ntune
