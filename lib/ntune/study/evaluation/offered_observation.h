#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

#include "ntune/study/model/evaluation.h"

namespace ntune {

/// Payoffs of a point that no search has asked for. The budget does not count them.
struct OfferedObservation {
  /// The search evaluation that was asked for next when they came, in the order of a study that
  /// runs on one thread. From there on every search of the same objective knows them that learns
  /// from what it did not ask for.
  EvaluationKey key;
  Point point;
  std::vector<double> payoffs = {};
  /// The place of its instance among those that searches visit; nothing: of no single one.
  std::optional<std::size_t> instance = {};

  /// Whether a search that asks for the evaluation `next` knows them.
  [[nodiscard]] bool known_before(const EvaluationKey& next) const {
    const auto order = [](const EvaluationKey& at) {
      return std::tuple(at.cell, at.repeat, at.run, at.index);
    };
    return order(key) <= order(next);
  }
};

/// Observations in the order in which they came, so that those that a search knows stand first.
using OfferedObservations = std::vector<OfferedObservation>;

}  // namespace ntune
