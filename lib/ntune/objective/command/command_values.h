#pragma once

#include <optional>
#include <string>
#include <utility>

#include "ntune/core/options.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// What a user knows of the numbers that an agent outside reports, and how they become payoffs.
struct CommandValues {
  enum class Direction { kMaximise, kMinimise };
  Direction direction = Direction::kMaximise;
  std::optional<std::pair<double, double>> range = {};  ///< lowest and highest number reported
  bool two_valued = false;
  bool noisy = true;
  /// Scores from 0 to 1 become payoffs from -1 to 1, as wins and losses do elsewhere.
  bool signed_scores = false;

  /// The options direction, payoffs, two_valued and noisy.
  void visit(Options& options);
  [[nodiscard]] std::optional<OptionProblem> problem() const;

  [[nodiscard]] Unit unit() const;
  [[nodiscard]] Payoffs payoffs() const;
  /// Why a reported number contradicts the declaration; empty if it does not.
  [[nodiscard]] std::string problem_of(double value) const;
};

}  // namespace ntune
