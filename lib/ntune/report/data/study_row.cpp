#include "ntune/report/data/study_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/files.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/facts/result_facts.h"

namespace ntune {

namespace {

using RowKind = StudyRow::Kind;
using WatchState = StudyStatus::State;

/// From this share of failed calls on a running study needs a person.
constexpr double kFailing = 0.1;

/// "rush 100 → 75, pace 0 → 0.05"; beyond three their number.
std::string changes_text(const Story& story) {
  constexpr std::ptrdiff_t kMost = 3;
  const auto changed = std::ranges::count_if(story.changes, [](const Story::Change& change) {
    return !change.today.empty() && !change.stays();
  });
  if (changed > kMost) return counted(changed, "change");
  std::string text;
  for (const Story::Change& change : story.changes) {
    if (change.today.empty() || change.stays()) continue;
    text += fmt::format("{}{} {} → {}", text.empty() ? "" : ", ", change.name, change.today,
                        change.found);
  }
  return text;
}

/// The sentence without what the state says already: "Not decided: +1.2 points." is "+1.2 points".
std::string without_verdict(const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  std::string text = colon == std::string::npos ? sentence : sentence.substr(colon + 2);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// The verdict's words with gain and changes, for one row. Of several goals the sentence says all.
std::string finding_of(const Story& story, bool has_goals) {
  if (story.verdict == Verdict::kStopped || has_goals) return story.sentence;
  if (story.verdict == Verdict::kKeep && story.has_changes() && story.gain) {
    return without_verdict(story.sentence) + "; the best that was tried: " + story.gain_text();
  }
  if (story.verdict != Verdict::kUse || !story.gain) return without_verdict(story.sentence) + '.';
  const std::string changes = changes_text(story);
  // A test says more than the gain of the fresh calls, whose interval may hold 0.
  const std::string gain = story.tested ? without_verdict(story.sentence) : story.gain_text();
  return gain + (changes.empty() ? "" : "; " + changes);
}

/// What a study that has ended is, and the word for it.
std::pair<RowKind, const char*> end_of(const Story& story) {
  switch (story.verdict) {
    case Verdict::kKeep:
      return {RowKind::kKeep, "keep"};
    case Verdict::kNotDecided:
      return {RowKind::kNotDecided, "not decided"};
    case Verdict::kStopped:
      return {RowKind::kNeedsPerson, "stopped"};
    case Verdict::kUse:
    case Verdict::kChoose:
      break;
  }
  const bool better = story.verdict == Verdict::kUse && story.today;
  return better ? std::pair(RowKind::kBetter, "better") : std::pair(RowKind::kDone, "done");
}

/// Takes what a study that has ended says.
void take_story(StudyRow& row, const Story& story, const Objective& objective) {
  row.finding = finding_of(story, !objective.goals().empty());
  if (!story.alarm.empty()) row.finding = story.alarm + ' ' + row.finding;
  std::tie(row.kind, row.state) = end_of(story);
  if (story.found) row.best = story.unit.text(story.found->value);
  // Win rates of all studies share an axis, others that of their objective.
  if (!story.gain) return;
  StudyRow::Gain gain{.number = *story.gain, .less_is_better = objective.unit().is_cost()};
  if (story.unit.kind == StoryUnit::Kind::kWinRate) {
    gain.axis = "points";
  } else {
    gain.axis = printable(objective.description());
  }
  row.gain = gain;
}

/// "80 of 400 calls", or what was made where the study has ended or has no total.
std::string budget_of(std::int64_t evaluations, std::int64_t total, bool ended) {
  if (ended || total == 0) return counted(evaluations, "call");
  return fmt::format("{} of {}", count_text(evaluations), counted(total, "call"));
}

/// Takes where a running study is. Its failures come before what leads the search.
void take_course(StudyRow& row, const StudyStatus& status) {
  constexpr std::int64_t kFew = 3;
  const double share_failed = static_cast<double>(status.failures) /
                              static_cast<double>(std::max<std::int64_t>(1, status.evaluations));
  row.kind = RowKind::kRunning;
  row.state = "running";
  if (share_failed > kFailing && status.failures >= kFew) {
    row.kind = RowKind::kNeedsPerson;
    row.state = "failing";
    row.finding = fmt::format("{} of {} failed, at last: {}", count_text(status.failures),
                              counted(status.evaluations, "call"), status.last_failure);
  } else if (row.finding.empty() && !status.front.empty()) {
    row.finding = status.front;
  } else if (row.finding.empty() && !status.recommendation.empty()) {
    row.finding = "leads the search: " + status.recommendation;
  }
}

/// Takes why a study that has not ended does not go on: it needs a person. `failure`: the call that
/// ended it; empty: none did.
void take_halt(StudyRow& row, bool interrupted, const std::string& failure, const Study& study,
               const std::filesystem::path& folder) {
  row.kind = RowKind::kNeedsPerson;
  row.state = interrupted ? "interrupted" : "stopped";
  if (interrupted) return;  // its result says how far it came
  row.finding = failure.empty()
                    ? "its process has ended; go on: " + go_on_command(study, path_text(folder))
                    : "a call failed: " + failure;
}

}  // namespace

StudyRow study_row(const StudyWatch& watch, const StudyStatus& status) {
  StudyRow row{.title = watch.title(), .share = status.share(), .course = status.course};
  const bool ended = status.state == WatchState::kDone;
  row.budget = budget_of(status.evaluations, status.total_evaluations, ended);
  if (const auto left = status.seconds_left()) {
    row.budget += ", " + duration_text(std::ceil(*left)) + " left";
  }
  if (status.estimate) {
    const bool percent = is_told_in_percent(*watch.study().objectives[0].objective);
    row.best = percent ? StoryUnit{.kind = StoryUnit::Kind::kWinRate}.text(*status.estimate)
                       : score_text(*status.estimate);
  }
  // The finding is that of the result where there is one.
  if (!status.comparison.empty()) {
    row.finding = "comparison of " + status.comparison;
    row.state = "done";
  } else if (status.story) {
    take_story(row, *status.story, *watch.study().objectives[0].objective);
  }
  if (!status.fault.empty() && status.state != WatchState::kRunning) {
    row.kind = RowKind::kNeedsPerson;
    row.state = "unreadable";
    row.finding = status.fault;
    return row;
  }
  // A test of what was found goes on as a study does.
  row.test = status.test;
  if (row.test) {
    row.kind = RowKind::kRunning;
    row.state = "verifying";
    row.finding = test_line(*row.test) + "; " + row.finding;
  }
  if (ended) return row;
  if (status.state == WatchState::kRunning) {
    take_course(row, status);
  } else if (status.state == WatchState::kSilent) {
    row.kind = RowKind::kNeedsPerson;
    row.state = "silent";
    row.finding = fmt::format("nothing written for {}", duration_text(status.silent));
  } else {
    const bool aborts = watch.study().execution.on_failure.kind == FailurePolicy::Kind::kAbort;
    take_halt(row, status.state == WatchState::kInterrupted,
              aborts && status.failures > 0 ? status.last_failure : "", watch.study(),
              watch.folder());
  }
  return row;
}

StudyRow study_row(const ReportData& data) {
  const StudyFolder& folder = data.study;
  StudyRow row{.title = folder.title()};
  const bool done = folder.state == StudyFolder::State::kDone;
  const std::int64_t total = total_evaluations(folder.study);
  row.budget = budget_of(data.evaluations, total, done);
  row.share =
      done ? 1.0
      : total > 0
          ? std::min(1.0, static_cast<double>(data.evaluations) / static_cast<double>(total))
          : 0.0;
  row.state = "done";
  if (folder.result && !data.is_comparison()) {
    take_story(row,
               story_of(folder.study, *folder.result, path_text(folder.folder), data.evaluations),
               folder.objective(0));
  }
  // The course is that of the run that recommends the setting.
  const std::int64_t chosen =
      folder.result && folder.result->recommendation ? folder.result->recommendation->run : 0;
  for (const RunTrace& trace : data.traces.runs) {
    if (!data.is_comparison() && trace.run == chosen) row.course = course_of(trace.checkpoints);
  }
  if (folder.is_running) {
    row.kind = RowKind::kRunning;
    row.state = "running";
  } else if (!done) {
    take_halt(row, folder.state == StudyFolder::State::kInterrupted,
              data.is_ended_by_failure() ? data.last_failure : "", folder.study, folder.folder);
  }
  return row;
}

std::vector<std::pair<RowKind, std::string>> counts_of_kinds(const std::vector<StudyRow>& rows) {
  constexpr std::array kWords = {
      std::pair{RowKind::kNeedsPerson, "need you"}, std::pair{RowKind::kRunning, "running"},
      std::pair{RowKind::kBetter, "better"},        std::pair{RowKind::kNotDecided, "not decided"},
      std::pair{RowKind::kKeep, "keep today's"},    std::pair{RowKind::kDone, "done"}};
  std::vector<std::pair<RowKind, std::string>> counts;
  for (const auto& [kind, words] : kWords) {
    const auto count = std::ranges::count(rows, kind, &StudyRow::kind);
    if (count == 0) continue;
    const char* text = kind == RowKind::kNeedsPerson && count == 1 ? "needs you" : words;
    counts.emplace_back(kind, fmt::format("{} {}", count_text(count), text));
  }
  return counts;
}

}  // namespace ntune
