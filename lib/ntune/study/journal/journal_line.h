#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/limits.h"
#include "ntune/study/model/run_record.h"
#include "ntune/study/model/study.h"

namespace ntune {

struct EvaluationKeyHash {
  std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
};

/// What one line of a journal says. README.md has the grammar.
struct JournalLine {
  using Time = std::chrono::system_clock::time_point;

  enum class Kind {
    kHeader,      ///< first line: format, version and study
    kExtension,   ///< the study from here on, which has been given more
    kAsked,       ///< an evaluation that is handed out
    kAskedAgain,  ///< one that is handed out once more
    kEvaluation,  ///< payoffs
    kFailure,     ///< an evaluation that failed in all its attempts
    kRun,         ///< a finished run
    kRetry,       ///< failures before it do not count: they were tried again
    kOffered,     ///< payoffs that nobody asked for
    kPlanned,     ///< a decision of a study with limits
    kState,       ///< where the search of a run is, beside what it was told
    kSplit,       ///< how the budget is divided, where `split: auto` left that open
    kForeign      ///< what other programs wrote to a journal of version 0.2
  } kind = Kind::kForeign;
  /// Whether lines of the kind name a point.
  [[nodiscard]] bool has_point() const {
    return kind == Kind::kAsked || kind == Kind::kEvaluation || kind == Kind::kFailure ||
           kind == Kind::kRun || kind == Kind::kOffered;
  }
  /// Whether the line ends an evaluation.
  [[nodiscard]] bool has_outcome() const {
    return kind == Kind::kEvaluation || kind == Kind::kFailure;
  }

  std::size_t number = 0;  ///< from 1
  /// Counts what has been handed out, or has ended without that; what ends later has the number
  /// under which it was handed out. -1: of other lines.
  std::int64_t trial = -1;
  bool was_asked = false;  ///< of what has ended: it was handed out before
  EvaluationKey key;       ///< of a run with index 0
  std::vector<std::uint16_t> point;
  std::vector<std::uint16_t> against;  ///< the opponent, where the search chose one; else empty
  std::vector<double> payoffs;         ///< of an evaluation or what was offered
  std::vector<double>
      other_goals;   ///< payoffs behind that of the first goal; empty: there are none
  GameCounts games;  ///< counts of an evaluation that was of games
  Ending ending = Ending::kWhole;
  SolverAnswer answer = SolverAnswer::kNone;
  int attempts = 1;
  std::string failure;                   ///< why it failed
  std::optional<double> cost;            ///< what the evaluation used of a budget of costs
  std::optional<double> used;            ///< seconds that a study with a limit of time had used
  std::optional<std::int64_t> block;     ///< where its optimiser names one
  std::optional<std::size_t> instance;   ///< its place among those of its stage
  std::optional<std::uint64_t> request;  ///< number of the client's request that it answers
  /// When it was begun or handed out last, and when it ended or was handed out.
  std::optional<Time> start;
  std::optional<Time> end;
  PlannedStep planned;                ///< of the kind kPlanned
  SearchState state;                  ///< of the kind kState
  RunRecord run;                      ///< of a run, without score, true value and matches
  RunPlan split;                      ///< of the kind kSplit: runs, iterations, re_evaluation
  std::string version;                ///< of the kinds kHeader and kExtension
  std::shared_ptr<const Json> study;  ///< configuration, of the same
};

/// An evaluation that has been handed out and has no outcome yet.
struct HandedOut {
  std::int64_t trial = -1;
  std::optional<JournalLine::Time> start = {};
  std::vector<std::uint16_t> point = {};
  std::vector<std::uint16_t> against = {};
  /// Lines may name its point by '='. Not those behind an extension, whose space may be another.
  bool may_be_named = true;
};
using HandedOutEvaluations = std::unordered_map<EvaluationKey, HandedOut, EvaluationKeyHash>;

/// The payoffs of all goals that the line of an evaluation has; empty where there is one number.
std::vector<double> goals_of(const JournalLine& line);
/// What a line of the kind kOffered says.
OfferedObservation offered_of(const JournalLine& line);

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
