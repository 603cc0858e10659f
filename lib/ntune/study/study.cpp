#include "ntune/study/study.h"

#include <algorithm>

#include "ntune/core/parallel.h"
#include "ntune/study/evaluation.h"
#include "ntune/study/run.h"

namespace ntune {

namespace {

std::uint64_t unsigned_index(std::int64_t index) { return static_cast<std::uint64_t>(index); }

/// Fresh evaluations of a point, all in parallel; empty if stopped. `rng` names the repeat or run.
RunningStats hold_out(const Objective& objective, const Point& point, std::int64_t evaluations,
                      const Rng& rng, Parallel& parallel, StudyProgress& progress,
                      std::vector<Evaluation>* trace) {
  std::vector<double> payoffs(static_cast<std::size_t>(evaluations));
  parallel.for_each(payoffs.size(), [&](std::size_t i) {
    if (progress.stop) return;
    payoffs[i] = evaluate_checked(objective, point, rng.stream("hold-out", i));
    ++progress.evaluations;
  });
  RunningStats stats;
  if (progress.stop) return stats;
  for (const double payoff : payoffs) {
    stats.add(payoff);
    if (trace != nullptr) trace->push_back({point, payoff});
  }
  return stats;
}

std::optional<double> held_out_value(const Objective& objective, const RunningStats& payoffs) {
  if (payoffs.count() == 0) return std::nullopt;
  return objective.value_of(payoffs.mean());
}

/// The distinct recommendations of finished runs, in order of the runs.
std::vector<Candidate> distinct_recommendations(const std::vector<RunRecord>& runs,
                                                std::size_t first, std::size_t count) {
  std::vector<Candidate> candidates;
  for (std::size_t i = first; i < first + count; ++i) {
    const RunRecord& run = runs[i];
    if (!run.finished) continue;
    const auto same = std::ranges::find(candidates, run.point, &Candidate::point);
    if (same == candidates.end()) {
      candidates.push_back({run.point, run.estimate, run.run, {}});
    } else {
      same->estimate = std::max(same->estimate, run.estimate);
    }
  }
  return candidates;
}

/// Executes a study cell by cell; every piece of work is named by its indices.
class Executor {
 public:
  Executor(const Study& study, StudyProgress& progress)
      : study_(study), progress_(progress), parallel_(study.threads), root_(study.seed) {}

  StudyResult run() {
    StudyResult result;
    make_cells(result);
    run_all(result);
    choose_all(result);
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

  void run_all(StudyResult& result) {
    std::vector<std::pair<CellResult*, RunRecord*>> work;
    for (CellResult& cell : result.cells) {
      for (RunRecord& record : cell.runs) work.emplace_back(&cell, &record);
    }
    parallel_.for_each(work.size(), [&](std::size_t i) {
      if (progress_.stop) return;
      run_record(*work[i].first, *work[i].second);
    });
  }

  /// The streams of run r of repeat s are the same in every cell: cells are compared in pairs.
  void run_record(const CellResult& cell, RunRecord& record) {
    const Rng rng = root_.stream("run", unsigned_index(record.repeat), unsigned_index(record.run));
    RunRecord done =
        run_once(objective(cell), study_.optimisers[cell.optimiser].plans[cell.objective],
                 plan(cell).iterations, rng, study_.record_evaluations, progress_);
    done.repeat = record.repeat;
    done.run = record.run;
    done.score = done.true_value;
    if (done.finished && study_.unit == Unit::kRuns) {
      done.hold_out = hold_out(objective(cell), done.point, plan(cell).hold_out, rng, parallel_,
                               progress_, study_.record_evaluations ? &done.trace : nullptr);
      if (!done.score) done.score = held_out_value(objective(cell), done.hold_out);
    }
    record = std::move(done);
    ++progress_.runs;
  }

  void choose_all(StudyResult& result) {
    std::vector<std::pair<CellResult*, Pick*>> work;
    for (CellResult& cell : result.cells) {
      for (Pick& pick : cell.picks) work.emplace_back(&cell, &pick);
    }
    parallel_.for_each(work.size(),
                       [&](std::size_t i) { choose(*work[i].first, *work[i].second); });
  }

  /// Re-evaluates what the runs of one repeat recommend, picks the best, and holds it out.
  void choose(const CellResult& cell, Pick& pick) {
    const RunPlan& plan = this->plan(cell);
    const auto first = static_cast<std::size_t>(pick.repeat * plan.runs);
    std::vector<Candidate> candidates =
        distinct_recommendations(cell.runs, first, static_cast<std::size_t>(plan.runs));
    if (candidates.empty()) return;
    const Rng rng = root_.stream("pick", unsigned_index(pick.repeat));
    const EvaluationSink sink = [&](const Point& point, double payoff) {
      ++progress_.evaluations;
      if (study_.record_evaluations) pick.trace.push_back({point, payoff});
    };
    const std::size_t winner =
        re_evaluate(objective(cell), candidates, plan.re_evaluation, study_.re_evaluation, rng,
                    parallel_, progress_.stop, sink);
    for (const Candidate& candidate : candidates) pick.re_evaluations += candidate.payoffs.count();
    pick.evaluations = pick.re_evaluations;
    for (std::size_t i = 0; i < static_cast<std::size_t>(plan.runs); ++i) {
      const RunRecord& run = cell.runs[first + i];
      pick.evaluations += run.evaluations + run.hold_out.count();
    }
    const Candidate& best = candidates[winner];
    pick.run = best.run;
    pick.point = best.point;
    pick.estimate = best.estimate;
    pick.re_evaluation = best.payoffs;
    pick.true_value = objective(cell).true_value(best.point);
    if (study_.unit == Unit::kPicks && plan.hold_out > 0) {
      pick.hold_out = hold_out(objective(cell), best.point, plan.hold_out, rng, parallel_,
                               progress_, study_.record_evaluations ? &pick.trace : nullptr);
      pick.interval = hold_out_interval(objective(cell), pick.hold_out);
    }
    pick.evaluations += pick.hold_out.count();
    pick.score = pick.true_value ? pick.true_value : held_out_value(objective(cell), pick.hold_out);
    pick.finished = !progress_.stop;
  }

  static void count_evaluations(StudyResult& result) {
    for (const CellResult& cell : result.cells) {
      for (const RunRecord& run : cell.runs) {
        result.search_evaluations += run.evaluations;
        result.hold_out_evaluations += run.hold_out.count();
      }
      for (const Pick& pick : cell.picks) {
        result.re_evaluations += pick.re_evaluations;
        result.hold_out_evaluations += pick.hold_out.count();
      }
    }
  }

  const Study& study_;
  StudyProgress& progress_;
  Parallel parallel_;
  Rng root_;
};

}  // namespace

bool Study::true_values_known() const {
  return std::ranges::all_of(objectives, [](const StudyObjective& entry) {
    Rng rng(0);
    return entry.objective->true_value(entry.objective->space().sample(rng)).has_value();
  });
}

std::int64_t total_evaluations(const Study& study) {
  std::int64_t total = 0;
  for (const RunPlan& plan : study.plans) {
    const std::int64_t held_out =
        study.unit == Unit::kRuns ? plan.runs * plan.hold_out : plan.hold_out;
    total += plan.search() + plan.re_evaluation + held_out;
  }
  return total * study.repeats *
         static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
}

StudyResult run_study(const Study& study, StudyProgress& progress) {
  progress.total_evaluations = total_evaluations(study);
  progress.total_runs = 0;
  for (const RunPlan& plan : study.plans) {
    progress.total_runs +=
        plan.runs * study.repeats *
        static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
  }
  return Executor(study, progress).run();
}

}  // namespace ntune
