#include "ntune/objective/match/match_objective.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/instance.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

MatchObjective::MatchObjective(std::shared_ptr<const Objective> objective, MatchRules rules)
    : objective_(std::move(objective)), rules_(std::move(rules)) {
  if (rules_.players > 0) {
    const std::string problem = problem_of_players(*objective_, rules_.players);
    if (!problem.empty()) {
      throw InputError(fmt::format("players: is {}, but {}", rules_.players, problem));
    }
  } else if (needs_seats(*objective_)) {
    throw InputError("players: is missing, the game has seats");
  } else if (objective_->matches() == nullptr) {
    throw InputError("match: needs a game of two players");
  }
  if (rules_.games < 2 || rules_.games % 2 != 0) {
    throw InputError(fmt::format("games: is {}, an even number is allowed", rules_.games));
  }
  if (rules_.anchors.empty()) {
    // Without anchors the default is the only opponent, so it must be complete.
    rules_.anchors = {default_point(objective_->space(), objective_->defaults())};
  }
  if (rules_.weights.empty()) rules_.weights.assign(rules_.anchors.size(), 1.0);
  if (rules_.weights.size() != rules_.anchors.size()) {
    throw InputError(fmt::format("weights: has {} numbers for {} opponents", rules_.weights.size(),
                                 rules_.anchors.size()));
  }
  all_weights_ = std::accumulate(rules_.weights.begin(), rules_.weights.end(), 0.0);
}

Json MatchObjective::defaults() const { return objective_->defaults(); }

const KnownTruth* MatchObjective::known_truth() const {
  constexpr double kLevel = 0.5;
  if (rules_.players > 0) return nullptr;
  const KnownTruth* truth = objective_->known_truth();
  // Truth against the only anchor is 1/2 at the anchor itself; any other truth is of something
  // else.
  const bool fits = truth != nullptr && rules_.anchors.size() == 1 &&
                    truth->true_value(rules_.anchors.front()) == kLevel;
  return fits ? truth : nullptr;
}

std::string MatchObjective::description() const {
  const std::string seats = rules_.players > 0 ? fmt::format(" at {} seats", rules_.players) : "";
  return fmt::format("matches{} of {}", seats, objective_->description());
}

double MatchObjective::evaluate(const Point& point, Rng& rng) const {
  const Outcome outcome = meet_anchor(*this, point, rng, {});
  if (!outcome.failure.empty()) throw EvaluationError(outcome.failure);
  return outcome.payoff;
}

std::optional<Point> MatchObjective::opponent() const {
  return rules_.anchors.size() == 1 ? std::optional(rules_.anchors.front()) : std::nullopt;
}

/// Games in this process come in pairs from one start. A program plays a whole match by itself.
Outcome MatchObjective::play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const {
  if (rules_.players > 0) return play_seated(first, second, rng, id);
  const Matches& matches = *objective_->matches();
  if (is_external(*objective_)) {
    Outcome outcome = matches.play(first, second, rng, id);
    if (!outcome.failure.empty()) return outcome;
    // A match is one observation, whatever the program reports of its games.
    outcome.observations.clear();
    if (!outcome.games.empty()) outcome.payoff = outcome.games.games.score();
    return outcome;
  }
  GameCounts games;
  for (int pair = 0; pair < rules_.games / 2; ++pair) {
    // Each pair has a stream of its own, so that a match of more games begins with the same ones.
    Rng stream = rng.stream("pair", pair);
    const Outcome outcome = matches.play(first, second, stream, id);
    if (!outcome.failure.empty()) return outcome;
    games.add(outcome.games);
  }
  return outcome_of(games);
}

Seating MatchObjective::seats_for(const Point& first, const Point& second, const Rng& stream,
                                  const Instance* instance) const {
  const Value* value = instance == nullptr ? nullptr : instance->find("players");
  const auto* count = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  Rng seats = stream.stream("seats");
  return draw_seating(first, second, count == nullptr ? rules_.players : static_cast<int>(*count),
                      seats);
}

std::vector<SeatedGame> MatchObjective::seats_of(const Point& first, const Point& second,
                                                 const Rng& stream,
                                                 const Instance* instance) const {
  std::vector<SeatedGame> games;
  for (int pair = 0; rules_.players > 0 && pair < rules_.games / 2; ++pair) {
    const Rng same = stream.stream("pair", pair);
    const Seating seating = seats_for(first, second, same, instance);
    games.push_back({seating, same});
    games.push_back({seating.exchanged(), same});
  }
  return games;
}

/// Every game is one call of a program, and one game of the counts, however many seats it has.
Outcome MatchObjective::play_seated(const Point& first, const Point& second, const Rng& rng,
                                    const EvaluationId& id) const {
  std::vector<double> points;
  Outcome all;
  for (SeatedGame& game : seats_of(first, second, rng, id.instance)) {
    Outcome outcome = objective_->seated_games()->play_seated(game.seating, game.stream, id);
    all.attempts = std::max(all.attempts, outcome.attempts);
    all.stood_still += outcome.stood_still;
    if (outcome.cost) all.cost = all.cost.value_or(0.0) + *outcome.cost;
    if (!outcome.failure.empty()) {  // with what the games before it have used up
      outcome.attempts = all.attempts;
      outcome.stood_still = all.stood_still;
      outcome.cost = all.cost;
      return outcome;
    }
    points.push_back(outcome.payoff);
  }
  const Outcome games = outcome_of_pairs(points);
  all.payoff = games.payoff;
  all.games = games.games;
  return all;
}

const Point& MatchObjective::anchor_for(const Rng& stream) const {
  // The weight is taken off anchor by anchor. The last one is taken if rounding leaves something.
  double left = all_weights_ * stream.stream("opponent").uniform();
  std::size_t chosen = 0;
  while (chosen + 1 < rules_.anchors.size() && left >= rules_.weights[chosen]) {
    left -= rules_.weights[chosen++];
  }
  return rules_.anchors[chosen];
}

Rehearsal MatchObjective::rehearse(const Point& point, Rng& rng, const EvaluationId& id) const {
  if (rules_.players == 0) return ntune::rehearse(*objective_, point, rng, id);
  const Seating seating = seats_for(point, anchor_for(rng), rng, id.instance);
  Rehearsal rehearsal = objective_->seated_games()->rehearse_seated(seating, rng, id);
  rehearsal.seconds *= rules_.games;  // one game stands for a whole match
  return rehearsal;
}

void MatchObjective::check_instances(std::span<const Instance> instances,
                                     const YamlNode& options) const {
  for (const Instance& instance : instances) {
    const Value* players = rules_.players > 0 ? instance.find("players") : nullptr;
    const std::int64_t* count = players == nullptr ? nullptr : std::get_if<std::int64_t>(players);
    if (players == nullptr || (count != nullptr && *count >= 2 && *count <= rules_.players))
      continue;
    options.fail_at("players",
                    fmt::format("is {}, but the instance '{}' has players: {}; from 2 to "
                                "{} are allowed",
                                rules_.players, printable(instance.name, 60), value_text(*players),
                                rules_.players));
  }
  // The options of the program stand within those of the match.
  const OutsideProgram* program = objective_->outside_program();
  const YamlNode* inner = options.find("match");
  if (program != nullptr && inner != nullptr) program->check_instances(instances, *inner);
}

}  // namespace ntune
