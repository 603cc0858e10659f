#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/settings.h"
#include "apps/ntune/aggregate_note.h"
#include "apps/ntune/commands.h"
#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/parallel.h"
#include "ntune/core/program.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/facts/result_facts.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/failure_statistics.h"
#include "ntune/study/model/goal_front.h"
#include "ntune/study/results/result_json.h"

namespace ntune::cli {

namespace {

/// What evaluations of a point came to, in the reported unit.
struct Measured {
  std::int64_t n = 0;         ///< payoffs
  std::int64_t failures = 0;  ///< without a payoff, or with the one that `fail:` gives them
  double value = 0.0;
  double sd = 0.0;
  std::optional<Interval> interval = {};

  [[nodiscard]] Json json() const {
    return {{"n", n},
            {"failures", failures},
            {"value", n > 0 ? Json(value) : Json()},
            {"sd", n > 1 ? Json(sd) : Json()},
            {"interval", interval ? Json::array({interval->low, interval->high}) : Json()}};
  }
};

/// The same of one instance.
struct OnInstance {
  std::string name;
  Measured measured;
};

struct PointResult {
  Measured measured = {};
  std::optional<double> true_value = {};
  std::vector<OnInstance> instances = {};  ///< where there are several
  FailureCauses causes = {};
  GameCounts games = {};
  EarlyEndings endings = {};
};

/// The evaluations of a point, one after the other.
class Evaluations {
 public:
  explicit Evaluations(const PayoffSource& source) : source_(source) {}

  /// Evaluations whose mean is that of the instances by their weights.
  Evaluations(const PayoffSource& source, const InstanceList& instances)
      : source_(source), instances_(&instances) {}

  void add(const Evaluated& evaluated, std::size_t instance = 0) {
    failures_ += evaluated.failed() ? 1 : 0;
    if (evaluated.skipped) return;
    payoffs_.push_back(evaluated.payoff);
    by_games_.push_back({evaluated.payoff, static_cast<double>(evaluated.games.games.games())});
    instance_of_.push_back(instance);
    games_.add(evaluated.games);
  }
  [[nodiscard]] Measured result() const {
    const RunningStats payoffs = stats_of(payoffs_);
    Measured measured{.n = payoffs.count(), .failures = failures_};
    if (measured.n == 0) return measured;
    const MeanSample sample =
        instances_ == nullptr ? weighed_by_games(payoffs, by_games_) : by_instance();
    measured.value = source_.objective.unit().value_of(sample.mean.mean());
    measured.sd = source_.objective.unit().size() * payoffs.sd();
    measured.interval = payoff_interval(source_, sample, games_.games_each(payoffs.count()));
    return measured;
  }

 private:
  [[nodiscard]] MeanSample by_instance() const {
    std::vector<std::vector<double>> payoffs(instances_->size());
    for (std::size_t i = 0; i < payoffs_.size(); ++i) {
      payoffs[instance_of_[i]].push_back(payoffs_[i]);
    }
    return weighted_mean(*instances_, stats_by_instance(payoffs));
  }

  PayoffSource source_;
  const InstanceList* instances_ = nullptr;
  std::vector<std::size_t> instance_of_;  ///< by payoff
  std::vector<double> payoffs_;
  std::vector<PayoffOfGames> by_games_;
  GameCounts games_;
  std::int64_t failures_ = 0;
};

std::string point_json_text(const PointResult& result, const Json& parameters) {
  Json json = {{"parameters", parameters}};
  json.update(result.measured.json());
  json["true_value"] = result.true_value ? Json(*result.true_value) : Json();
  const WinDrawLoss& games = result.games.games;
  if (!result.games.empty()) {
    json["games"] = {{"wins", games.wins}, {"draws", games.draws}, {"losses", games.losses}};
    if (result.games.are_paired()) json["games"]["pentanomial"] = result.games.pairs.counts;
    json["forfeits"] = forfeits_json(result.endings);
  }
  for (const OnInstance& one : result.instances) {
    Json row = one.measured.json();
    row["instance"] = one.name;
    json["instances"].push_back(std::move(row));
  }
  return json.dump(2) + '\n';
}

std::string point_csv(const PointResult& result) {
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{}", *x) : std::string();
  };
  const Measured& measured = result.measured;
  return fmt::format("n,value,sd,low,high,true_value,failures\n{},{},{},{},{},{},{}\n", measured.n,
                     measured.value, measured.n > 1 ? number(measured.sd) : "",
                     measured.interval ? number(measured.interval->low) : "",
                     measured.interval ? number(measured.interval->high) : "",
                     number(result.true_value), measured.failures);
}

std::string instances_text(const std::vector<OnInstance>& instances) {
  TextTable table({"<instance", "value", "95 % interval", "n", "failed"});
  for (const auto& [name, measured] : instances) {
    table.add_row({printable(name, 40), measured.n > 0 ? score_text(measured.value) : "",
                   measured.interval ? score_interval_text(*measured.interval) : "",
                   count_text(measured.n),
                   measured.failures > 0 ? count_text(measured.failures) : ""});
  }
  return '\n' + table.text();
}

std::string point_text(const PointResult& result, const std::string& point) {
  const Measured& measured = result.measured;
  const std::string faults = forfeits_text(result.endings);
  std::string text = are_many_forfeits(result.endings)
                         ? wrapped("Look at the games first: " + faults, 2) + "\n\n"
                         : std::string();
  text += fmt::format("{}\nvalue {}{}, {}", point, score_text(measured.value, measured.interval),
                      measured.n > 1 ? ", sd " + score_text(measured.sd) : "",
                      counted(measured.n, "evaluation"));
  if (measured.interval) {
    text += fmt::format(", 95 % interval {}", score_interval_text(*measured.interval));
  }
  if (result.true_value) text += ", true value " + score_text(*result.true_value);
  text += '\n';
  if (const WinDrawLoss& games = result.games.games; games.games() > 0) {
    text += fmt::format("{}: {} won, {} drawn, {} lost\n", counted(games.games(), "game"),
                        count_text(games.wins), count_text(games.draws), count_text(games.losses));
    if (!faults.empty() && !are_many_forfeits(result.endings)) text += faults + '\n';
  }
  for (const FailureCauses::Cause& cause : result.causes.sorted()) {
    text += fmt::format("{} failed: {}\n", count_text(cause.count), cause.text);
  }
  return result.instances.empty() ? text : text + instances_text(result.instances);
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

/// The failed call with the lowest number, whichever fails first: for any number of threads the
/// same. Calls behind it need not be made.
class FirstFailure {
 public:
  [[nodiscard]] bool is_before(std::size_t call) const { return call_ < call; }
  [[nodiscard]] const std::optional<FailedCall::Facts>& facts() const { return facts_; }
  [[nodiscard]] std::size_t call() const { return call_; }
  void add(std::size_t call, FailedCall::Facts facts) {
    const std::lock_guard lock(mutex_);
    if (is_before(call)) return;
    call_ = call;
    facts_ = std::move(facts);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> call_{std::numeric_limits<std::size_t>::max()};
  std::optional<FailedCall::Facts> facts_;
};

/// The calls of a point, in their order.
struct Calls {
  explicit Calls(std::int64_t times)
      : evaluations(static_cast<std::size_t>(times)), visited(evaluations.size()) {}

  std::vector<Evaluated> evaluations;
  std::vector<const Instance*> visited;
  FirstFailure failure = {};
};

/// Makes call i, on the instance whose turn it is.
void make_call(std::size_t i, const Study& study, const Point& point, const InstanceList& instances,
               const Rng& rng, Calls& calls) {
  const Objective& objective = *study.objectives.front().objective;
  const FailurePolicy& rule = study.execution.on_failure;
  calls.visited[i] = instances.at(rng.stream("instances"), i);
  const EvaluationId id{.evaluation = static_cast<std::int64_t>(i), .instance = calls.visited[i]};
  const Rng stream = rng.stream("eval", i);
  const auto begin = Clock::now();
  Outcome outcome = carry_out(objective, point, stream, id);
  if (outcome.blame == Blame::kMachine) throw EvaluationError(outcome.failure);
  if (rule.kind == FailurePolicy::Kind::kAbort && !outcome.failure.empty()) {
    FailedCall::Facts call = facts_of_failure(objective, point, nullptr, outcome.failure);
    call.seconds = seconds_since(begin);
    calls.failure.add(i, std::move(call));
    return;
  }
  calls.evaluations[i] = rate(rule, objective.unit(), std::move(outcome));
}

/// What the calls came to, in all and by instance.
PointResult result_of(const Calls& calls, const PayoffSource& source, const Point& point,
                      const InstanceList& instances) {
  PointResult result{.true_value = true_value_of(source.objective, point)};
  Evaluations all = instances.size() < 2 ? Evaluations(source) : Evaluations(source, instances);
  std::map<const Instance*, Evaluations> by_instance;  // in the order of their list
  for (std::size_t i = 0; i < calls.evaluations.size(); ++i) {
    const Evaluated& evaluated = calls.evaluations[i];
    const Instance* instance = calls.visited[i];
    all.add(evaluated,
            instances.empty() ? 0 : static_cast<std::size_t>(instance - instances.all().data()));
    result.games.add(evaluated.games);
    result.endings.add(evaluated.ending, evaluated.games);
    if (evaluated.failed()) result.causes.add_failure(evaluated.failure);
    if (instances.size() < 2) continue;
    by_instance.try_emplace(instance, source).first->second.add(evaluated);
  }
  result.measured = all.result();
  for (const auto& [instance, measured] : by_instance) {
    result.instances.push_back({instance->name, measured.result()});
  }
  return result;
}

/// Ends the command with what is known of a failed call.
[[noreturn]] void refuse(const FailedCall::Facts& call, const std::string& head,
                         const EvalArguments& arguments) {
  const std::string next = "ntune check --dry-run " + shown_word(arguments.study);
  throw EvaluationError(failed_call_text(call, head, next) + repeated_call_text(call));
}

}  // namespace

int eval_command(const EvalArguments& arguments, const Terminal& terminal) {
  const Study study = read_study(read_yaml(arguments.study), nullptr, StudyUse::kObjective);
  refuse_goals(study, "eval");
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
  Calls calls(arguments.times);
  end_at_signals();  // nothing is kept of what is interrupted
  parallel.for_each(calls.evaluations.size(), [&](std::size_t i) {
    if (terminal.is_interrupted() || calls.failure.is_before(i)) return;
    make_call(i, study, point, instances, rng, calls);
  });
  if (terminal.is_interrupted()) return kInterrupted;
  if (calls.failure.facts()) {
    refuse(*calls.failure.facts(),
           fmt::format("Call {} of {} failed; with `fail: skip` in the study failures are counted.",
                       count_text(calls.failure.call() + 1), count_text(calls.evaluations.size())),
           arguments);
  }
  const PointResult result = result_of(calls, source_in(study, objective), point, instances);
  if (result.measured.n == 0) {
    refuse(facts_of_failure(objective, point, nullptr, calls.evaluations.front().failure),
           fmt::format("All {} failed. The first:", counted(result.measured.failures, "call")),
           arguments);
  }
  switch (arguments.format) {
    case Format::kJson:
      terminal.out << point_json_text(result, point_json(point, objective.space()));
      break;
    case Format::kCsv:
      terminal.out << point_csv(result);
      break;
    case Format::kText:
      if (instances.size() > 1) note_aggregate(study, terminal);
      terminal.out << point_text(result, objective.space().text(point));
      break;
  }
  return kDone;
}

}  // namespace ntune::cli
