#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/evaluation/offered_observation.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/planned_step.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

/// One line of a journal. Our lines begin with the key "ntune", whose value holds all that a
/// resumed study needs (journal_fields.h). The rest of the line is an Optuna JournalFile record.
struct JournalLine {
  enum class Kind {
    kHeader,      ///< first line: version and study
    kExtension,   ///< the study from here on, which has been given more
    kAsked,       ///< a trial that is handed out and has no result yet
    kAskedAgain,  ///< a trial that is handed out once more
    kEvaluation,  ///< payoffs
    kFailure,     ///< an evaluation that failed in all its attempts
    kRun,         ///< a finished run
    kRetry,       ///< failures before it do not count: they were tried again
    kOffered,     ///< payoffs that nobody asked for
    kPlanned,     ///< a decision of a study with limits
    kState,       ///< where the search of a run is, beside what it was told
    kSplit,       ///< how the budget is divided, where `split: auto` left that open
    kForeign      ///< any other Optuna record
  } kind = Kind::kForeign;
  /// Whether lines of the kind name a point.
  [[nodiscard]] bool has_point() const {
    return kind == Kind::kAsked || kind == Kind::kEvaluation || kind == Kind::kFailure ||
           kind == Kind::kRun || kind == Kind::kOffered;
  }
  std::size_t number = 0;   ///< from 1
  std::string_view text;    ///< without its line end
  std::int64_t trial = -1;  ///< Optuna's trial id, where the line makes or finishes one
  EvaluationKey key;        ///< of a run with index 0
  std::vector<std::uint16_t> point;
  std::vector<double> payoffs;     ///< of an evaluation, else empty
  GameCounts games;                ///< of an evaluation that was of games
  Ending ending = Ending::kWhole;  ///< of an evaluation
  std::optional<double> cost;      ///< of an evaluation or a failure
  /// Seconds that the study had used, of the same.
  struct Used {
    std::optional<double> seconds;
  } used;
  /// Of an evaluation in a search whose optimiser names one.
  struct Block {
    std::optional<std::int64_t> number;
  } block;
  /// Value indices of the opponent that a search has chosen, of an evaluation, a failure, or what
  /// was handed out.
  struct Against {
    std::vector<std::uint16_t> indices;
  } against;
  /// Of the kind kOffered, see OfferedObservation.
  struct OfferedOn {
    std::optional<std::size_t> instance;
  } offered_on;
  PlannedStep planned;  ///< of the kind kPlanned
  SearchState state;    ///< of the kind kState
  RunRecord run;        ///< of a run, without score, true value, trace and matches
  /// Of a run: its packed SearchTrace, within `text`; empty: none is kept.
  struct Trace {
    std::string_view text;
  } trace;
};

/// Reads a journal line by line. Throws InputError "name:line: …" for lines that are not a
/// journal's. Returns the number of bytes up to the end of the last whole line; a line behind it,
/// torn by a crash, is not passed on.
std::size_t scan_journal(std::string_view text, const std::string& name,
                         const std::function<void(const JournalLine&)>& visit);

/// What a line of the kind kOffered says.
OfferedObservation offered_of(const JournalLine& line);

/// The study of a header line, or of an extension: {"format": 1, "version": …, "study": {…}}.
/// Throws InputError "name:line: …" where it is none.
Json journal_header(std::string_view text, const std::string& name, std::size_t line = 1);

}  // namespace ntune
