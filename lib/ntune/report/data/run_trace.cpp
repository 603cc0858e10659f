#include "ntune/report/data/run_trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/report/data/run_log.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/run_view.h"
#include "ntune/study/run/search_trace.h"

namespace ntune {

namespace {

using RunName = std::tuple<std::int64_t, std::int64_t, std::size_t>;  // repeat, run, cell

/// A checkpoint in the reported unit, with its true value where that is known.
Checkpoint checkpoint_of(const Objective& objective, const SearchTrace::Checkpoint& kept) {
  return {.evaluations = kept.evaluations,
          .estimate = kept.estimate,
          .true_value = true_value_of(objective, kept.point),
          .point = kept.point};
}

/// Has a log answer a run, and looks at it from the side.
class Tracer final : public Backend, public StudyObserver {
 public:
  explicit Tracer(const RunTask& task) : task_(task), wanted_(trace_checkpoints(task.iterations)) {}

  std::optional<Outcome> evaluate(const Request& request) override {
    take_last(request.view);  // the record ends here
    return std::nullopt;
  }
  /// At once, so that all is seen on one thread.
  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    finish(evaluate(request), {});
    return nullptr;
  }
  [[nodiscard]] bool threaded() const override { return true; }
  [[nodiscard]] int threads() const override { return 1; }

  void asked(const Request& request) override { look(request.view, told_); }
  void evaluated(const Request& /*request*/, const Evaluated& evaluated) override {
    told_ += std::min(task_.iterations - told_, evaluated.evaluations());
  }

  /// Adds what the run recommends at its end.
  void finish(const RunRecord& record) {
    add({.evaluations = record.evaluations, .estimate = record.estimate, .point = record.point});
  }
  std::vector<Checkpoint>& checkpoints() { return checkpoints_; }

 private:
  /// Where all has failed but matches of the default against itself, what was seen of these goes.
  bool has_measured(const RunView* view) {
    if (view == nullptr) return false;
    if (!view->has_measured()) checkpoints_.clear();
    return view->has_measured();
  }
  /// Adds a checkpoint where one is due.
  void look(const RunView* view, std::int64_t evaluations) {
    if (!has_measured(view)) return;
    if (next_ >= wanted_.size() || evaluations < wanted_[next_]) return;
    while (next_ < wanted_.size() && wanted_[next_] <= evaluations) ++next_;
    if (!checkpoints_.empty() && checkpoints_.back().evaluations == evaluations) return;
    add(view->recommend(), evaluations);
  }
  /// What the run would recommend if it ended here.
  void take_last(const RunView* view) {
    if (!has_measured(view)) return;
    // A run in flight asks several times at one place.
    if (std::exchange(last_at_, told_) == told_) return;
    if (!checkpoints_.empty() && checkpoints_.back().evaluations == told_) checkpoints_.pop_back();
    add(view->recommend_now(), told_);
  }
  void add(const Recommendation& recommendation, std::int64_t evaluations) {
    add({.evaluations = evaluations,
         .estimate = task_.objective->unit().value_of(recommendation.estimate),
         .point = recommendation.point});
  }
  void add(const SearchTrace::Checkpoint& checkpoint) {
    checkpoints_.push_back(checkpoint_of(*task_.objective, checkpoint));
  }

  const RunTask& task_;
  std::vector<std::int64_t> wanted_;
  std::size_t next_ = 0;
  std::int64_t told_ = 0;
  std::int64_t last_at_ = -1;
  std::vector<Checkpoint> checkpoints_;
};

struct TracedRun {
  RunTrace trace = {};
  std::string problem = {};
};

/// The search of a run, without its hold-out.
RunTask task_of(const Study& study, const RunName& name) {
  const auto& [repeat, run, cell] = name;
  RunTask task = make_run_task(study, static_cast<std::uint32_t>(cell), repeat, run);
  task.hold_out = 0;
  task.claims = false;  // they take longer than all else, and the result has them
  return task;
}

/// Goes through a run again by what the log knows of it.
TracedRun trace_run(const Study& study, const RunName& name, StudyLog& log) {
  const auto& [repeat, run, cell] = name;
  TracedRun traced{.trace = {.cell = cell, .repeat = repeat, .run = run}};
  const RunTask task = task_of(study, name);
  StudyProgress progress;
  Tracer tracer(task);
  Evaluator evaluator(study, tracer, progress, &log, &tracer);
  Parallel parallel(1);
  try {
    const RunRecord record = run_once(task, evaluator, parallel);
    traced.trace.whole = record.finished;
    if (record.finished) {
      tracer.finish(record);
    } else if (record.evaluations > 0) {
      tracer.checkpoints().clear();  // it has ended and measured nothing
    }
  } catch (const std::runtime_error& error) {
    traced.problem = error.what();
  }
  traced.trace.checkpoints = std::move(tracer.checkpoints());
  return traced;
}

/// Puts the runs in the order of cell, repeat and run.
void sort_traces(Traces& traces) {
  std::ranges::sort(traces.runs, {}, [](const RunTrace& trace) {
    return std::tuple(trace.cell, trace.repeat, trace.run);
  });
}

/// Takes the trace of a finished run, and passes on its evaluations.
void take_trace(const StudyFolder& folder, const RunName& name, const SearchTrace& kept,
                Traces& traces, const VisitEvaluation& visit) {
  const auto& [repeat, run, cell] = name;
  RunTrace trace{.cell = cell, .repeat = repeat, .run = run, .whole = true};
  for (const SearchTrace::Checkpoint& checkpoint : kept.checkpoints()) {
    trace.checkpoints.push_back(checkpoint_of(folder.objective(cell), checkpoint));
  }
  traces.runs.push_back(std::move(trace));
  ++traces.evaluated_runs;
  // A call that brought several payoffs is visited once for each, and a failed one once.
  const auto iterations = static_cast<double>(folder.plan(cell).iterations);
  SearchEvaluation evaluation{.cell = cell, .repeat = repeat, .run = run};
  std::int64_t told = 0;
  kept.visit([&](const SearchTrace::Evaluation& one) {
    evaluation.point = one.point;
    evaluation.failed = one.end == SearchTrace::End::kFailed;
    evaluation.progress = std::min(1.0, static_cast<double>(told) / iterations);
    if (evaluation.failed) visit(evaluation);
    const std::size_t payoffs = one.end == SearchTrace::End::kPayoffs ? one.payoffs.size() : 0;
    for (std::size_t i = 0; i < payoffs; ++i) {
      evaluation.payoff = one.payoffs[i];
      visit(evaluation);
    }
    traces.evaluations += static_cast<std::int64_t>(payoffs);
    told += std::max<std::int64_t>(1, static_cast<std::int64_t>(payoffs));
    ++evaluation.index;
  });
}

/// The traces that the journal keeps, each of the run as it was made last.
std::map<RunName, std::string> kept_traces(const StudyFolder& folder) {
  std::map<RunName, std::string> kept;
  if (!folder.journal) return kept;
  folder.journal->scan([&](const JournalLine& line) {
    if (line.kind == JournalLine::Kind::kExtension) kept.clear();  // of another space perhaps
    if (line.kind != JournalLine::Kind::kRun || line.run.trace.empty()) return;
    // A run that was made again replaces its earlier trace.
    kept[{line.run.repeat, line.run.run, line.key.cell}] = line.run.trace;
  });
  return kept;
}

/// The traces of runs that the journal keeps.
Traces trace_kept(const StudyFolder& folder, const std::map<RunName, std::string>& kept,
                  const VisitEvaluation& visit) {
  Traces traces{.of = std::ssize(folder.runs)};
  for (const FinishedRun& run : folder.runs) {
    const RunName name{run.repeat, run.run, run.cell};
    const auto found = kept.find(name);
    if (found == kept.end()) continue;
    const SearchSpace& space = folder.objective(run.cell).space();
    // A trace that cannot be unpacked is damage that no page should hide.
    const std::optional<SearchTrace> trace = SearchTrace::unpacked(found->second, space);
    if (!trace || trace->checkpoints().empty()) {
      throw InputError(fmt::format("{}: the trace of run {} is damaged",
                                   printable(folder.journal->journal_name(), 1000), run.run));
    }
    take_trace(folder, name, *trace, traces, visit);
  }
  if (!traces.is_whole()) {
    traces.problem = "the journal keeps the evaluations of these, about a million in all";
  }
  return traces;
}

/// The same share of the runs of every cell, the first ones, so that all together have about
/// `most` evaluations. Runs by their numbers of evaluations.
std::map<RunName, RunLog> sampled_runs(const std::map<RunName, std::int64_t>& runs,
                                       std::int64_t most) {
  std::map<std::size_t, std::vector<RunName>> by_cell;
  double all = 0.0;
  for (const auto& [name, evaluations] : runs) {
    by_cell[std::get<2>(name)].push_back(name);
    all += static_cast<double>(evaluations);
  }
  // Every cell gives the same share of its runs, at least one of them.
  const double share = std::min(1.0, static_cast<double>(most) / std::max(1.0, all));
  std::map<RunName, RunLog> sample;
  for (const auto& [cell, names] : by_cell) {
    const double count = std::ceil(share * static_cast<double>(names.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) sample[names[i]];
  }
  return sample;
}

/// Whether a line is an evaluation or a failure of a search.
bool is_of_search(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  return (line.kind == Kind::kEvaluation || line.kind == Kind::kFailure) &&
         line.key.stage == Stage::kSearch;
}

/// The run that an evaluation belongs to.
RunName name_of(const EvaluationKey& key) { return {key.repeat, key.run, key.cell}; }

/// The traces of a journal of evaluations: all are visited as they stand there, and as many runs
/// traced as the options allow.
class RecordedRuns {
 public:
  RecordedRuns(const StudyFolder& folder, const TraceOptions& options, const VisitEvaluation& visit)
      : folder_(folder), options_(options), visit_(visit) {}

  Traces trace() {
    std::map<RunName, std::int64_t> begun;
    folder_.journal->scan([&](const JournalLine& line) {
      if (is_of_search(line)) ++begun[name_of(line.key)];
    });
    logs_ = sampled_runs(begun, options_.replayed);
    folder_.journal->scan([&](const JournalLine& line) { take(line); });
    traces_.of = traces_.evaluated_runs = std::ssize(begun);
    replay();
    return std::move(traces_);
  }

 private:
  /// Keeps what the sampled runs need to be replayed, and passes evaluations on.
  void take(const JournalLine& line) {
    using Kind = JournalLine::Kind;
    if (line.kind == Kind::kRetry) {
      for (auto& [name, log] : logs_) log.forget_failures();
    }
    if (line.kind == Kind::kOffered) offered_->push_back(offered_of(line));
    if (line.kind == Kind::kPlanned && line.planned.key.stage == Stage::kSearch) {
      const auto log = logs_.find(name_of(line.planned.key));
      if (log != logs_.end()) log->second.plan(line.planned);
    }
    // All evaluations are passed on, those of sampled runs are also kept.
    if (!is_of_search(line)) return;
    const auto log = logs_.find(name_of(line.key));
    if (log != logs_.end()) log->second.add(line);
    pass_on(line);
  }

  /// Visits an evaluation as the journal has it.
  void pass_on(const JournalLine& line) {
    const double progress = static_cast<double>(line.key.index) /
                            static_cast<double>(folder_.plan(line.key.cell).iterations);
    SearchEvaluation evaluation{.cell = line.key.cell,
                                .repeat = line.key.repeat,
                                .run = line.key.run,
                                .index = line.key.index,
                                .point = Point(line.point),
                                .failed = line.kind == JournalLine::Kind::kFailure,
                                .progress = std::min(1.0, progress)};
    if (evaluation.failed) visit_(evaluation);
    if (line.ending == Ending::kCapped) return;
    for (const double payoff : line.payoffs) {
      evaluation.payoff = payoff;
      visit_(evaluation);
      ++traces_.evaluations;
    }
  }

  /// Tells the optimisers of the sampled runs again, each on its own thread.
  void replay() {
    std::vector<std::pair<const RunName, RunLog>*> work;
    for (auto& entry : logs_) {
      entry.second.set_offered(offered_);
      work.push_back(&entry);
    }
    std::vector<TracedRun> traced(work.size());
    Parallel parallel(options_.threads);
    parallel.for_each(work.size(), [&](std::size_t i) {
      traced[i] = trace_run(folder_.study, work[i]->first, work[i]->second);
    });
    // A problem of one run is told only where no run could be traced.
    for (TracedRun& run : traced) {
      if (!run.problem.empty()) traces_.problem = run.problem;
      if (!run.trace.checkpoints.empty()) traces_.runs.push_back(std::move(run.trace));
    }
    if (!traces_.runs.empty()) traces_.problem.clear();
    if (!traces_.runs.empty() && std::ssize(traces_.runs) < traces_.of) {
      traces_.problem = fmt::format("optimisers are told {} evaluations again at most",
                                    count_text(options_.replayed));
    }
    sort_traces(traces_);
  }

  const StudyFolder& folder_;
  const TraceOptions& options_;
  const VisitEvaluation& visit_;
  std::map<RunName, RunLog> logs_;
  std::shared_ptr<OfferedObservations> offered_ = std::make_shared<OfferedObservations>();
  Traces traces_;
};

}  // namespace

RunTrace trace_recorded_run(const Study& study, std::size_t cell, std::int64_t repeat,
                            std::int64_t run, RunLog& log) {
  return trace_run(study, {repeat, run, cell}, log).trace;
}

Traces trace_runs(const StudyFolder& study, const TraceOptions& options,
                  const VisitEvaluation& visit) {
  const auto runs = std::ssize(study.runs);
  if (study.is_merged()) {
    return {.of = runs,
            .problem = "merged studies keep no evaluations; report their own folders for that"};
  }
  if (study.journal && study.study.execution.record == Recording::kEvaluations) {
    return RecordedRuns(study, options, visit).trace();
  }
  const std::map<RunName, std::string> kept = kept_traces(study);
  if (!kept.empty()) return trace_kept(study, kept, visit);
  if (runs == 0) return {};
  return {.of = runs,
          .problem = study.journal == nullptr
                         ? "the folder has no journal"
                         : "the journal keeps no evaluations: `record: evaluations` keeps them"};
}

std::string share_of_runs(std::int64_t shown, std::int64_t of) {
  if (shown >= of) return counted(shown, "run");
  return fmt::format("{} of {}", count_text(shown), counted(of, "run"));
}

}  // namespace ntune
