#pragma once

#include <algorithm>
#include <optional>

#include "ntune/core/clock.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/remote_evaluation.h"
#include "ntune/study/fleet/fleet.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/model/study.h"
#include "ntune/study/serve/evaluation_messages.h"

namespace ntune {

/// Has the workers of a fleet carry out the evaluations of a study. The result is that of
/// LocalBackend, byte for byte.
class FleetBackend final : public ThreadedBackend {
 public:
  /// `at_once`: evaluations that are dealt at the same time, at most. Both must outlive the
  /// backend.
  FleetBackend(const Study& study, Fleet& fleet, int at_once)
      : study_(study), fleet_(fleet), at_once_(at_once) {}

  std::optional<Outcome> evaluate(const Request& request) override {
    if (is_asked_ && is_without_game(request)) return Outcome{.payoff = kLevelScore};
    const Clock::time_point begin = Clock::now();
    Json message = remote_request(study_, request);
    if (is_asked_) message["trial"] = asked_json(request, request.key.index);
    auto answer = fleet_.call(message, *request.stop);
    if (!answer) return std::nullopt;
    // Waiting for a worker is no part of what the call took.
    answer->outcome.stood_still += std::max(0.0, seconds_since(begin) - answer->seconds);
    return std::move(answer->outcome);
  }
  [[nodiscard]] int threads() const override { return at_once_; }

 private:
  const Study& study_;
  Fleet& fleet_;
  int at_once_;
  bool is_asked_ = is_asked(study_);
};

}  // namespace ntune
