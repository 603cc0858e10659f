#include "ntune/objective/capabilities.h"

#include <exception>

#include <fmt/format.h>

#include "ntune/core/clock.h"

namespace ntune {

Outcome outcome_of(const GameCounts& games) {
  return {.payoff = games.games.score(), .games = games};
}

Outcome observe(const Objective& objective, const Point& point, Rng& rng, const EvaluationId& id) {
  if (const OutsideProgram* program = objective.outside_program()) {
    return program->observe(point, rng, id);
  }
  Outcome outcome{.payoff = objective.evaluate(point, rng)};
  if (objective.payoffs().games) {
    outcome.games = single_game(objective.unit().value_of(outcome.payoff));
  }
  return outcome;
}

Rehearsal rehearse(const Objective& objective, const Point& point, Rng& rng) {
  if (const OutsideProgram* program = objective.outside_program()) {
    return program->rehearse(point, rng);
  }
  Rehearsal rehearsal{.text = fmt::format("evaluated {}\n", objective.space().text(point))};
  const auto begin = Clock::now();
  try {
    rehearsal.text += fmt::format("payoff {}\n", objective.evaluate(point, rng));
  } catch (const std::exception& error) {
    rehearsal.failure = error.what();
  }
  rehearsal.seconds = seconds_since(begin);
  return rehearsal;
}

}  // namespace ntune
