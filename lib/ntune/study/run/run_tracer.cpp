#include "ntune/study/run/run_tracer.h"

#include <algorithm>

namespace ntune {

RunTracer::RunTracer(const RunTask& task) : task_(task) {
  if (!task.keeps_trace) return;
  trace_.emplace(task.objective->space().dimensions());
  checkpoints_ = trace_checkpoints(task.iterations);
  std::ranges::reverse(checkpoints_);
}

void RunTracer::add(const KeptReport& told) {
  using End = SearchTrace::End;
  if (!trace_) return;
  const Point& point = told.asked.point;
  const Report report = told.report();
  if (report.at_most) return trace_->add(point, End::kCapped, {&*report.at_most, 1});
  trace_->add(point, report.payoffs.empty() ? End::kFailed : End::kPayoffs, report.payoffs);
}

void RunTracer::add_recommendation(const RunView& view, std::int64_t evaluations) {
  if (!trace_ || view.optimiser == nullptr || !view.has_measured()) return;
  if (checkpoints_.empty() || evaluations < checkpoints_.back()) return;
  if (evaluations >= task_.iterations) return;
  while (!checkpoints_.empty() && checkpoints_.back() <= evaluations) checkpoints_.pop_back();
  const Recommendation now = view.recommend();
  trace_->add(SearchTrace::Checkpoint{evaluations, task_.objective->unit().value_of(now.estimate),
                                      now.point});
}

void RunTracer::finish(RunRecord& record) {
  if (!trace_) return;
  trace_->add(SearchTrace::Checkpoint{record.evaluations, record.estimate, record.point});
  record.trace = trace_->packed();
}

}  // namespace ntune
