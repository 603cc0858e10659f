#include "ntune/report/data/failures.h"

#include <algorithm>
#include <map>
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

  void finish() {
    FailureCauses causes;
    for (const FailureStatistics& one : statistics_) causes.merge(one.causes);
    for (const FailureCauses::Cause& cause : causes.sorted()) {
      const auto example = examples_.find(cause.masked);
      data_.failures.push_back({.cause = cause.text,
                                .count = cause.count,
                                .example = example == examples_.end() ? "" : example->second});
    }
    for (const FailingValue& value : failing_values(data_.study.study, statistics_)) {
      data_.value_failures.push_back({.parameter = value.label(),
                                      .value = value_text(value.value),
                                      .evaluations = value.count.evaluations,
                                      .failures = value.count.failures});
    }
  }

 private:
  void forget() {
    data_.evaluations -= data_.failed;
    data_.failed = 0;
    for (FailureStatistics& statistics : statistics_) statistics = {};
  }

  ReportData& data_;
  std::vector<FailureStatistics> statistics_;  ///< per objective
  std::map<std::string, std::string> examples_;
};

}  // namespace

void read_failures(ReportData& data) {
  if (!data.study.journal || data.study.study.execution.record != Recording::kEvaluations) return;
  JournalFailures failures(data);
  data.study.journal->scan([&](const JournalLine& line) { failures.take(line); });
  failures.finish();
}

void take_failures_of_result(ReportData& data) {
  const Json& failures = data.study.result.value("failures", Json());
  // Older versions wrote the number alone.
  if (failures.is_number_integer()) data.failed = failures;
  if (!failures.is_object()) return;
  data.failed = failures.value("count", data.failed);
  std::vector<FailureKind> kinds;
  for (const Json& cause : failures.value("causes", Json::array())) {
    FailureKind kind{.cause = cause.value("cause", ""), .count = cause.value("count", 0)};
    // Of other failures of the same kind the text may be masked.
    const auto known = std::ranges::find_if(data.failures, [&](const FailureKind& other) {
      return other.cause == kind.cause || failure_cause(other.cause) == failure_cause(kind.cause);
    });
    if (known != data.failures.end()) kind.example = known->example;
    kinds.push_back(std::move(kind));
  }
  data.failures = std::move(kinds);
  data.value_failures.clear();
  for (const Json& value : failures.value("values", Json::array())) {
    const Json shown = value.value("value", Json());
    const std::string objective = value.value("objective", "");
    data.value_failures.push_back(
        {.parameter =
             value.value("parameter", "") + (objective.empty() ? "" : " (" + objective + ")"),
         .value = shown.is_string() ? shown.get<std::string>() : shown.dump(),
         .evaluations = value.value("evaluations", std::int64_t{0}),
         .failures = value.value("failures", std::int64_t{0})});
  }
}

}  // namespace ntune
