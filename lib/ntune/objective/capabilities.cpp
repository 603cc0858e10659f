#include "ntune/objective/capabilities.h"

#include <fmt/format.h>

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

std::string rehearse(const Objective& objective, const Point& point, Rng& rng) {
  if (const OutsideProgram* program = objective.outside_program()) {
    return program->rehearse(point, rng);
  }
  return fmt::format("evaluated {}\npayoff {}\n", objective.space().text(point),
                     objective.evaluate(point, rng));
}

}  // namespace ntune
