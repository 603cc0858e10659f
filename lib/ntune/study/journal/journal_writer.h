#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/trial_text.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Name of the Optuna study of an objective, unique within the study.
std::string optuna_name(const Study& study, std::size_t objective);

/// Writes the lines of a study's journal: our fields (journal_fields.h) and an Optuna record. Each
/// function appends whole lines to `text`. The study must outlive the writer.
class JournalWriter {
 public:
  using Time = StudyLog::Time;

  explicit JournalWriter(const Study& study);

  /// The header of an objective; that of the first one holds the study.
  void header(std::string& text, std::size_t objective) const;
  /// The study as it is from here on.
  void extension(std::string& text) const;
  /// An evaluation as a new trial. `used`: seconds that the study has used, where they are limited.
  void evaluation(std::string& text, const Request& request, const Outcome& outcome, Time start,
                  Time end, std::optional<double> used = {}) const;
  /// Payoffs that nobody asked for, as a finished trial. `number`: of the client's request.
  void offered(std::string& text, const OfferedObservation& observation, Time time,
               std::optional<std::uint64_t> number = {}) const;
  /// An evaluation that ends a trial which has been handed out.
  void told(std::string& text, std::int64_t trial, const Request& request, const Outcome& outcome,
            Time end, std::optional<double> used = {},
            std::optional<std::uint64_t> number = {}) const;
  /// A decision of a study with limits.
  static void planned(std::string& text, const PlannedStep& step);
  /// Where the search of a run is.
  static void state(std::string& text, const EvaluationKey& key, const SearchState& state);
  /// A trial that is handed out.
  void asked(std::string& text, const Request& request, Time start) const;
  /// The same trial, handed out once more.
  static void asked_again(std::string& text, std::int64_t trial, Time start);
  /// How the budget of a study with `split: auto` is divided.
  void split(std::string& text) const;
  /// What was tried before and failed does not count from here on.
  static void retry(std::string& text);
  void run(std::string& text, std::uint32_t cell, const RunRecord& record, Time end) const;

 private:
  const Study& study_;
  std::vector<TrialText> trials_;  ///< per objective
};

}  // namespace ntune
