#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/model/failure_statistics.h"

namespace ntune {

/// Why evaluations failed, from the Optuna records of a journal's lines. Of a trial that was handed
/// out, a line of its own says so before the line that ends it.
class FailureReasons {
 public:
  /// Takes a line of the kind kForeign.
  void note(const JournalLine& line);
  /// The reason of a line of the kind kFailure.
  std::string of(const JournalLine& line);

 private:
  std::unordered_map<std::int64_t, std::string> told_;  ///< by trial
};

/// The failures of a run, from its line of the kind kRun. Empty where an older version has written
/// it.
FailureStatistics run_failures(const JournalLine& line);

}  // namespace ntune
