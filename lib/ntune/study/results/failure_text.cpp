#include "ntune/study/results/failure_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Causes of all objectives; what an older journal gives no cause for is one of its own.
FailureCauses causes_of(const StudyResult& result) {
  FailureCauses causes;
  for (const FailureStatistics& one : result.failure_statistics) causes.merge(one.causes);
  const std::int64_t unknown = result.failures - causes.count();
  if (unknown > 0) causes.add("no reason recorded", unknown);
  return causes;
}

/// Lower end of the interval of a value's failure rate.
double least_rate(const FailingValue& value) {
  return wilson_interval(static_cast<double>(value.count.failures),
                         static_cast<double>(value.count.evaluations))
      .low;
}

std::string causes_text(const FailureCauses& causes) {
  constexpr std::size_t kMost = 5;
  const auto sorted = causes.sorted();
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, sorted.size()); ++i) {
    text += fmt::format("  {:>6}  {}\n", count_text(sorted[i].count), sorted[i].text);
  }
  if (sorted.size() > kMost) {
    text += fmt::format("          and {}\n", counted(sorted.size() - kMost, "other cause"));
  }
  return text;
}

std::string values_text(std::vector<FailingValue> values) {
  constexpr std::size_t kMost = 5;
  constexpr double kPercent = 100.0;
  constexpr std::int64_t kFewest = 3;  // one or two are soon met by chance
  std::erase_if(values, [](const FailingValue& value) {
    return value.count.failures < kFewest || least_rate(value) <= value.rate_of_all;
  });
  std::ranges::stable_sort(values, std::greater(), least_rate);
  if (values.size() > kMost) values.resize(kMost);
  std::string text;
  for (const FailingValue& value : values) {
    text += fmt::format("  {} = {}: {} of {} search evaluations failed ({:.0f} %)\n",
                        printable(value.label(), 60), printable(value_text(value.value), 60),
                        count_text(value.count.failures), count_text(value.count.evaluations),
                        kPercent * value.rate());
  }
  return text;
}

}  // namespace

Json failures_json(const Study& study, const StudyResult& result) {
  Json causes = Json::array();
  for (const FailureCauses::Cause& cause : causes_of(result).sorted()) {
    causes.push_back({{"cause", cause.text}, {"count", cause.count}});
  }
  Json values = Json::array();
  for (const FailingValue& value : failing_values(study, result.failure_statistics)) {
    Json& row = values.emplace_back(Json::object());
    if (!value.objective.empty()) row["objective"] = value.objective;
    row["parameter"] = value.parameter;
    row["value"] = value_json(value.value);
    row["evaluations"] = value.count.evaluations;
    row["failures"] = value.count.failures;
    row["rate"] = value.rate();
  }
  return {{"count", result.failures}, {"causes", std::move(causes)}, {"values", std::move(values)}};
}

std::string failures_text(const Study& study, const StudyResult& result) {
  if (result.failures == 0) return {};
  return fmt::format("{} of them failed\n", count_text(result.failures)) +
         causes_text(causes_of(result)) +
         values_text(failing_values(study, result.failure_statistics));
}

}  // namespace ntune
