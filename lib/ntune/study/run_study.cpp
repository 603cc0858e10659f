#include "ntune/study/run_study.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/payoff_intervals.h"
#include "ntune/study/run.h"

namespace ntune {

namespace {

std::uint64_t unsigned_index(std::int64_t index) { return static_cast<std::uint64_t>(index); }

std::optional<double> held_out_value(const Objective& objective, const RunningStats& payoffs) {
  if (payoffs.count() == 0) return std::nullopt;
  return objective.unit().value_of(payoffs.mean());
}

/// The distinct recommendations of finished runs, in order of the runs.
std::vector<Candidate> distinct_recommendations(const Objective& objective,
                                                const std::vector<RunRecord>& runs,
                                                std::size_t first, std::size_t count) {
  std::vector<Candidate> candidates;
  for (std::size_t i = first; i < first + count; ++i) {
    const RunRecord& run = runs[i];
    if (!run.finished) continue;
    const double estimate = objective.unit().direction() * run.estimate;
    const auto same = std::ranges::find(candidates, run.point, &Candidate::point);
    if (same == candidates.end()) {
      candidates.push_back(
          {.point = run.point, .estimate = estimate, .run = run.run, .model_run = run.run});
    } else if (estimate > same->estimate) {
      same->estimate = estimate;
      same->model_run = run.run;
    }
  }
  return candidates;
}

/// Executes a study cell by cell; every piece of work is named by its indices.
class StudyRun {
 public:
  StudyRun(Evaluator& evaluator, StudyObserver* observer)
      : study_(evaluator.study()),
        progress_(evaluator.progress()),
        evaluator_(evaluator),
        observer_(observer),
        parallel_(evaluator.backend().threads()),
        root_(study_.seed) {}

  StudyResult run() {
    StudyResult result;
    make_cells(result);
    run_all(result);
    check_recommendations(result);
    choose_all(result);
    evaluator_.recorder().check();
    count_evaluations(result);
    result.interrupted = progress_.stop;
    return result;
  }

 private:
  [[nodiscard]] const Objective& objective(const CellResult& cell) const {
    return *study_.objectives[cell.objective].objective;
  }
  [[nodiscard]] const RunPlan& plan(const CellResult& cell) const {
    return study_.plans[cell.plan];
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
    if (auto known = recorder.recall_run(cell, record.repeat, record.run)) {
      record = *std::move(known);
      progress_.evaluations += record.evaluations + record.hold_out.evaluations;
    } else {
      const RunTask task = make_run_task(study_, cell, record.repeat, record.run);
      record = make_run(task);
      if (observer_ != nullptr) observer_->made_run(task, record);
      recorder.record_run(cell, record);
    }
    ++progress_.runs;
  }

  /// Has the backend make a whole run, or else asks, evaluates and tells here.
  RunRecord make_run(const RunTask& task) {
    try {
      if (auto dealt = evaluator_.backend().run(task, progress_.stop)) {
        progress_.evaluations += dealt->evaluations + dealt->hold_out.evaluations;
        return *std::move(dealt);
      }
    } catch (const EvaluationError&) {
      progress_.stop = true;
      throw;
    }
    return run_once(task, evaluator_, parallel_);
  }

  /// Ends the study if all runs of a cell have met nothing but failures. One that was stopped
  /// counts no evaluations.
  void check_recommendations(const StudyResult& result) const {
    if (progress_.stop) return;
    for (const CellResult& cell : result.cells) {
      if (std::ranges::any_of(cell.runs, [](const RunRecord& run) {
            return run.finished || run.evaluations == 0;
          })) {
        continue;
      }
      std::int64_t evaluations = 0;
      FailureStatistics failures;
      for (const RunRecord& run : cell.runs) {
        evaluations += run.evaluations;
        failures.merge(run.failure_statistics);
      }
      const auto causes = failures.causes.sorted();
      throw EvaluationError(fmt::format(
          "all {} of {} failed: {}{}{}{}", counted(evaluations, "evaluation"),
          counted(cell.runs.size(), "run"), objective(cell).description(),
          causes.empty() ? "" : "; most often: ", causes.empty() ? "" : causes.front().first,
          is_external(objective(cell)) ? " (ntune check --dry-run shows one)" : ""));
    }
  }

  void choose_all(StudyResult& result) {
    std::vector<std::pair<std::uint32_t, Pick*>> work;
    for (std::uint32_t i = 0; i < result.cells.size(); ++i) {
      for (Pick& pick : result.cells[i].picks) work.emplace_back(i, &pick);
    }
    for_each(work.size(), [&](std::size_t i) {
      choose(work[i].first, result.cells[work[i].first], *work[i].second);
    });
  }

  /// Re-evaluates what the runs of one repeat recommend, picks the best, and holds it out.
  void choose(std::uint32_t cell_index, const CellResult& cell, Pick& pick) {
    const RunPlan& plan = this->plan(cell);
    const auto first = static_cast<std::size_t>(pick.repeat * plan.runs);
    const auto runs = static_cast<std::size_t>(plan.runs);
    std::vector<Candidate> candidates =
        distinct_recommendations(objective(cell), cell.runs, first, runs);
    if (candidates.empty()) return;
    add_declared(candidates);
    const Rng rng = root_.stream("pick", unsigned_index(pick.repeat));
    EvaluationKey key{.cell = cell_index, .repeat = pick.repeat, .run = -1};
    const std::size_t winner = re_evaluate(evaluator_, objective(cell), candidates,
                                           plan.re_evaluation, key, rng, parallel_);
    take_winner(cell, candidates[winner], pick);
    pick.comparison.candidates = std::move(candidates);
    if (study_.unit == SampleUnit::kPicks && plan.hold_out > 0 && !progress_.stop) {
      hold_out(cell, key, rng, pick);
    } else if (study_.beginning.incumbent && !progress_.stop) {
      pick.incumbent = incumbent_beside(cell, pick);
      conclude(objective(cell), *pick.incumbent);
    }
    if (!study_.is_comparison()) judge(cell, rng, winner, pick);
    count_evaluations(std::span(cell.runs).subspan(first, runs), pick);
    pick.score =
        pick.true_value ? pick.true_value : held_out_value(objective(cell), pick.hold_out.payoffs);
    pick.finished = !progress_.stop;
  }

  /// How sure it is which candidate is the best, by all fresh payoffs.
  void judge(const CellResult& cell, const Rng& rng, std::size_t winner, Pick& pick) const {
    std::vector<Candidate>& candidates = pick.comparison.candidates;
    std::vector<MeasuredPoint> measured;
    for (const Candidate& candidate : candidates) {
      MeasuredPoint& point = measured.emplace_back(MeasuredPoint{.common = candidate.common});
      if (candidate.common.empty()) point.alone = candidate.payoffs;
    }
    if (objective(cell).payoffs().noisy) measured[winner].alone.merge(pick.hold_out.payoffs);
    const auto found = standings(measured, payoff_range(objective(cell)), rng.stream("standings"));
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].standing = found[i];
    pick.comparison.standing = found[winner];
  }

  /// The incumbent and the starts are candidates beside the recommendations, the last ones where
  /// not all can be compared.
  void add_declared(std::vector<Candidate>& candidates) const {
    std::int64_t run = kIncumbentRun;
    const auto add = [&](const Point& point) {
      if (std::ranges::find(candidates, point, &Candidate::point) != candidates.end()) return;
      candidates.push_back(
          {.point = point, .estimate = -std::numeric_limits<double>::infinity(), .run = run});
    };
    if (study_.beginning.incumbent) add(*study_.beginning.incumbent);
    for (const Point& start : study_.beginning.starts) {
      --run;
      add(start);
    }
  }

  [[nodiscard]] IncumbentComparison incumbent_beside(const CellResult& cell,
                                                     const Pick& pick) const {
    const Point& point = *study_.beginning.incumbent;
    IncumbentComparison comparison{.point = point, .recommended = pick.point == point};
    comparison.true_value = true_value_of(objective(cell), point);
    return comparison;
  }

  void take_winner(const CellResult& cell, const Candidate& best, Pick& pick) const {
    const auto first = static_cast<std::size_t>(pick.repeat * plan(cell).runs);
    const bool is_declared = best.run <= kIncumbentRun;
    pick.run = is_declared ? kNoRun : best.model_run;
    pick.point = best.point;
    if (is_declared) {
      pick.estimate = objective(cell).unit().value_of(best.payoffs.mean());
    } else {
      pick.estimate = objective(cell).unit().direction() * best.estimate;
      pick.certainty = cell.runs[first + static_cast<std::size_t>(best.model_run)].certainty;
    }
    pick.comparison.payoffs = best.payoffs;
    pick.true_value = true_value_of(objective(cell), best.point);
  }

  /// Counts what a pick has used: its runs, the comparison and the hold-out.
  static void count_evaluations(std::span<const RunRecord> runs, Pick& pick) {
    for (const Candidate& candidate : pick.comparison.candidates) {
      pick.comparison.evaluations += candidate.evaluations;
      pick.failures += candidate.failures;
      pick.failure_causes.merge(candidate.failure_causes);
    }
    pick.evaluations = pick.comparison.evaluations + pick.hold_out.evaluations;
    if (pick.incumbent) pick.evaluations += pick.incumbent->hold_out.evaluations;
    for (const RunRecord& run : runs) {
      pick.evaluations += run.evaluations + run.hold_out.evaluations;
    }
  }

  void hold_out(const CellResult& cell, EvaluationKey key, const Rng& rng, Pick& pick) {
    key.stage = Stage::kHoldOut;
    const Sample sample = fresh_sample(cell, pick.point, key, rng, pick.hold_out);
    pick.failures += sample.failures;
    pick.failure_causes.merge(sample.failure_causes);
    if (!study_.beginning.incumbent || sample.stopped) return;
    IncumbentComparison comparison = incumbent_beside(cell, pick);
    Sample other;
    if (comparison.recommended) {
      comparison.hold_out = pick.hold_out;
      comparison.hold_out.evaluations = 0;
    } else {
      key.run = kIncumbentRun;
      other = fresh_sample(cell, comparison.point, key, rng, comparison.hold_out);
      pick.failures += other.failures;
      pick.failure_causes.merge(other.failure_causes);
    }
    comparison.differences = differences_of(sample, other);
    conclude(objective(cell), comparison);
    pick.incumbent = comparison;
  }

  /// Fresh evaluations of a point; call i of every point has the same stream.
  Sample fresh_sample(const CellResult& cell, const Point& point, const EvaluationKey& key,
                      const Rng& rng, HoldOut& held_out) {
    Sample sample = draw_sample(
        evaluator_, objective(cell), point, plan(cell).hold_out, key,
        [&](std::uint64_t i) { return rng.stream("hold-out", i); }, parallel_);
    held_out.payoffs = stats_of(sample.payoffs);
    held_out.evaluations = sample.evaluations;
    held_out.games = sample.games;
    held_out.interval = payoff_interval(objective(cell), held_out.payoffs);
    return sample;
  }

  void count_evaluations(StudyResult& result) const {
    result.failure_statistics.resize(study_.objectives.size());
    for (const CellResult& cell : result.cells) {
      FailureStatistics& failures = result.failure_statistics[cell.objective];
      for (const RunRecord& run : cell.runs) {
        result.search_evaluations += run.evaluations;
        result.hold_out_evaluations += run.hold_out.evaluations;
        result.failures += run.failures;
        result.set_aside += run.set_aside.payoffs;
        failures.merge(run.failure_statistics);
      }
      for (const Pick& pick : cell.picks) {
        result.re_evaluations += pick.comparison.evaluations;
        result.hold_out_evaluations += pick.hold_out.evaluations;
        if (pick.incumbent) result.hold_out_evaluations += pick.incumbent->hold_out.evaluations;
        result.failures += pick.failures;
        failures.causes.merge(pick.failure_causes);
      }
    }
  }

  const Study& study_;
  StudyProgress& progress_;
  Evaluator& evaluator_;
  StudyObserver* observer_;
  Parallel parallel_;
  Rng root_;
};

}  // namespace

StudyResult run_study(const Study& study, Backend& backend, StudyProgress& progress, StudyLog* log,
                      StudyObserver* observer) {
  progress.total_evaluations = total_evaluations(study);
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
