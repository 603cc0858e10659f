// A study carried out again from its journal.

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run_study.h"

namespace ntune {

namespace {

std::string folder_text(const RecordedStudy& recorded) {
  return printable(recorded.folder().string(), 1000);
}

/// Carries nothing out that the log lacks. Where the journal holds runs, only the evaluations that
/// compare their recommendations are made again.
class ReplayBackend final : public Backend {
 public:
  ReplayBackend(const RecordedStudy& recorded, bool partial)
      : recorded_(recorded), partial_(partial), local_(recorded.study().execution.threads) {}

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
  /// Missing evaluations are left out in the order in which the study asks: one thread.
  [[nodiscard]] bool threaded() const override { return holds_runs() || !partial_; }
  [[nodiscard]] int threads() const override { return local_.threads(); }

  /// Cell and repeat of the picks for which evaluations or runs are missing.
  [[nodiscard]] const std::set<std::pair<std::uint32_t, std::int64_t>>& incomplete() const {
    return incomplete_;
  }

 private:
  [[nodiscard]] bool holds_runs() const {
    return recorded_.study().execution.record == Recording::kRuns;
  }

  /// Notes what the journal lacks; without `partial` that is an error.
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
  LocalBackend local_;
  std::mutex mutex_;
  std::set<std::pair<std::uint32_t, std::int64_t>> incomplete_;
};

}  // namespace

StudyResult replay_study(const RecordedStudy& recorded, bool partial, StudyProgress& progress) {
  const Study& study = recorded.study();
  // Runs alone do not say what compared them: it is made again, but for programs.
  const bool external = std::ranges::any_of(
      study.objectives, [](const StudyObjective& entry) { return is_external(*entry.objective); });
  if (study.execution.record == Recording::kRuns && external) {
    throw InputError(fmt::format(
        "{}: the journal holds runs, not what compared them; to merge studies of a program they "
        "need `record: evaluations`",
        folder_text(recorded)));
  }
  RecordedResults log(study, recorded.journal_name());
  recorded.scan([&](const JournalLine& line) { log.add(line); });
  log.finish();
  ReplayBackend backend(recorded, partial);
  StudyResult result = run_study(study, backend, progress, &log);
  // What lacks evaluations is left out of the result.
  for (const auto& [cell, repeat] : backend.incomplete()) {
    result.cells[cell].picks[static_cast<std::size_t>(repeat)].finished = false;
    result.interrupted = true;
  }
  return result;
}

}  // namespace ntune
