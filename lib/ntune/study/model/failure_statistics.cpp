#include "ntune/study/model/failure_statistics.h"

#include <algorithm>

#include "ntune/core/json.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// Share of failures; 0 where nothing was evaluated.
double failure_rate_of(const FailuresByValue::Count& count) {
  const auto evaluations = static_cast<double>(std::max<std::int64_t>(1, count.evaluations));
  return static_cast<double>(count.failures) / evaluations;
}

/// The count of all evaluations: the sum over a parameter that is active in all of them.
FailuresByValue::Count sum_of(const FailuresByValue& by_value) {
  FailuresByValue::Count largest;
  for (const auto& parameter : by_value.counts()) {
    FailuresByValue::Count sum;
    for (const auto& count : parameter) {
      sum.evaluations += count.evaluations;
      sum.failures += count.failures;
    }
    if (sum.evaluations > largest.evaluations) largest = sum;
  }
  return largest;
}

}  // namespace

void FailureCauses::add_failure(std::string_view failure) {
  add(failure_cause(failure), 1, failure_problem(failure));
}

void FailureCauses::add(const std::string& cause, std::int64_t count, const std::string& text) {
  constexpr std::size_t kMostCauses = 100;
  if (causes_.size() >= kMostCauses && !causes_.contains(cause)) {
    causes_["other causes"].count += count;
    return;
  }
  // The whole text stays as long as all failures of the cause have the same one.
  const auto [known, is_new] = causes_.try_emplace(cause, Known{.text = text});
  known->second.count += count;
  if (!is_new && known->second.text != text) known->second.text.clear();
}

void FailureCauses::merge(const FailureCauses& other) {
  for (const auto& [cause, known] : other.causes_) add(cause, known.count, known.text);
}

std::int64_t FailureCauses::count() const {
  std::int64_t sum = 0;
  for (const auto& [cause, known] : causes_) sum += known.count;
  return sum;
}

std::vector<FailureCauses::Cause> FailureCauses::sorted() const {
  std::vector<Cause> list;
  for (const auto& [cause, known] : causes_) {
    list.push_back(
        {.text = known.text.empty() ? cause : known.text, .count = known.count, .masked = cause});
  }
  std::ranges::stable_sort(list, std::greater(), &Cause::count);
  return list;
}

void FailuresByValue::add(const SearchSpace& space, const Point& point, bool failed,
                          const Point* opponent) {
  if (counts_.empty()) {
    for (const Parameter& parameter : space.parameters()) {
      counts_.emplace_back(static_cast<std::size_t>(parameter.cardinality()));
    }
  }
  const auto count = [&](const Point& player, int i) {
    auto& values = counts_[static_cast<std::size_t>(i)];
    // A default may have a value that is not among those to be asked for.
    if (!space.is_active(player, i) || player[i] >= values.size()) return;
    ++values[player[i]].evaluations;
    if (failed) ++values[player[i]].failures;
  };
  for (int i = 0; i < point.size(); ++i) {
    count(point, i);
    // A value that both players have counts once.
    const bool shared = opponent != nullptr && space.is_active(point, i) &&
                        space.is_active(*opponent, i) && (*opponent)[i] == point[i];
    if (opponent != nullptr && !shared) count(*opponent, i);
  }
}

void FailuresByValue::merge(const FailuresByValue& other) {
  // A run without failures has counted nothing.
  if (counts_.empty()) counts_ = std::vector<std::vector<Count>>(other.counts_.size());
  for (std::size_t i = 0; i < std::min(counts_.size(), other.counts_.size()); ++i) {
    const std::vector<Count>& added = other.counts_[i];
    if (counts_[i].size() < added.size()) counts_[i].resize(added.size());
    for (std::size_t value = 0; value < added.size(); ++value) {
      counts_[i][value].evaluations += added[value].evaluations;
      counts_[i][value].failures += added[value].failures;
    }
  }
}

void FailureStatistics::merge(const FailureStatistics& other) {
  causes.merge(other.causes);
  by_value.merge(other.by_value);
}

double FailingValue::rate() const { return failure_rate_of(count); }

std::vector<FailingValue> failing_values(const Study& study,
                                         const std::vector<FailureStatistics>& statistics) {
  std::vector<FailingValue> values;
  for (std::size_t o = 0; o < statistics.size(); ++o) {
    const SearchSpace& space = study.objectives[o].objective->space();
    const FailuresByValue& by_value = statistics[o].by_value;
    // A value is shown beside the rate of its whole objective.
    const double rate_of_all = failure_rate_of(sum_of(by_value));
    const std::size_t parameters = std::min(by_value.counts().size(), space.parameters().size());
    for (std::size_t i = 0; i < parameters; ++i) {
      const Parameter& parameter = space.parameters()[i];
      const auto& counts = by_value.counts()[i];
      for (std::size_t v = 0; v < std::min(counts.size(), parameter.values.size()); ++v) {
        if (counts[v].failures == 0) continue;
        values.push_back({.objective = study.objectives.size() > 1 ? study.objectives[o].label : "",
                          .parameter = parameter.name,
                          .value = parameter.values[v],
                          .count = counts[v],
                          .rate_of_all = rate_of_all});
      }
    }
  }
  return values;
}

Json failure_statistics_json(const FailureStatistics& statistics) {
  // A cause has its whole text where that is known, which is read back with it.
  Json causes = Json::array();
  for (const FailureCauses::Cause& cause : statistics.causes.sorted()) {
    causes.push_back({cause.masked, cause.count});
    if (cause.text != cause.masked) causes.back().push_back(cause.text);
  }
  Json values = Json::array();
  for (const auto& parameter : statistics.by_value.counts()) {
    Json counts = Json::array();
    for (const auto& count : parameter) counts.push_back({count.evaluations, count.failures});
    values.push_back(std::move(counts));
  }
  return {{"causes", std::move(causes)}, {"values", std::move(values)}};
}

/// A text of another form, as of another version, tells nothing.
FailureStatistics failure_statistics_of(const Json& json) {
  FailureStatistics statistics;
  try {
    for (const Json& cause : json.at("causes")) {
      const auto masked = cause.at(0).get<std::string>();
      statistics.causes.add(masked, cause.at(1).get<std::int64_t>(),
                            cause.size() > 2 ? cause.at(2).get<std::string>() : masked);
    }
    for (const Json& parameter : json.at("values")) {
      auto& counts = statistics.by_value.counts().emplace_back();
      for (const Json& count : parameter) {
        counts.push_back({.evaluations = count.at(0).get<std::int64_t>(),
                          .failures = count.at(1).get<std::int64_t>()});
      }
    }
  } catch (const Json::exception&) {
    return {};
  }
  return statistics;
}

}  // namespace ntune
