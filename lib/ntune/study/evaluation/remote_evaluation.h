#pragma once

#include <atomic>
#include <optional>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/study.h"

namespace ntune {

// An evaluation that another process carries out, which holds the same study. The messages lose
// nothing, whether they travel as CBOR or as text.

/// What the other process needs to know.
Json remote_request(const Study& study, const Request& request);

/// An evaluation that a remote_request asks for, by this process's copy of the study.
struct RemoteEvaluation {
  const Objective* objective = nullptr;
  EvaluationKey key = {};
  Point point = {};
  std::optional<Point> opponent = {};
  const Instance* instance = nullptr;
  Rng stream;

  /// It points to what is here.
  [[nodiscard]] Request request() const {
    return {.key = key,
            .objective = objective,
            .point = &point,
            .instance = instance,
            .opponent = opponent ? &*opponent : nullptr,
            .stream = stream};
  }
};
/// Throws InputError or Json::exception for what none can be.
RemoteEvaluation read_remote(const Study& study, const Json& request);

/// Carries out what a remote_request asks for. Throws InputError or Json::exception for what none
/// can be.
Outcome carry_out_remote(const Study& study, const Json& request, const std::atomic<bool>& stop);

/// What it has brought. Of a failed one the payoffs are left out: they count for nothing.
Json outcome_json(const Outcome& outcome);
/// The outcome of an outcome_json. Throws Json::exception for anything else, InputError for numbers
/// that no evaluation brings.
Outcome outcome_of(const Json& json);

}  // namespace ntune
