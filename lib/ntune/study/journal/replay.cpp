#include "ntune/study/journal/replay.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/backend.h"
#include "ntune/study/run.h"
#include "ntune/study/run_study.h"
#include "ntune/study/study_log.h"

namespace ntune {

namespace {

std::string shown(const RecordedStudy& recorded) {
  return printable(recorded.folder().string(), 1000);
}

/// What a journal holds, by name.
class ReplayLog final : public StudyLog {
 public:
  explicit ReplayLog(const RecordedStudy& recorded) : recorded_(recorded) {
    recorded.scan([this](const JournalLine& line) { remember(line); });
  }

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key,
                                            const Point& point) const override {
    const auto found = evaluations_.find(key);
    if (found == evaluations_.end()) return std::nullopt;
    const auto& [recorded_point, outcome] = found->second;
    if (recorded_point != std::hash<Point>()(point)) {
      throw InputError(fmt::format(
          "{}: evaluation {} of run {} was of another point than this program asks for: another "
          "version has made the journal",
          shown(recorded_), key.index, key.run));
    }
    return outcome;
  }

  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override {
    const auto found = runs_.find({cell, repeat, run});
    if (found == runs_.end()) return std::nullopt;
    return found->second;
  }

  void append(const Request&, const Outcome&, Time, Time) override {}
  void append_run(std::uint32_t, const RunRecord&) override {}

 private:
  struct Hash {
    std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
  };

  void remember(const JournalLine& line) {
    using Kind = JournalLine::Kind;
    if (line.kind == Kind::kRun) {
      runs_[{line.key.cell, line.run.repeat, line.run.run}] = run_of(line);
    } else if (line.kind == Kind::kEvaluation || line.kind == Kind::kFailure) {
      Outcome outcome;
      if (line.kind == Kind::kFailure) {
        outcome.failure = "recorded as failed";
      } else {
        outcome.payoff = stats_of(line.payoffs).mean();
        if (line.payoffs.size() > 1) outcome.observations = line.payoffs;
      }
      evaluations_[line.key] = {std::hash<Point>()(Point(line.point)), std::move(outcome)};
    }
  }

  [[nodiscard]] RunRecord run_of(const JournalLine& line) const {
    const Study& study = recorded_.study();
    const Objective& own = *study.objectives[study.objective_of(line.key.cell)].objective;
    RunRecord run = line.run;
    run.point = Point(line.point);
    run.true_value = true_value_of(own, run.point);
    run.score = run.true_value;
    if (!run.score && run.hold_out.count() > 0)
      run.score = own.unit().value_of(run.hold_out.mean());
    return run;
  }

  const RecordedStudy& recorded_;
  std::unordered_map<EvaluationKey, std::pair<std::uint64_t, Outcome>, Hash> evaluations_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, RunRecord> runs_;
};

/// Never makes what the log lacks, but for what compared runs where the journal holds runs.
class ReplayBackend final : public Backend {
 public:
  ReplayBackend(const RecordedStudy& recorded, bool partial)
      : recorded_(recorded), partial_(partial), local_(recorded.study().threads) {}

  std::optional<Outcome> evaluate(const Request& request) override {
    if (holds_runs()) return local_.evaluate(request);
    miss(request.key);
    return std::nullopt;
  }
  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    if (holds_runs()) return local_.submit(request, std::move(finish));
    miss(request.key);
    finish(std::nullopt, {});
    return nullptr;
  }
  std::optional<RunRecord> run(const RunTask& task, const std::atomic<bool>& /*stop*/) override {
    if (!holds_runs()) return std::nullopt;
    miss({.cell = task.cell, .repeat = task.repeat, .run = task.run});
    return RunRecord{.repeat = task.repeat, .run = task.run};
  }
  /// What is missing can be left out in order only.
  [[nodiscard]] bool threaded() const override { return holds_runs() || !partial_; }
  [[nodiscard]] int threads() const override { return local_.threads(); }

  /// Picks that lack something, by cell and repeat.
  [[nodiscard]] const std::set<std::pair<std::uint32_t, std::int64_t>>& incomplete() const {
    return incomplete_;
  }

 private:
  [[nodiscard]] bool holds_runs() const { return recorded_.study().record == Recording::kRuns; }

  void miss(const EvaluationKey& key) {
    if (!partial_) {
      throw InputError(fmt::format(
          "{}: the study is not finished ({} is missing); go on with it by `ntune run … --resume`, "
          "or merge what there is with --partial",
          shown(recorded_), missing(key)));
    }
    const std::lock_guard lock(mutex_);
    incomplete_.emplace(key.cell, key.repeat);
  }

  [[nodiscard]] std::string missing(const EvaluationKey& key) const {
    if (holds_runs()) return fmt::format("run {}", key.run);
    return fmt::format("{} evaluation {}{}", stage_name(key.stage), key.index,
                       key.run < 0 ? "" : fmt::format(" of run {}", key.run));
  }

  const RecordedStudy& recorded_;
  bool partial_;
  LocalBackend local_;
  std::mutex mutex_;
  std::set<std::pair<std::uint32_t, std::int64_t>> incomplete_;
};

}  // namespace

StudyResult replay_study(const RecordedStudy& recorded, bool partial, StudyProgress& progress) {
  const Study& study = recorded.study();
  const bool external = std::ranges::any_of(
      study.objectives, [](const StudyObjective& entry) { return is_external(*entry.objective); });
  if (study.record == Recording::kRuns && external) {
    throw InputError(fmt::format(
        "{}: the journal holds runs, not what compared them; to merge studies of a program they "
        "need `record: evaluations`",
        shown(recorded)));
  }
  ReplayLog log(recorded);
  ReplayBackend backend(recorded, partial);
  StudyResult result = run_study(study, backend, progress, &log);
  for (const auto& [cell, repeat] : backend.incomplete()) {
    result.cells[cell].picks[static_cast<std::size_t>(repeat)].finished = false;
    result.interrupted = true;
  }
  return result;
}

}  // namespace ntune
