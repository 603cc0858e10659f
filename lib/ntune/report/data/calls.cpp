#include "ntune/report/data/calls.h"

#include <algorithm>
#include <chrono>

#include "ntune/core/hash.h"
#include "ntune/core/rng.h"
#include "ntune/objective/objective.h"
#include "ntune/study/export/export_records.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

namespace {

/// What a program was given as its seed, which is drawn first.
std::optional<std::int64_t> seed_of(const StudyObjective& objective, const Study& study,
                                    const JournalLine& line) {
  const bool is_command = objective.options.is_object() && (objective.options.contains("command") ||
                                                            objective.options.contains("worker"));
  if (!is_command || objective.objective->matches() != nullptr) return std::nullopt;
  std::optional<Rng> stream = stream_of(study, line);
  if (!stream) return std::nullopt;
  return draw_program_seed(*stream);
}

/// A recorded evaluation with its instance and the seed of its program.
Call call_of(const StudyFolder& study, const RecordedTrial& trial, std::int64_t number) {
  const JournalLine& line = *trial.line;
  const StudyObjective& objective = study.study.objectives[trial.objective];
  Call call{.number = number,
            .key = line.key,
            .point = trial.point,
            .against = trial.opponent.value_or(Point()),
            .value = trial.value,
            .cost = line.cost,
            .seconds = trial.seconds,
            .seed = seed_of(objective, study.study, line),
            .ending = line.ending,
            .failure = line.failure};
  // An instance stands in the line, or follows from the key of the call.
  const InstanceList& instances = study.study.instances.of(line.key.stage);
  if (line.instance && *line.instance < instances.size()) {
    call.instance = instances[*line.instance].name;
  } else if (!instances.empty()) {
    call.instance = study.study.instances.of(study.study.seed, line.key, line.block)->name;
  }
  return call;
}

/// Whether a call is one of those that are held, by its name: every second, every fourth and so on
/// of those that did not fail. Where nearly all have failed, these are too many as well.
bool is_held(const Call& call, std::uint64_t every) {
  constexpr std::uint64_t kFailuresStay = 16;
  if (!call.value) every /= kFailuresStay;
  return every < 2 || mix64(call.key.hash()) % every == 0;
}

/// All calls of a journal of evaluations, and their times if every line has them.
void read_journal(const StudyFolder& study, Calls& calls) {
  using Seconds = std::chrono::duration<double>;
  std::optional<JournalLine::Time> first;
  std::uint64_t every = 1;
  bool timed = true;
  for_each_trial(*study.journal, [&](const RecordedTrial& trial) {
    const JournalLine& line = *trial.line;
    if (line.kind == JournalLine::Kind::kRun || trial.is_offered()) return;
    ++calls.of;
    add_to_sample(calls.list, every, Calls::kMost, call_of(study, trial, calls.of), is_held);
    timed = timed && line.start && line.end;
    if (!timed) return;
    if (!first) first = line.start;
    // Times are seconds from the first line, moved to the earliest begin below.
    calls.times.push_back({.begin = Seconds(*line.start - *first).count(),
                           .end = Seconds(*line.end - *first).count(),
                           .failed = line.kind == JournalLine::Kind::kFailure,
                           .number = calls.of});
  });
  if (!timed) calls.times.clear();
  if (calls.times.empty()) return;
  std::ranges::stable_sort(calls.times, {}, &CallTime::begin);
  const double begin = calls.times.front().begin;
  for (CallTime& time : calls.times) {
    time.begin -= begin;
    time.end -= begin;
  }
}

/// The calls that the searches' samples hold.
void take_samples(const StudyFolder& study, const std::vector<EvaluationSample>& samples,
                  Calls& calls) {
  calls.of_searches = true;
  for (const EvaluationSample& sample : samples) {
    for (const SearchEvaluation& one : sample.evaluations()) {
      Call call{.number = std::ssize(calls.list) + 1,
                .key = {.cell = static_cast<std::uint32_t>(one.cell),
                        .repeat = one.repeat,
                        .run = one.run,
                        .index = one.index},
                .point = one.point};
      // A sample has payoffs, which a page tells in the reported unit.
      if (!one.failed) call.value = study.objective(one.cell).unit().value_of(one.payoff);
      calls.list.push_back(std::move(call));
    }
    calls.of += sample.of();
  }
}

}  // namespace

Calls calls_of(const StudyFolder& study, const std::vector<EvaluationSample>& samples) {
  Calls calls;
  const bool recorded = study.journal && study.study.execution.record == Recording::kEvaluations;
  if (recorded) {
    read_journal(study, calls);
  } else {
    take_samples(study, samples, calls);
  }
  return calls;
}

}  // namespace ntune
