#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/space/search_space.h"

namespace ntune {

struct Study;

/// Stands for the reason of a failure that a journal does not give.
inline constexpr const char* kNoReason = "no reason recorded";

/// How often evaluations failed for which cause (objective/failure_cause.h). Of many causes those
/// that come after the first hundred count as one.
class FailureCauses {
 public:
  struct Cause {
    std::string text;  ///< with nothing masked where all failures of the cause have the same
    std::int64_t count = 0;
    std::string masked;
  };

  /// Adds a failure by its whole text.
  void add_failure(std::string_view failure);
  /// `text`: what all these failures have in common, with nothing masked; empty: they differ, or it
  /// is not known.
  void add(const std::string& cause, std::int64_t count, const std::string& text = {});
  void merge(const FailureCauses& other);
  /// Failures of all causes.
  [[nodiscard]] std::int64_t count() const;
  /// The most frequent first, then by the alphabet.
  [[nodiscard]] std::vector<Cause> sorted() const;

 private:
  struct Known {
    std::int64_t count = 0;
    std::string text;
  };
  std::map<std::string, Known> causes_;  ///< by the masked text
};

/// Evaluations of searches and failures among them, for each value of each parameter.
class FailuresByValue {
 public:
  struct Count {
    std::int64_t evaluations = 0;
    std::int64_t failures = 0;
  };

  /// A point counts at the values of the parameters that are active in it. Either player of a match
  /// may have failed: the values of its opponent count too, where they differ; nullptr: none.
  void add(const SearchSpace& space, const Point& point, bool failed,
           const Point* opponent = nullptr);
  /// Adds the counts of `other`, which is of the same space, or empty.
  void merge(const FailuresByValue& other);
  /// Counts by parameter and index of the value; empty where nothing was counted.
  [[nodiscard]] const std::vector<std::vector<Count>>& counts() const { return counts_; }
  [[nodiscard]] std::vector<std::vector<Count>>& counts() { return counts_; }

 private:
  std::vector<std::vector<Count>> counts_;
};

/// Why evaluations failed, and where.
struct FailureStatistics {
  FailureCauses causes = {};      ///< of all evaluations
  FailuresByValue by_value = {};  ///< of searches that met a failure

  void merge(const FailureStatistics& other);
};

/// A value of a parameter at which search evaluations failed.
struct FailingValue {
  std::string objective;  ///< its label where a study has several, else empty
  std::string parameter;
  Value value;
  FailuresByValue::Count count;
  double rate_of_all = 0.0;  ///< failures of all search evaluations of the objective

  [[nodiscard]] double rate() const;
};

/// The values at which evaluations failed, in the order of objectives, parameters and values.
/// `statistics` are per objective.
std::vector<FailingValue> failing_values(const Study& study,
                                         const std::vector<FailureStatistics>& statistics);

/// The statistics as text for journals and messages between processes: {"causes": [[cause, count],
/// …], "values": [[[evaluations, failures], …], …]}.
Json failure_statistics_json(const FailureStatistics& statistics);
/// The statistics from such a text; empty where it is not of this form.
FailureStatistics failure_statistics_of(const Json& json);

}  // namespace ntune
