#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/report/data/evaluation_sample.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

/// A call of the program or function, as the journal has it.
struct Call {
  std::int64_t number = 0;  ///< from 1, in the order of the journal
  EvaluationKey key = {};
  Point point = {};
  Point against = {};                     ///< as RecordedTrial::opponent; else without values
  std::optional<double> value = {};       ///< reported unit; nothing: it failed
  std::optional<double> cost = {};        ///< what it used of a budget of costs
  std::optional<double> seconds = {};     ///< that it took
  std::string instance = {};              ///< empty: the study has none
  std::optional<std::int64_t> seed = {};  ///< that the program was given
  Ending ending = Ending::kWhole;
  std::string failure = {};  ///< why it failed; empty: it did not, or nobody knows
};

/// When a call began and ended, in seconds from the begin of the first.
struct CallTime {
  double begin = 0.0;
  double end = 0.0;
  bool failed = false;
  std::int64_t number = 0;  ///< of the call
};

/// The calls of a study. Of a study that keeps its runs only those of its searches are known.
struct Calls {
  static constexpr std::size_t kMost = 20'000;  ///< that are held one by one

  /// All, or some drawn at random and the failures.
  std::vector<Call> list = {};
  std::int64_t of = 0;               ///< how many there are
  std::vector<CallTime> times = {};  ///< of all, by begin; empty: the journal has no times
  bool of_searches = false;          ///< those of the fresh measurements are not known
};

/// Reads them from the journal, or else takes them from what the searches evaluated.
Calls calls_of(const StudyFolder& study, const std::vector<EvaluationSample>& samples);

}  // namespace ntune
