#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/facts/story.h"
#include "ntune/report/data/report_data.h"
#include "ntune/report/data/study_watch.h"

namespace ntune {

/// A study among others: whether it needs a person, how far it is and what it has found, in words
/// that fit a row of a table. Board, page of several studies and `ntune top` say the same.
struct StudyRow {
  /// What is to be done about it, most urgent first.
  enum class Kind { kNeedsPerson, kRunning, kBetter, kNotDecided, kKeep, kDone };
  /// The gain over today's setting, on the axis of its unit.
  struct Gain {
    std::string axis = {};  ///< "points", "Elo", or the objective whose unit it is
    StoryNumber number = {};
    bool less_is_better = false;
  };

  Kind kind = Kind::kDone;
  std::string title = {};
  std::string state = {};   ///< "stopped", "failing", "silent", "running", "better", "keep", …
  std::string budget = {};  ///< "80 of 400 calls, 1.4 min left"
  double share = 0.0;       ///< of the budget, 0 to 1
  std::vector<double> course = {};  ///< worth of the best setting by the search, oldest first
  std::string best = {};            ///< worth of what is recommended: "55.1 %"
  std::optional<Gain> gain = {};
  std::string finding = {};                    ///< a sentence or less
  std::optional<SavedVerification> test = {};  ///< that goes on
};

/// The row of a study as a watch sees it now.
StudyRow study_row(const StudyWatch& watch, const StudyStatus& status);

/// The row of a study that was read whole, as for a page.
StudyRow study_row(const ReportData& data);

/// "2 need you", "1 running", "3 better": how many rows there are of each kind, most urgent first.
std::vector<std::pair<StudyRow::Kind, std::string>> counts_of_kinds(
    const std::vector<StudyRow>& rows);

}  // namespace ntune
