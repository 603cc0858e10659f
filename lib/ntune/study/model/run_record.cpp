#include "ntune/study/model/run_record.h"

#include <cmath>
#include <span>

#include "ntune/core/json.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/model/run_plan.h"

namespace ntune {

namespace {

/// Calls visit with the name and place of every count of a run that may be 0.
template <class Run, class Visit>
void for_each_count(Run& run, const Visit& visit) {
  visit("hold_out_evaluations", run.hold_out.evaluations);
  visit("failures", run.failures);
  visit("set_aside", run.set_aside.payoffs);
  visit("cut_off", run.endings.cut_off);
  visit("capped", run.endings.capped);
}

Json json_of(const std::optional<Point>& point) { return point ? Json(point->indices()) : Json(); }

bool read_point(const Json& list, Point& point) {
  std::vector<std::uint16_t> indices;
  if (!read_indices(list, indices)) return false;
  if (indices.size() > static_cast<std::size_t>(kMaxDimensions)) return false;
  point = Point(indices);
  return true;
}

bool read_point(const Json& list, std::optional<Point>& point) {
  return list.is_null() || read_point(list, point.emplace());
}

/// The deviation, the probability where there is one, and where there is a claim its mean, low,
/// high and regret.
Json json_of(const Certainty& certainty) {
  Json numbers = {certainty.sd};
  if (certainty.best_probability) numbers.push_back(*certainty.best_probability);
  if (const auto& claim = certainty.claim) {
    for (const double number : {claim->mean, claim->low, claim->high, claim->regret}) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

bool read_certainty(const std::vector<double>& numbers, std::optional<Certainty>& certainty) {
  constexpr std::size_t kOfClaim = 4;
  if (numbers.empty()) return true;
  const bool claims = numbers.size() > kOfClaim;
  const std::size_t own = claims ? numbers.size() - kOfClaim : numbers.size();
  if (own != 1 && own != 2) return false;
  certainty = Certainty{.sd = numbers[0]};
  if (own == 2) certainty->best_probability = numbers[1];
  if (!claims) return true;
  const auto claim = std::span(numbers).last(kOfClaim);
  certainty->claim = Claim{.mean = claim[0], .low = claim[1], .high = claim[2], .regret = claim[3]};
  return true;
}

/// [count, mean, squares, least, most], or an empty list.
bool read_statistics(const std::vector<double>& numbers, RunningStats& statistics) {
  if (numbers.empty()) return true;
  if (numbers.size() != 5) return false;
  if (!(numbers[0] >= 0.0 && numbers[0] <= static_cast<double>(kMostEvaluations))) return false;
  statistics = RunningStats({.count = static_cast<std::int64_t>(numbers[0]),
                             .mean = numbers[1],
                             .squares = numbers[2],
                             .min = numbers[3],
                             .max = numbers[4]});
  return true;
}

/// Counted games, and where any was lost by a fault those of either player.
Json games_json(const EarlyEndings& endings) {
  Json json = {endings.games};
  if (endings.forfeits.games() > 0) {
    json.push_back(endings.forfeits.first);
    json.push_back(endings.forfeits.second);
  }
  return json;
}

void read_games(const Json& json, EarlyEndings& endings) {
  endings.games = json.at(0);
  if (json.size() > 2) endings.forfeits = {.first = json[1], .second = json[2]};
}

bool read_leaders(const Json& json, std::vector<Recommendation>& leaders) {
  for (const Json& leader : json) {
    Recommendation& read = leaders.emplace_back();
    if (!read_point(leader.at(0), read.point)) return false;
    read.estimate = leader.at(1);
    read.evaluations = leader.at(2);
  }
  return true;
}

bool read_answers(const Json& json, std::vector<InstanceAnswers>& answers) {
  for (const Json& answer : json) {
    InstanceAnswers& read = answers.emplace_back(InstanceAnswers{.instance = answer.at(0)});
    if (!read_point(answer.at(1), read.satisfiable)) return false;
    if (!read_point(answer.at(2), read.unsatisfiable)) return false;
  }
  return true;
}

}  // namespace

bool read_indices(const Json& list, std::vector<std::uint16_t>& indices) {
  indices.clear();
  for (const double number : list.get<std::vector<double>>()) {
    if (!(number >= 0.0) || number > kMaxValues || number != std::floor(number)) return false;
    indices.push_back(static_cast<std::uint16_t>(number));
  }
  return true;
}

void score_run(const Objective& objective, RunRecord& run) {
  run.true_value = true_value_of(objective, run.point);
  run.score = run.true_value;
  if (!run.score && run.hold_out.measured()) {
    run.score = objective.unit().value_of(run.hold_out.payoffs.mean());
  }
}

Json run_record_json(const RunRecord& run) {
  Json fields = {{"repeat", run.repeat},
                 {"run", run.run},
                 {"evaluations", run.evaluations},
                 {"point", run.point.indices()},
                 {"point_evaluations", run.point_evaluations},
                 {"estimate", run.estimate}};
  if (!run.finished) fields["finished"] = false;
  if (run.certainty) fields["certainty"] = json_of(*run.certainty);
  if (run.hold_out.measured()) {
    const RunningStats::State& state = run.hold_out.payoffs.state();
    fields["hold_out"] = {state.count, state.mean, state.squares, state.min, state.max};
  }
  for_each_count(run, [&](const char* name, std::int64_t count) {
    if (count != 0) fields[name] = count;
    if (count != 0 && name == std::string_view("failures")) {
      fields["failed"] = failure_statistics_json(run.failure_statistics);
    }
  });
  if (run.endings.capped > 0) fields["capping"] = {run.endings.capped_cost, run.endings.saved};
  if (run.endings.games > 0) fields["games"] = games_json(run.endings);
  for (const Recommendation& leader : run.leaders) {
    fields["leaders"].push_back({leader.point.indices(), leader.estimate, leader.evaluations});
  }
  for (const InstanceAnswers& answers : run.answers) {
    fields["answers"].push_back(
        {answers.instance, json_of(answers.satisfiable), json_of(answers.unsatisfiable)});
  }
  if (run.payoffs_by_value.is_known()) fields["by_value"] = run.payoffs_by_value.to_json();
  if (!run.trace.empty()) fields["trace"] = run.trace;
  return fields;
}

std::optional<RunRecord> run_record_of(const Json& json) {
  RunRecord run;
  bool good = true;
  const auto read_count = [&](const char* name, std::int64_t& count) {
    count = json.value(name, std::int64_t{0});
    good = good && is_count(count);
  };
  read_count("repeat", run.repeat);
  read_count("run", run.run);
  read_count("evaluations", run.evaluations);
  read_count("point_evaluations", run.point_evaluations);
  for_each_count(run, read_count);
  run.finished = json.value("finished", true);
  run.estimate = json.value("estimate", 0.0);
  run.trace = json.value("trace", std::string());
  run.failure_statistics = failure_statistics_of(json.value("failed", Json()));
  run.payoffs_by_value = PayoffsByValue::of_json(json.value("by_value", Json::array()));
  if (const auto capping = json.find("capping"); capping != json.end()) {
    run.endings.capped_cost = capping->at(0);
    run.endings.saved = capping->at(1);
  }
  if (const auto games = json.find("games"); games != json.end()) read_games(*games, run.endings);
  const auto numbers_at = [&](const char* name) { return json.value(name, std::vector<double>()); };
  good = good && std::isfinite(run.estimate) && is_count(run.endings.games) &&
         read_point(json.value("point", Json::array()), run.point) &&
         read_certainty(numbers_at("certainty"), run.certainty) &&
         read_statistics(numbers_at("hold_out"), run.hold_out.payoffs) &&
         read_leaders(json.value("leaders", Json::array()), run.leaders) &&
         read_answers(json.value("answers", Json::array()), run.answers);
  return good ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace ntune
