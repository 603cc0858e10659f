#include "ntune/study/run_study.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/choice/final_choice.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/search_trace.h"

namespace ntune {

namespace {

/// Executes a study cell by cell; every piece of work is named by its indices.
class StudyRun {
 public:
  StudyRun(Evaluator& evaluator, StudyObserver* observer)
      : study_(evaluator.study()),
        progress_(evaluator.progress()),
        evaluator_(evaluator),
        observer_(observer),
        parallel_(evaluator.backend().threads()) {}

  StudyResult run() {
    StudyResult result;
    make_cells(result);
    run_all(result);
    check_recommendations(result);
    choose_all(result);
    evaluator_.recorder().check();
    count_evaluations(result);
    if (evaluator_.allowance().is_limited()) result.spending = spending_of(result);
    result.interrupted = progress_.stop;
    return result;
  }

 private:
  [[nodiscard]] const Objective& objective(const CellResult& cell) const {
    return *study_.objectives[cell.objective].objective;
  }

  [[nodiscard]] Spending spending_of(const StudyResult& result) {
    const CellResult& cell = result.cells.front();
    const Pick& pick = cell.picks.front();
    Spending spending{.plan = pick.made.value_or(RunPlan{.runs = study_.plans.front().runs}),
                      .cost = pick.cost};
    for (const RunRecord& run : cell.runs) spending.cost += run.usage.cost;
    if (study_.limits.seconds) spending.seconds = evaluator_.allowance().recorded();
    return spending;
  }

  void make_cells(StudyResult& result) const {
    for (std::size_t o = 0; o < study_.objectives.size(); ++o) {
      for (std::size_t p = 0; p < study_.plans.size(); ++p) {
        for (std::size_t a = 0; a < study_.optimisers.size(); ++a) {
          CellResult cell{.objective = o, .plan = p, .optimiser = a, .runs = {}, .picks = {}};
          const std::int64_t runs = study_.plans[p].runs;
          for (std::int64_t i = 0; i < study_.repeats * runs; ++i) {
            RunRecord& record = cell.runs.emplace_back();
            record.repeat = i / runs;
            record.run = i % runs;
          }
          cell.picks.resize(static_cast<std::size_t>(study_.repeats));
          for (std::int64_t i = 0; i < study_.repeats; ++i) {
            cell.picks[static_cast<std::size_t>(i)].repeat = i;
          }
          result.cells.push_back(std::move(cell));
        }
      }
    }
  }

  /// In parallel, or in order where evaluations can be asked for on one thread only.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
    if (evaluator_.backend().threaded()) return parallel_.for_each(count, body);
    for (std::size_t i = 0; i < count; ++i) body(i);
  }

  void run_all(StudyResult& result) {
    std::vector<std::pair<std::uint32_t, RunRecord*>> work;
    for (std::uint32_t i = 0; i < result.cells.size(); ++i) {
      for (RunRecord& record : result.cells[i].runs) work.emplace_back(i, &record);
    }
    for_each(work.size(), [&](std::size_t i) {
      if (progress_.stop) return;
      run_record(work[i].first, *work[i].second);
    });
  }

  /// Takes a run from the log, or makes it now and records it.
  void run_record(std::uint32_t cell, RunRecord& record) {
    EvaluationRecorder& recorder = evaluator_.recorder();
    const EvaluationKey name{.cell = cell, .repeat = record.repeat, .run = record.run};
    if (auto known = recorder.log().find_run(cell, record.repeat, record.run)) {
      record = *std::move(known);
      const std::int64_t evaluations = record.evaluations + record.hold_out.evaluations;
      progress_.evaluations += evaluations;
      progress_.recalled += evaluations;
    } else {
      RunTask task = make_run_task(study_, cell, record.repeat, record.run);
      task.keeps_trace = recorder.has_log() && keeps_trace(study_, cell, record.repeat, record.run);
      record = make_run(task);
      if (observer_ != nullptr) observer_->made_run(task, record);
      recorder.record_run(cell, record);
    }
    for (const InstanceAnswers& answers : record.answers) evaluator_.answers().add(name, answers);
    ++progress_.runs;
  }

  /// Has the backend make a whole run, or else asks, evaluates and tells here.
  RunRecord make_run(const RunTask& task) {
    try {
      // Limits are of all runs together: they are looked at here.
      auto dealt = evaluator_.allowance().is_limited()
                       ? std::nullopt
                       : evaluator_.backend().run(task, progress_.stop);
      if (dealt) {
        progress_.evaluations += dealt->evaluations + dealt->hold_out.evaluations;
        return *std::move(dealt);
      }
    } catch (const EvaluationError&) {
      progress_.stop = true;
      throw;
    }
    return run_once(task, evaluator_, parallel_);
  }

  /// Ends the study if all runs of a cell have measured nothing. One that was stopped
  /// counts no evaluations.
  void check_recommendations(const StudyResult& result) const {
    if (progress_.stop) return;
    for (const CellResult& cell : result.cells) {
      if (std::ranges::any_of(cell.runs, [](const RunRecord& run) {
            return run.finished || run.evaluations == 0;
          })) {
        continue;
      }
      std::int64_t count = 0;
      FailureStatistics failures;
      for (const RunRecord& run : cell.runs) {
        count += run.failures;
        failures.merge(run.failure_statistics);
      }
      const auto causes = failures.causes.sorted();
      throw EvaluationError(fmt::format(
          "all {} of {} failed: {}{}{}{}", counted(count, "evaluation"),
          counted(cell.runs.size(), "run"), objective(cell).description(),
          causes.empty() ? "" : "; most often: ", causes.empty() ? "" : causes.front().text,
          is_external(objective(cell)) ? " (ntune check --dry-run shows one)" : ""));
    }
  }

  void choose_all(StudyResult& result) {
    std::vector<std::pair<std::uint32_t, Pick*>> work;
    for (std::uint32_t i = 0; i < result.cells.size(); ++i) {
      for (Pick& pick : result.cells[i].picks) work.emplace_back(i, &pick);
    }
    for_each(work.size(), [&](std::size_t i) {
      choose_recommendation(evaluator_, parallel_, work[i].first, result.cells[work[i].first],
                            *work[i].second);
    });
  }

  void count_evaluations(StudyResult& result) const {
    result.contradictions = evaluator_.answers().contradictions();
    result.failure_statistics.resize(study_.objectives.size());
    if (!study_.is_comparison()) {
      result.payoffs_by_value = PayoffsByValue(study_.objectives.front().objective->space());
    }
    for (const CellResult& cell : result.cells) {
      FailureStatistics& failures = result.failure_statistics[cell.objective];
      for (const RunRecord& run : cell.runs) {
        if (run.evaluations == 0) continue;  // stopped: its failures do not count either
        result.search_evaluations += run.evaluations;
        result.hold_out_evaluations += run.hold_out.evaluations;
        result.failures += run.failures;
        result.set_aside += run.set_aside.payoffs;
        result.endings.merge(run.endings);
        failures.merge(run.failure_statistics);
        result.payoffs_by_value.merge(run.payoffs_by_value);
      }
      for (const Pick& pick : cell.picks) {
        result.re_evaluations += pick.comparison.evaluations;
        result.hold_out_evaluations += pick.hold_out.evaluations;
        if (pick.incumbent) result.hold_out_evaluations += pick.incumbent->hold_out.evaluations;
        result.failures += pick.failures;
        result.endings.merge(pick.endings);
        failures.causes.merge(pick.failure_causes);
      }
    }
  }

  const Study& study_;
  StudyProgress& progress_;
  Evaluator& evaluator_;
  StudyObserver* observer_;
  Parallel parallel_;
};

}  // namespace

StudyResult run_study(const Study& study, Backend& backend, StudyProgress& progress, StudyLog* log,
                      StudyObserver* observer) {
  progress.total_evaluations = total_evaluations(study);
  progress.seconds_limit = study.limits.seconds.value_or(0.0);
  progress.cost_limit = study.limits.cost.value_or(0.0);
  progress.total_runs = 0;
  for (const RunPlan& plan : study.plans) {
    progress.total_runs +=
        plan.runs * study.repeats *
        static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
  }
  Evaluator evaluator(study, backend, progress, log, observer);
  return StudyRun(evaluator, observer).run();
}

StudyResult run_study(const Study& study, StudyProgress& progress, StudyLog* log) {
  LocalBackend backend(study.execution.threads);
  return run_study(study, backend, progress, log);
}

}  // namespace ntune
