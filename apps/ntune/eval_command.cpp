#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "apps/ntune/commands.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/choice/payoff_intervals.h"
#include "ntune/study/evaluation/evaluation.h"
#include "ntune/study/study_yaml.h"

namespace ntune::cli {

namespace {

/// What the evaluations of a point came to, in the reported unit.
struct PointResult {
  std::int64_t n = 0;
  double value = 0.0;
  double sd = 0.0;
  std::optional<Interval> interval;
  std::optional<double> true_value;
};

PointResult result_of(const Objective& objective, const Point& point, const RunningStats& payoffs,
                      const GameCounts& games) {
  return {.n = payoffs.count(),
          .value = objective.unit().value_of(payoffs.mean()),
          .sd = objective.unit().size() * payoffs.sd(),
          .interval = payoff_interval(objective, payoffs, games.games_each(payoffs.count())),
          .true_value = true_value_of(objective, point)};
}

std::string point_json_text(const PointResult& result, const Json& parameters) {
  const auto& interval = result.interval;
  const Json json = {{"parameters", parameters},
                     {"n", result.n},
                     {"value", result.value},
                     {"sd", result.sd},
                     {"interval", interval ? Json::array({interval->low, interval->high}) : Json()},
                     {"true_value", result.true_value ? Json(*result.true_value) : Json()}};
  return json.dump(2) + '\n';
}

std::string point_csv(const PointResult& result) {
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{}", *x) : std::string();
  };
  return fmt::format("n,value,sd,low,high,true_value\n{},{},{},{},{},{}\n", result.n, result.value,
                     result.sd, result.interval ? number(result.interval->low) : "",
                     result.interval ? number(result.interval->high) : "",
                     number(result.true_value));
}

std::string point_text(const PointResult& result, const std::string& point) {
  std::string text = fmt::format("{}\nvalue {:.4f}, sd {:.4f}, {} evaluations", point, result.value,
                                 result.sd, count_text(result.n));
  if (result.interval) {
    text += fmt::format(", 95 % interval [{:.4f}, {:.4f}]", result.interval->low,
                        result.interval->high);
  }
  if (result.true_value) text += fmt::format(", true value {:.4f}", *result.true_value);
  return text + '\n';
}

/// The training instances, or the one of that name.
InstanceList chosen_instances(const Instances& instances, const std::string& name) {
  if (name.empty()) return instances.train;
  if (const Instance* instance = instances.find(name)) return InstanceList({*instance});
  std::vector<std::string> names;
  for (const InstanceList* list : {&instances.train, &instances.test}) {
    for (const Instance& instance : list->all()) names.push_back(instance.name);
  }
  if (names.empty()) throw InputError("--instance: the study has no 'instances:'");
  throw InputError("--instance: " + unknown_instance(name, names));
}

}  // namespace

int eval_command(const EvalArguments& arguments, const Terminal& terminal) {
  const Study study = read_study(read_yaml(arguments.study), nullptr, StudyUse::kObjective);
  if (study.objectives.size() > 1) {
    throw InputError(
        fmt::format("{}: objectives: ntune eval needs a study of one objective", arguments.study));
  }
  const Objective& objective = *study.objectives.front().objective;
  const Point point = read_settings("--set", arguments.settings, [&](const YamlNode& map) {
    return read_point(map, objective.space(), default_values(study));
  });

  const auto seed = arguments.seed ? static_cast<std::uint64_t>(*arguments.seed) : study.seed;
  const Rng rng(seed);
  const InstanceList instances = chosen_instances(study.instances, arguments.instance);
  Parallel parallel(arguments.threads.value_or(study.execution.threads));
  std::vector<double> payoffs(static_cast<std::size_t>(arguments.times));
  std::vector<GameCounts> games(payoffs.size());
  end_at_signals();  // nothing is kept of what is interrupted
  parallel.for_each(payoffs.size(), [&](std::size_t i) {
    if (terminal.is_interrupted()) return;
    const EvaluationId id{.evaluation = static_cast<std::int64_t>(i),
                          .instance = instances.at(rng.stream("instances"), i)};
    const Outcome outcome = evaluate_checked(objective, point, rng.stream("eval", i), id);
    payoffs[i] = outcome.payoff;
    games[i] = outcome.games;
  });
  if (terminal.is_interrupted()) return kInterrupted;
  GameCounts all_games;
  for (const GameCounts& one : games) all_games.add(one);
  const PointResult result = result_of(objective, point, stats_of(payoffs), all_games);
  switch (arguments.format) {
    case Format::kJson:
      terminal.out << point_json_text(result, point_json(point, objective.space()));
      break;
    case Format::kCsv:
      terminal.out << point_csv(result);
      break;
    case Format::kText:
      terminal.out << point_text(result, objective.space().text(point));
      break;
  }
  return kDone;
}

}  // namespace ntune::cli
