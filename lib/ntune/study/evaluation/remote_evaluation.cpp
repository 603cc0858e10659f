#include "ntune/study/evaluation/remote_evaluation.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"
#include "ntune/study/evaluation/carry_out.h"

namespace ntune {

namespace {

Point point_of(const Json& json, const Objective& objective) {
  Point point(json.get<std::vector<std::uint16_t>>());
  if (objective.space().can_be_evaluated(point)) return point;
  throw InputError("a point that is asked for is none of the space");
}

/// One of the kinds of an enumeration, up to the last.
template <class Kind>
Kind kind_of(const Json& json, Kind last) {
  const int number = json.get<int>();
  if (number >= 0 && number <= static_cast<int>(last)) return static_cast<Kind>(number);
  throw InputError(fmt::format("an answer has the kind {}, 0 to {} are allowed", number,
                               static_cast<int>(last)));
}

/// A number that must be finite and not negative.
double amount_of(const Json& json) {
  const double amount = json.get<double>();
  if (std::isfinite(amount) && amount >= 0.0) return amount;
  throw InputError(
      fmt::format("an answer has the amount {}, a finite number of at least 0 is allowed", amount));
}

Json to_message_json(const GameCounts& counts) {
  return {counts.games.wins,
          counts.games.draws,
          counts.games.losses,
          counts.pairs.counts,
          {counts.forfeits.first, counts.forfeits.second}};
}

GameCounts counts_of(const Json& json) {
  const GameCounts counts{.games = {.wins = json.at(0), .draws = json.at(1), .losses = json.at(2)},
                          .pairs = {.counts = json.at(3)},
                          .forfeits = {.first = json.at(4).at(0), .second = json.at(4).at(1)}};
  if (const char* fault = contradiction_of(counts); *fault != '\0') {
    throw InputError(fmt::format("the games of an answer: {}", fault));
  }
  return counts;
}

}  // namespace

Json remote_request(const Study& study, const Request& request) {
  Json message = {
      {"stream", request.stream.key()},   {"objective", study.objective_of(request.key.cell)},
      {"stage", request.key.stage},       {"repeat", request.key.repeat},
      {"run", request.key.run},           {"index", request.key.index},
      {"point", request.point->indices()}};
  if (std::isfinite(request.cap)) message["cap"] = request.cap;
  if (request.block) message["block"] = *request.block;
  if (request.opponent != nullptr) message["opponent"] = request.opponent->indices();
  return message;
}

RemoteEvaluation read_remote(const Study& study, const Json& request) {
  const Objective& objective = *study.objectives.at(request.at("objective")).objective;
  const EvaluationKey key{.stage = request.at("stage"),
                          .repeat = request.at("repeat"),
                          .run = request.at("run"),
                          .index = request.at("index")};
  if (key.index < 0) throw InputError("an evaluation that is asked for has a number below 0");
  std::optional<std::int64_t> block;
  if (request.contains("block")) block = request["block"].get<std::int64_t>();
  RemoteEvaluation read{.objective = &objective,
                        .key = key,
                        .point = point_of(request.at("point"), objective),
                        .instance = study.instances.of(study.seed, key, block),
                        .stream = Rng::with_key(request.at("stream"))};
  if (request.contains("opponent")) {
    read.opponent = point_of(request["opponent"], objective);
    if (objective.matches() == nullptr) throw InputError("there are no matches");
  }
  return read;
}

Outcome carry_out_remote(const Study& study, const Json& request, const std::atomic<bool>& stop) {
  const RemoteEvaluation asked = read_remote(study, request);
  const EvaluationId id{
      .repeat = asked.key.repeat,
      .run = asked.key.run,
      .evaluation = asked.key.index,
      .instance = asked.instance,
      .stop = &stop,
      .cap = request.contains("cap") ? request["cap"].get<double>() : EvaluationId().cap};
  return carry_out(*asked.objective, asked.point, asked.stream, id,
                   asked.opponent ? &*asked.opponent : nullptr);
}

Json outcome_json(const Outcome& outcome) {
  Json json = {{"attempts", outcome.attempts}, {"stood_still", outcome.stood_still}};
  if (outcome.cost) json["cost"] = *outcome.cost;
  if (!outcome.failure.empty()) {
    json["failure"] = outcome.failure;
    json["blame"] = static_cast<int>(outcome.blame);
    return json;
  }
  json["payoff"] = outcome.payoff;
  json["ending"] = static_cast<int>(outcome.ending);
  json["answer"] = static_cast<int>(outcome.answer);
  if (!outcome.goals.empty()) json["goals"] = outcome.goals;
  if (!outcome.observations.empty()) json["observations"] = outcome.observations;
  if (!outcome.games.empty()) json["games"] = to_message_json(outcome.games);
  return json;
}

Outcome outcome_of(const Json& json) {
  Outcome outcome{.failure = json.value("failure", ""),
                  .attempts = json.at("attempts"),
                  .stood_still = amount_of(json.at("stood_still"))};
  if (outcome.attempts < 1) throw InputError("an answer was got in less than one attempt");
  if (json.contains("cost")) outcome.cost = amount_of(json["cost"]);
  if (!outcome.failure.empty()) {
    outcome.blame = kind_of(json.at("blame"), Blame::kInterruption);
    return outcome;
  }
  outcome.payoff = json.at("payoff");
  outcome.ending = kind_of(json.at("ending"), Ending::kCapped);
  outcome.answer = kind_of(json.at("answer"), SolverAnswer::kUnsatisfiable);
  if (json.contains("goals")) outcome.goals = json["goals"].get<std::vector<double>>();
  if (json.contains("observations")) {
    outcome.observations = json["observations"].get<std::vector<double>>();
  }
  if (json.contains("games")) outcome.games = counts_of(json["games"]);
  return outcome;
}

}  // namespace ntune
