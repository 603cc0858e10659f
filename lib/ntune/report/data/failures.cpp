#include "ntune/report/data/failures.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ntune/core/text.h"
#include "ntune/objective/failure_cause.h"

namespace ntune {

namespace {

/// Failures of a journal of evaluations.
class JournalFailures {
 public:
  explicit JournalFailures(ReportData& data)
      : data_(data), statistics_(data.study.study.objectives.size()) {}

  void take(const JournalLine& line) {
    using Kind = JournalLine::Kind;
    if (line.kind == Kind::kRetry) return forget();
    const bool failed = line.kind == Kind::kFailure;
    if (!failed && line.kind != Kind::kEvaluation) return;
    data_.evaluations += std::max<std::int64_t>(1, std::ssize(line.payoffs));
    const std::size_t objective = data_.study.study.objective_of(line.key.cell);
    FailureStatistics& statistics = statistics_[objective];
    if (line.key.stage == Stage::kSearch) {
      const SearchSpace& space = data_.study.study.objectives[objective].objective->space();
      const Point opponent(line.against);
      statistics.by_value.add(space, Point(line.point), failed,
                              line.against.empty() ? nullptr : &opponent);
    }
    if (!failed) return;
    ++data_.failed;
    statistics.causes.add_failure(line.failure);
    examples_.try_emplace(failure_cause(line.failure), line.failure);
  }

  void finish() { take_failures(saved_failures(data_.study.study, statistics_, data_.failed)); }
  /// What failed, with the message of one failure of each cause where the journal has it.
  void take_failures(const SavedFailures& failures) {
    data_.failed = failures.count;
    data_.value_failures = failures.values;
    data_.failures.clear();
    for (const auto& [cause, count] : failures.causes) {
      const auto example = examples_.find(failure_cause(cause));
      data_.failures.push_back({cause, count, example == examples_.end() ? "" : example->second});
    }
  }

 private:
  /// What failed is tried again, what succeeded stays.
  void forget() {
    data_.evaluations -= data_.failed;
    data_.failed = 0;
    for (FailureStatistics& statistics : statistics_) {
      statistics.causes = {};
      for (auto& values : statistics.by_value.counts()) {
        for (auto& [evaluations, failures] : values) evaluations -= std::exchange(failures, 0);
      }
    }
  }

  ReportData& data_;
  std::vector<FailureStatistics> statistics_;  ///< per objective
  std::map<std::string, std::string> examples_;
};

}  // namespace

void read_failures(ReportData& data) {
  JournalFailures failures(data);
  const bool known =
      data.study.journal && data.study.study.execution.record == Recording::kEvaluations;
  if (known) {
    data.study.journal->scan([&](const JournalLine& line) { failures.take(line); });
    failures.finish();
  }
  if (data.takes_evaluations_of_result()) failures.take_failures(data.study.result->failures);
}

}  // namespace ntune
