// The fields of a journal's lines, in one list for the writer (journal_writer.cpp) and the reader
// (journal_reader.cpp). Our part of a line is the value of its first key,
//   {"ntune":[LETTER,FIELD,…],"op_code":…}
// and the rest an Optuna record.
//
// A function below passes the fields of a record to `fields`, which writes or reads each with the
// comma before it. Fields are numbers, a Stage, lists of numbers in brackets, and RunningStats as
// the numbers of their state. Some fields may be missing. A Certainty is a list of one or two
// numbers, and of four more with its claim. The others are lists that begin with their names:
// ["games",WINS,DRAWS,LOSSES], with five counts of pairs if there are any, ["forfeits",COUNTS] with
// those of the first player by cause and then of the second, ["cut_off"], ["capped"],
// ["cost",COST], ["used",SECONDS], ["block",BLOCK], ["against",[INDICES]], ["instance",PLACE] and
// ["trace",TEXT].

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "ntune/core/statistics.h"
#include "ntune/study/journal/journal_reader.h"

namespace ntune::journal_fields {

/// Around LETTER and the fields.
inline constexpr std::string_view kBegin = R"({"ntune":[")";
inline constexpr std::string_view kAfterLetter = "\"";
inline constexpr std::string_view kEnd = R"(],"op_code":)";
/// How lines of the kinds kHeader, kExtension, kRetry, kSplit and kState begin, whose fields have
/// names.
inline constexpr std::string_view kOwnObject = R"({"ntune":{)";
/// The only field of a line of the kind kRetry.
inline constexpr const char* kRetry = "retry_failed";
/// The only field of a line of the kind kSplit.
inline constexpr const char* kSplit = "split";
/// The only field of a line of the kind kState.
inline constexpr const char* kState = "search_state";
/// The only field of a line of the kind kAskedAgain: the trial.
inline constexpr const char* kAskedAgain = "asked_again";
/// Before the number of the client's request that a line answers, at the very end of its Optuna
/// record, where there is one.
inline constexpr std::string_view kRequest = R"(,"request":)";
/// That number.
std::optional<std::uint64_t> request_of(std::string_view line);
/// How counts of games begin.
inline constexpr std::string_view kGames = R"(,["games")";
/// Behind them the games that were lost by a fault, where there are any.
inline constexpr std::string_view kForfeits = R"(,["forfeits")";
/// How an evaluation ended, if before its end.
inline constexpr std::string_view kCutOff = R"(,["cut_off"])";
inline constexpr std::string_view kCapped = R"(,["capped"])";
/// Before the seconds that a study with a limit of time had used when it was recorded.
inline constexpr std::string_view kUsed = R"(,["used")";
/// Before the block of an evaluation, where its optimiser named one.
inline constexpr std::string_view kBlock = R"(,["block")";
/// Before the value indices of the opponent, where a search has chosen one.
inline constexpr std::string_view kAgainst = R"(,["against")";
/// Before the place of the instance, from 0, of what nobody asked for.
inline constexpr std::string_view kInstance = R"(,["instance")";
/// The only field of a line of the kind kPlanned.
inline constexpr const char* kPlanned = "planned";
/// Before what an evaluation used of a budget of costs.
inline constexpr std::string_view kCost = R"(,["cost")";
/// Before the number of a run's evaluations that were cut off, where there are any.
inline constexpr std::string_view kRunCutOff = R"(,"cut_off")";
/// The same of those that were ended when they could no longer win.
inline constexpr std::string_view kRunCapped = R"(,"capped")";
/// Before the number of payoffs that a run has set aside, where there are any.
inline constexpr std::string_view kSetAside = R"(,"set_aside")";
/// Before the packed trace of a run's search, which needs no escapes.
inline constexpr std::string_view kTrace = R"(,["trace",")";
inline constexpr std::string_view kAfterTrace = R"("])";

inline constexpr std::array<std::pair<JournalLine::Kind, char>, 5> kLetters = {
    {{JournalLine::Kind::kAsked, 'a'},
     {JournalLine::Kind::kEvaluation, 'e'},
     {JournalLine::Kind::kFailure, 'f'},
     {JournalLine::Kind::kOffered, 'o'},
     {JournalLine::Kind::kRun, 'r'}}};

/// Fields of a line of the kinds kAsked, kEvaluation, kFailure and kOffered. Members of `line`:
/// kind, key, point, payoffs, games, ending, cost, used, block, against,
/// offered_on.
template <class Fields, class Line>
void of_evaluation(Fields&& fields, Line& line) {
  auto& key = line.key;
  fields(key.cell, key.stage, key.repeat, key.run, key.index, line.point);
  if (line.kind == JournalLine::Kind::kEvaluation) {
    fields(line.payoffs, line.games, line.ending, line.cost, line.used, line.block, line.against);
  }
  if (line.kind == JournalLine::Kind::kFailure) {
    fields(line.cost, line.used, line.block, line.against);
  }
  if (line.kind == JournalLine::Kind::kAsked) fields(line.against);
  if (line.kind == JournalLine::Kind::kOffered) fields(line.payoffs, line.offered_on);
}

/// Fields of a line of the kind kRun. Members of `line`: key, point, run, trace.
template <class Fields, class Line>
void of_run(Fields&& fields, Line& line) {
  auto& run = line.run;
  fields(line.key.cell, run.repeat, run.run, run.evaluations, run.failures, run.point_evaluations,
         run.hold_out.evaluations, run.estimate, run.hold_out.payoffs, line.point, run.set_aside,
         run.endings, line.trace, run.certainty);
}

template <class Fields, class State>
void of_statistics(Fields&& fields, State& state) {
  fields(state.count, state.mean, state.squares, state.min, state.max);
}

}  // namespace ntune::journal_fields
