#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Writes the lines of a journal that stand for evaluations, and its header; README.md has the
/// grammar, recorded_objects.h the other lines. Each function appends a whole line to `text`. A
/// line counts its time from the one before.
class JournalWriter {
 public:
  using Time = StudyLog::Time;

  /// What the line of an evaluation says beside its outcome.
  struct Around {
    Time start = {};
    Time end = {};
    std::optional<double> used = {};            ///< seconds, where the study has a limit
    const HandedOut* asked = nullptr;           ///< under which it was handed out; nullptr: was not
    std::optional<std::uint64_t> request = {};  ///< number of the client's request
  };

  /// The study must outlive the writer.
  explicit JournalWriter(const Study& study) : study_(study) {}

  /// The next line counts from there, in microseconds.
  void count_from(std::int64_t micros) { micros_ = micros; }

  /// Format, version, time, and the study as it is from here on.
  void header(std::string& text, Time now);
  void evaluation(std::string& text, const Request& request, const Outcome& outcome,
                  const Around& around);
  /// What nobody asked for.
  void offered(std::string& text, const OfferedObservation& observation, Time time,
               std::optional<std::uint64_t> number);
  void asked(std::string& text, const Request& request, Time time);
  void asked_again(std::string& text, const EvaluationKey& key, Time time);

 private:
  std::int64_t passed(Time time);

  const Study& study_;
  std::int64_t micros_ = 0;
};

}  // namespace ntune
