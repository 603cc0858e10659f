#include "ntune/study/journal/replay.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/study_log.h"

namespace ntune {

namespace {

std::string folder_text(const RecordedStudy& recorded) {
  return printable(recorded.folder().string(), 1000);
}

/// A journal as a log to which nothing is added.
class ReplayLog final : public StudyLog {
 public:
  explicit ReplayLog(const RecordedStudy& recorded)
      : results_(recorded.study(), recorded.journal_name()) {
    recorded.scan([this](const JournalLine& line) { results_.add(line); });
    results_.finish();
  }

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key,
                                            const Point& point) const override {
    return results_.find(key, point);
  }
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override {
    return results_.find_run(cell, repeat, run);
  }
  void append(const Request&, const Outcome&, Time, Time) override {}
  void append_run(std::uint32_t, const RunRecord&) override {}

 private:
  RecordedResults results_;
};

/// Takes every evaluation from the log; an evaluation that the log lacks is never carried out.
class ReplayEvaluator final : public LocalEvaluator {
 public:
  ReplayEvaluator(const RecordedStudy& recorded, bool partial, StudyProgress& progress,
                  StudyLog& log)
      : LocalEvaluator(recorded.study(), progress, &log), recorded_(recorded), partial_(partial) {}

  std::optional<Evaluated> evaluate(const Request& request) override {
    if (holds_runs()) return LocalEvaluator::evaluate(request);
    std::optional<Evaluated> known = recall(request);
    if (!known) miss(request.key);
    return known;
  }
  std::unique_ptr<Ticket> submit(const Request& request) override {
    if (holds_runs()) return LocalEvaluator::submit(request);
    return ready_ticket(evaluate(request));
  }
  /// Missing evaluations are left out in the order in which the study asks: one thread.
  [[nodiscard]] bool threaded() const override { return holds_runs() || !partial_; }

  /// Cell and repeat of the picks for which evaluations or runs are missing.
  [[nodiscard]] const std::set<std::pair<std::uint32_t, std::int64_t>>& incomplete() const {
    return incomplete_;
  }

 protected:
  RunRecord perform_run(const RunTask& task, Parallel& parallel) override {
    if (!holds_runs()) return LocalEvaluator::perform_run(task, parallel);
    miss({.cell = task.cell, .repeat = task.repeat, .run = task.run});
    return {.repeat = task.repeat, .run = task.run};
  }

 private:
  [[nodiscard]] bool holds_runs() const { return study().record == Recording::kRuns; }

  void miss(const EvaluationKey& key) {
    if (!partial_) {
      throw InputError(fmt::format(
          "{}: the study is not finished ({} is missing); go on with it by `ntune run … --resume`, "
          "or merge what there is with --partial",
          folder_text(recorded_), missing(key)));
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
  std::mutex mutex_;
  std::set<std::pair<std::uint32_t, std::int64_t>> incomplete_;
};

}  // namespace

StudyResult replay_study(const RecordedStudy& recorded, bool partial, StudyProgress& progress) {
  const Study& study = recorded.study();
  const bool external = std::ranges::any_of(
      study.objectives, [](const StudyObjective& entry) { return entry.objective->is_external(); });
  if (study.record == Recording::kRuns && external) {
    throw InputError(fmt::format(
        "{}: the journal holds runs, not what compared them; to merge studies of a program they "
        "need `record: evaluations`",
        folder_text(recorded)));
  }
  ReplayLog log(recorded);
  ReplayEvaluator evaluator(recorded, partial, progress, log);
  StudyResult result = run_study(evaluator);
  for (const auto& [cell, repeat] : evaluator.incomplete()) {
    result.cells[cell].picks[static_cast<std::size_t>(repeat)].finished = false;
    result.interrupted = true;
  }
  return result;
}

}  // namespace ntune
