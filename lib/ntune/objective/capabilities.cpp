#include "ntune/objective/capabilities.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/clock.h"
#include "ntune/core/text.h"

namespace ntune {

Json Objective::defaults() const { return Json::object(); }

Outcome outcome_of(const GameCounts& games) {
  return {.payoff = games.games.score(), .games = games};
}

namespace {

/// The values of all goals of an objective in this process.
Outcome observe_goals(const Objective& objective, const Point& point, Rng& rng) {
  const std::span<const Goal> goals = objective.goals();
  const std::vector<double> values = objective.evaluate_goals(point, rng);
  if (values.size() != goals.size()) {
    return {.failure =
                fmt::format("the function gave {}, it has {}", counted(values.size(), "number"),
                            counted(goals.size(), "goal"))};
  }
  Outcome outcome;
  set_goals(outcome, goals, values);
  return outcome;
}

/// One payoff of an objective in this process, on the instance if one is named.
double evaluate_inside(const Objective& objective, const Point& point, Rng& rng,
                       const EvaluationId& id) {
  const OnInstances* on_instances = objective.on_instances();
  if (on_instances == nullptr || id.instance == nullptr) return objective.evaluate(point, rng);
  return on_instances->evaluate_on(*id.instance, point, rng);
}

}  // namespace

std::string fault_within(double value, double low, double high, bool two_valued) {
  if (value < low || value > high) {
    return fmt::format("the value is {}, outside of payoffs: [{}, {}]", number_text(value),
                       number_text(low), number_text(high));
  }
  if (two_valued && value != low && value != high) {
    return fmt::format("the value is {}, neither {} nor {}, as two_valued says", number_text(value),
                       number_text(low), number_text(high));
  }
  return {};
}

std::string fault_of_declared(double value, const Objective& objective) {
  const OutsideProgram* program = objective.outside_program();
  if (program == nullptr) return {};
  if (program->costs_time() && value < 0.0) {
    return fmt::format("the value is {}, a time of at least 0 is allowed", number_text(value));
  }
  const Payoffs payoffs = objective.payoffs();
  if (!payoffs.low || !payoffs.high) return {};
  const Unit unit = objective.unit();
  const auto [low, high] = std::minmax({unit.value_of(*payoffs.low), unit.value_of(*payoffs.high)});
  return fault_within(value, low, high, payoffs.two_valued);
}

Outcome meet_anchor(const Matches& matches, const Point& point, Rng& rng, const EvaluationId& id) {
  constexpr double kLevel = 0.5;
  const Point& anchor = matches.anchor_for(rng);
  // An anchor is level with itself: a game would cost time and tell nothing.
  if (anchor == point) return {.payoff = kLevel};
  return matches.play(point, anchor, rng, id);
}

Outcome observe(const Objective& objective, const Point& point, Rng& rng, const EvaluationId& id) {
  // The order matters: duels of an outside program are matches against an anchor, and not single
  // evaluations.
  if (are_duels(objective)) return meet_anchor(*objective.matches(), point, rng, id);
  if (const OutsideProgram* program = objective.outside_program()) {
    return program->observe(point, rng, id);
  }
  if (!objective.goals().empty()) return observe_goals(objective, point, rng);
  Outcome outcome{.payoff = evaluate_inside(objective, point, rng, id)};
  if (objective.payoffs().games) {
    // A game in this process reports 1, 1/2 or 0 points as its value.
    outcome.games = single_game(objective.unit().value_of(outcome.payoff));
  }
  return outcome;
}

Rehearsal rehearse(const Objective& objective, const Point& point, Rng& rng,
                   const EvaluationId& id) {
  if (const OutsideProgram* program = objective.outside_program()) {
    return program->rehearse(point, rng, id);
  }
  Rehearsal rehearsal{.text = fmt::format("evaluated {}\n", objective.space().text(point))};
  const auto begin = Clock::now();
  try {
    if (objective.goals().empty()) {
      rehearsal.text += fmt::format("payoff {}\n", evaluate_inside(objective, point, rng, id));
    } else {
      rehearsal.failure = observe_goals(objective, point, rng).failure;
    }
  } catch (const std::exception& error) {
    rehearsal.failure = error.what();
  }
  rehearsal.seconds = seconds_since(begin);
  return rehearsal;
}

}  // namespace ntune
