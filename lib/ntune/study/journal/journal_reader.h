#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/study/evaluation.h"
#include "ntune/study/run_record.h"

namespace ntune {

/// One line of a journal. Our own lines begin with the key "ntune", whose value says all that a
/// resumed study needs; the rest of the line is an Optuna JournalFile record.
struct JournalLine {
  enum class Kind {
    kHeader,      ///< first line: version and study
    kAsked,       ///< a trial that has been handed out and not yet told
    kEvaluation,  ///< payoffs
    kFailure,     ///< an evaluation that failed for good
    kRun,         ///< a finished run
    kForeign      ///< a record of another program, or without news
  } kind = Kind::kForeign;
  std::size_t number = 0;   ///< from 1
  std::string_view text;    ///< without its line end
  std::int64_t trial = -1;  ///< Optuna's trial id, where the line makes or finishes one
  EvaluationKey key;        ///< also of a run, with index 0
  std::vector<std::uint16_t> point;
  std::vector<double> payoffs;  ///< of an evaluation
  RunRecord run;                ///< of a run, without score and true value
};

/// Reads a journal line by line. Throws InputError "name:line: …" for lines that are not a
/// journal's. Returns the number of bytes up to the end of the last whole line: what a crash has
/// torn behind that is not passed on.
std::size_t scan_journal(std::string_view text, const std::string& name,
                         const std::function<void(const JournalLine&)>& visit);

/// The study of a header line: {"format": 1, "version": …, "study": {…}}.
Json journal_header(std::string_view text, const std::string& name);

}  // namespace ntune
