#include "ntune/study/serve/evaluation_messages.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/result_parser.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/seated_games.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/model/incumbent.h"
#include "ntune/study/serve/client_request.h"

namespace ntune {

namespace {

bool is_instance(const Json& named, const Instance& instance) {
  return (named.is_string() && named.get<std::string>() == instance.name) ||
         named == instance.json();
}

}  // namespace

std::int64_t request_seed(const Request& request) {
  constexpr int kSeedShift = 33;
  Rng stream = request.stream;
  return static_cast<std::int64_t>(stream() >> kSeedShift);
}

namespace {

std::vector<SeatedGame> seats_of(const Request& request) {
  const Matches* matches = request.objective->matches();
  if (!are_duels(*request.objective)) return {};
  return matches->seats_of(*request.point, opponent_of(request), request.stream, request.instance);
}

}  // namespace

Json asked_games(const Request& request) {
  Json games;
  for (SeatedGame& game : seats_of(request)) {
    Json seats = Json::array();
    for (std::size_t seat = 0; seat < game.seating.seats.size(); ++seat) {
      seats.push_back(point_json(game.seating.at(seat), request.objective->space()));
    }
    games.push_back({{"seed", draw_program_seed(game.stream)}, {"seats", std::move(seats)}});
  }
  return games;
}

Json asked_json(const Request& request, std::int64_t id) {
  const EvaluationKey& key = request.key;
  Json answer = {{"id", id},
                 {"params", point_json(*request.point, request.objective->space())},
                 {"seed", request_seed(request)},
                 {"stage", stage_name(key.stage)},
                 {"repeat", key.repeat},
                 {"run", key.run},
                 {"evaluation", key.index}};
  if (request.instance != nullptr) answer["instance"] = request.instance->json();
  if (are_duels(*request.objective)) {
    answer["opponent"] = point_json(opponent_of(request), request.objective->space());
  }
  if (Json games = asked_games(request); !games.is_null()) answer["games"] = std::move(games);
  return answer;
}

double told_payoff(double value, const Objective& objective) {
  const Unit unit = objective.unit();
  const double payoff = unit.payoff_of(value);
  if (const std::string fault = fault_of_payoff(payoff, unit); !fault.empty()) {
    throw RequestFault(fmt::format("'value': {}", fault));
  }
  if (const std::string fault = fault_of_declared(value, objective); !fault.empty()) {
    throw RequestFault(fmt::format("'value': {}", fault));
  }
  return payoff;
}

namespace {

bool is_game(double value) { return value == 0.0 || value == kLevelScore || value == 1.0; }

/// The scores of the games of a match, or one score of all.
Outcome told_match(const std::vector<double>& values) {
  for (const double value : values) {
    if (value >= 0.0 && value <= 1.0) continue;
    throw RequestFault(
        fmt::format("'value': is {}, points per game from 0 to 1 are allowed", value));
  }
  if (values.size() == 1 || !std::ranges::all_of(values, is_game)) {
    return {.payoff = stats_of(values).mean()};
  }
  WinDrawLoss games;
  for (const double value : values) games.add(value);
  return outcome_of(values.size() == 2 ? pair_of_games(values[0], values[1])
                                       : GameCounts{.games = games});
}

/// The results by seat of the games of a match.
Outcome told_seats(const Json& told, const std::vector<SeatedGame>& games) {
  if (games.empty()) throw RequestFault("'games': the games of the study have no seats");
  if (!told.is_array() || told.size() != games.size()) {
    throw RequestFault(fmt::format("'games' is {}, a list of {} results by seat is allowed",
                                   told.is_array() ? counted(told.size(), "result") : "no list",
                                   games.size()));
  }
  std::vector<double> points;
  for (std::size_t i = 0; i < games.size(); ++i) {
    ParsedResult result =
        told[i].is_object() && has_seats(told[i])
            ? parse_seats(told[i])
            : ParsedResult{.problem = "is no object with ranks, scores or the winner"};
    if (result.problem.empty()) result = result_of_seats(std::move(result), games[i].seating);
    if (!result.problem.empty()) {
      throw RequestFault(fmt::format("'games': game {}: {}", i + 1, result.problem));
    }
    points.push_back(result.values.front());
  }
  return outcome_of_pairs(points);
}

/// The values of all goals, in their order.
Outcome told_goals(const std::vector<double>& values, std::span<const Goal> goals) {
  if (values.size() != goals.size()) {
    std::vector<std::string> names;
    for (const Goal& goal : goals) names.push_back(goal.name);
    throw RequestFault(fmt::format("'value': {} told, the study has {}: {}",
                                   counted(values.size(), "number"), counted(goals.size(), "goal"),
                                   list_text(names, "and")));
  }
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const std::string fault = goals[i].fault_of(values[i]);
    if (!fault.empty()) throw RequestFault(fmt::format("'{}': {}", goals[i].name, fault));
  }
  Outcome outcome;
  set_goals(outcome, goals, values);
  return outcome;
}

}  // namespace

std::vector<double> told_values(const ClientRequest& request, std::span<const Goal> goals) {
  if (request.by_goal.is_null()) return request.values;
  if (goals.empty()) throw RequestFault("'value' is a map, a finite number is allowed");
  std::vector<double> values;
  for (const Goal& goal : goals) {
    const Json value = request.by_goal.value(goal.name, Json());
    if (!value.is_number()) {
      throw RequestFault(fmt::format("'value': has no number '{}', one of its goals", goal.name));
    }
    values.push_back(value.get<double>());
  }
  return values;
}

Outcome told_outcome(const std::vector<double>& values, const Objective& objective,
                     bool are_games) {
  if (are_duels(objective)) return told_match(values);
  if (!objective.goals().empty()) return told_goals(values, objective.goals());
  Outcome outcome;
  for (const double value : values) {
    outcome.observations.push_back(told_payoff(value, objective));
  }
  outcome.payoff = stats_of(outcome.observations).mean();
  if (!objective.payoffs().several || values.size() == 1) outcome.observations.clear();
  if (are_games && !objective.unit().is_cost() && std::ranges::all_of(values, is_game)) {
    WinDrawLoss games;
    for (const double value : values) games.add(value);
    outcome.games = games_of_one_call(games);
  }
  return outcome;
}

Outcome told_outcome(const ClientRequest& request, const Request& asked) {
  if (request.by_seat.is_null()) return told_outcome(request, *asked.objective);
  Outcome outcome = told_seats(request.by_seat, seats_of(asked));
  outcome.cost = request.cost;
  return outcome;
}

Outcome told_outcome(const ClientRequest& request, const Objective& objective) {
  if (!request.by_seat.is_null()) {
    throw RequestFault("'games': results by seat are of a match that was asked for");
  }
  const std::span<const Goal> goals = objective.goals();
  const bool has_games = !request.games.empty();
  if (has_games && (objective.unit().is_cost() || !goals.empty())) {
    throw RequestFault("'wins', 'draws', 'losses': the study is of no games");
  }
  Outcome outcome = told_outcome(told_values(request, goals), objective, request.are_games);
  if (has_games && are_duels(objective)) outcome = outcome_of(request.games);
  if (has_games) outcome.games = request.games;
  outcome.cost = request.cost;
  return outcome;
}

Point told_point(const Json& params, const Objective& objective) {
  try {
    const YamlNode map = parse_yaml(params.dump(), "params");
    const Point point = read_point(map, objective.space());
    if (!objective.space().nearest_on_grid(point))
      map.fail("is forbidden on the grid of the space");
    return point;
  } catch (const InputError& error) {
    throw RequestFault(error.what());
  }
}

std::size_t told_instance(const Json& named, const InstanceList& instances) {
  if (instances.empty()) throw RequestFault("'instance': the study has no instances");
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (is_instance(named, instances[i])) return i;
  }
  std::vector<std::string> names;
  for (const Instance& instance : instances.all()) names.push_back(instance.name);
  const std::string text = named.is_string() ? named.get<std::string>() : named.dump();
  throw RequestFault("'instance': " + unknown_instance(text, names));
}

void check_told_instance(const Json& named, const Request& request, const InstanceList& instances) {
  if (named.is_null()) return;
  if (request.instance != nullptr && is_instance(named, *request.instance)) return;
  const std::size_t place = told_instance(named, instances);
  throw RequestFault(fmt::format("'instance': the evaluation is of '{}', not of '{}'",
                                 printable(request.instance->name, 60),
                                 printable(instances[place].name, 60)));
}

}  // namespace ntune
