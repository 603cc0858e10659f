#include "ntune/report/data/run_trace.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/report/data/run_log.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run.h"

namespace ntune {

namespace {

using RunName = std::tuple<std::int64_t, std::int64_t, std::size_t>;  // repeat, run, cell

/// After how many evaluations a run is asked for its recommendation.
std::vector<std::int64_t> checkpoints_of(std::int64_t iterations) {
  std::vector<std::int64_t> list;
  constexpr int kSteps = 25;
  for (const int early : {200, 100, 50})
    list.push_back(std::max<std::int64_t>(1, iterations / early));
  for (int i = 1; i <= kSteps; ++i) {
    list.push_back(std::max<std::int64_t>(1, iterations * i / kSteps));
  }
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Carries out one run, or has the log answer, and looks at it from the side.
class Tracer final : public Backend, public StudyObserver {
 public:
  Tracer(bool recorded, const RunTask& task, Clock::time_point deadline)
      : task_(task),
        recorded_(recorded),
        deadline_(deadline),
        wanted_(checkpoints_of(task.iterations)) {}

  std::optional<Outcome> evaluate(const Request& request) override {
    if (recorded_) {  // the record ends here
      take_last(request.view);
      return std::nullopt;
    }
    if (Clock::now() > deadline_) return std::nullopt;
    return local_.evaluate(request);
  }
  /// At once, so that all is seen on one thread.
  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    finish(evaluate(request), {});
    return nullptr;
  }
  [[nodiscard]] bool threaded() const override { return true; }
  [[nodiscard]] int threads() const override { return local_.threads(); }

  void asked(const Request& request) override { look(request.view, told_); }
  void evaluated(const Request& request, const Evaluated& evaluated) override {
    evaluated.for_each(task_.iterations - told_, [&](double payoff) {
      if (!recorded_) evaluations_.push_back({task_.cell, *request.point, payoff, share()});
    });
    told_ += std::min(task_.iterations - told_, evaluated.cost());
  }

  void look(const RunView* view, std::int64_t evaluations) {
    if (view == nullptr || view->payoffs == 0) return;
    if (next_ >= wanted_.size() || evaluations < wanted_[next_]) return;
    while (next_ < wanted_.size() && wanted_[next_] <= evaluations) ++next_;
    take(view, evaluations);
  }
  void take(const RunView* view, std::int64_t evaluations) {
    if (view == nullptr || view->payoffs == 0) return;
    if (!checkpoints_.empty() && checkpoints_.back().evaluations == evaluations) return;
    add(view->optimiser->recommend(), evaluations);
  }
  /// What the run would recommend if it ended here.
  void take_last(const RunView* view) {
    if (view == nullptr || view->payoffs == 0) return;
    if (std::exchange(last_at_, told_) == told_) return;
    if (!checkpoints_.empty() && checkpoints_.back().evaluations == told_) checkpoints_.pop_back();
    add(view->recommend_now(), told_);
  }
  void add(const Recommendation& recommendation, std::int64_t evaluations) {
    checkpoints_.push_back({evaluations, task_.objective->unit().value_of(recommendation.estimate),
                            true_value_of(*task_.objective, recommendation.point),
                            recommendation.point});
  }
  void finish(const RunRecord& record) {
    checkpoints_.push_back({record.evaluations, record.estimate, record.true_value, record.point});
  }

  std::vector<Checkpoint>& checkpoints() { return checkpoints_; }
  std::vector<SearchEvaluation>& evaluations() { return evaluations_; }

 private:
  [[nodiscard]] double share() const {
    return static_cast<double>(told_) / static_cast<double>(task_.iterations);
  }

  LocalBackend local_{1};
  const RunTask& task_;
  bool recorded_;
  Clock::time_point deadline_;
  std::vector<std::int64_t> wanted_;
  std::size_t next_ = 0;
  std::int64_t told_ = 0;
  std::int64_t last_at_ = -1;
  std::vector<Checkpoint> checkpoints_;
  std::vector<SearchEvaluation> evaluations_;
};

struct TracedRun {
  RunTrace trace = {};
  std::vector<SearchEvaluation> evaluations = {};
  std::string problem = {};
};

TracedRun trace_run(const Study& study, const RunName& name, StudyLog* log,
                    Clock::time_point deadline) {
  const auto& [repeat, run, cell] = name;
  TracedRun traced{.trace = {.cell = cell, .repeat = repeat, .run = run}};
  RunTask task = make_run_task(study, static_cast<std::uint32_t>(cell), repeat, run);
  task.hold_out = 0;
  StudyProgress progress;
  Tracer tracer(log != nullptr, task, deadline);
  Evaluator evaluator(study, tracer, progress, log, &tracer);
  Parallel parallel(1);
  try {
    const RunRecord record = run_once(task, evaluator, parallel);
    traced.trace.whole = record.finished;
    if (record.finished) tracer.finish(record);
  } catch (const std::runtime_error& error) {
    traced.problem = error.what();
  }
  traced.trace.checkpoints = std::move(tracer.checkpoints());
  traced.evaluations = std::move(tracer.evaluations());
  return traced;
}

void sort_traces(Traces& traces) {
  std::ranges::sort(traces.runs, {}, [](const RunTrace& trace) {
    return std::tuple(trace.cell, trace.repeat, trace.run);
  });
}

}  // namespace

RunTrace trace_recorded_run(const Study& study, std::size_t cell, std::int64_t repeat,
                            std::int64_t run, RunLog& log) {
  return trace_run(study, {repeat, run, cell}, &log, Clock::time_point::max()).trace;
}

namespace {

/// From a journal of evaluations: all are visited as they stand there, and the first runs traced.
Traces trace_recorded(const StudyFolder& folder, const TraceOptions& options,
                      const VisitEvaluation& visit) {
  const Study& study = folder.study;
  std::map<RunName, RunLog> logs;
  std::map<RunName, std::int64_t> begun;
  Traces traces;
  std::int64_t held = 0;
  const auto offered = std::make_shared<OfferedObservations>();
  folder.journal->scan([&](const JournalLine& line) {
    using Kind = JournalLine::Kind;
    if (line.kind == Kind::kRetry) {
      for (auto& [name, log] : logs) log.forget_failures();
    }
    if (line.kind == Kind::kOffered) {
      offered->push_back(offered_of(line));
    }
    if (line.kind == Kind::kPlanned && line.planned.key.stage == Stage::kSearch) {
      const EvaluationKey& key = line.planned.key;
      logs[{key.repeat, key.run, key.cell}].plan(line.planned);
    }
    if (line.kind != Kind::kEvaluation && line.kind != Kind::kFailure) return;
    if (line.key.stage != Stage::kSearch) return;
    const RunName name{line.key.repeat, line.key.run, line.key.cell};
    ++begun[name];
    const auto log = logs.find(name);
    if (log != logs.end() || held < options.replayed) {
      (log != logs.end() ? log->second : logs[name]).add(line);
      ++held;
    }
    if (line.kind == Kind::kFailure || line.ending == Ending::kCapped) return;
    const double progress = static_cast<double>(line.key.index) /
                            static_cast<double>(folder.plan(line.key.cell).iterations);
    const Point point(line.point);
    for (const double payoff : line.payoffs) {
      visit({line.key.cell, point, payoff, std::min(1.0, progress)});
      ++traces.evaluations;
    }
  });
  traces.of = static_cast<std::int64_t>(begun.size());
  traces.evaluated_runs = traces.of;
  std::vector<std::pair<const RunName, RunLog>*> work;
  for (auto& entry : logs) {
    entry.second.set_offered(offered);
    work.push_back(&entry);
  }
  std::vector<TracedRun> traced(work.size());
  Parallel parallel(options.threads);
  parallel.for_each(work.size(), [&](std::size_t i) {
    traced[i] = trace_run(study, work[i]->first, &work[i]->second, Clock::time_point::max());
  });
  for (TracedRun& run : traced) {
    if (!run.problem.empty()) traces.problem = run.problem;
    if (!run.trace.checkpoints.empty()) traces.runs.push_back(std::move(run.trace));
  }
  if (!traces.runs.empty()) traces.problem.clear();
  sort_traces(traces);
  return traces;
}

/// The finished runs again, in batches, run 0 of every cell first.
Traces trace_again(const StudyFolder& folder, const TraceOptions& options,
                   const VisitEvaluation& visit) {
  constexpr std::int64_t kBatch = 200'000;
  std::vector<RunName> names;
  for (const FinishedRun& run : folder.runs) names.emplace_back(run.repeat, run.run, run.cell);
  std::ranges::sort(names);
  const Clock::time_point deadline = seconds_from_now(options.patience);
  Traces traces{.of = static_cast<std::int64_t>(names.size()), .made_again = true};
  Parallel parallel(options.threads);
  for (std::size_t first = 0; first < names.size() && Clock::now() < deadline;) {
    std::size_t last = first;
    for (std::int64_t sum = 0; last < names.size() && (last == first || sum < kBatch); ++last) {
      sum += folder.plan(std::get<2>(names[last])).iterations;
    }
    std::vector<TracedRun> traced(last - first);
    parallel.for_each(traced.size(), [&](std::size_t i) {
      if (Clock::now() > deadline) return;
      traced[i] = trace_run(folder.study, names[first + i], nullptr, deadline);
    });
    for (TracedRun& run : traced) {
      if (!run.problem.empty()) traces.problem = run.problem;
      if (!run.trace.whole) continue;
      ++traces.evaluated_runs;
      for (const SearchEvaluation& evaluation : run.evaluations) visit(evaluation);
      traces.evaluations += static_cast<std::int64_t>(run.evaluations.size());
      traces.runs.push_back(std::move(run.trace));
    }
    first = last;
  }
  if (traces.runs.empty() && traces.problem.empty()) {
    traces.problem = fmt::format(
        "the study keeps runs, not evaluations, and no run could be made again within {:g} s",
        options.patience);
  }
  sort_traces(traces);
  return traces;
}

}  // namespace

Traces trace_runs(const StudyFolder& study, const TraceOptions& options,
                  const VisitEvaluation& visit) {
  if (study.merged) {
    return {.of = static_cast<std::int64_t>(study.runs.size()),
            .problem = "merged studies keep no evaluations; report their own folders for that"};
  }
  if (study.journal && study.study.execution.record == Recording::kEvaluations) {
    return trace_recorded(study, options, visit);
  }
  const bool external = std::ranges::any_of(
      study.study.objectives,
      [](const StudyObjective& entry) { return is_external(*entry.objective); });
  if (external) {
    return {.of = static_cast<std::int64_t>(study.runs.size()),
            .problem = "the study keeps runs, not evaluations: `record: evaluations` keeps them"};
  }
  return trace_again(study, options, visit);
}

}  // namespace ntune
