#include "ntune/study/journal/journal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/recorded_objects.h"
#include "ntune/study/keys/study_identity.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// The folder, made if need be: its lock is a file in it.
fs::path prepared(const fs::path& folder) {
  ensure_writable_folder(folder);
  return folder;
}

}  // namespace

Journal::Journal(const fs::path& folder, const Study& study, Open open,
                 std::chrono::milliseconds patience)
    : RecordedResults(study, (folder / kJournalName).string()),
      folder_(folder),
      lock_(prepared(folder), patience),
      placer_(study, name()),
      writer_(study) {
  std::uint64_t keep = 0;
  bool named_anew = true;
  std::error_code error;
  // The lock is held from here on. What is there is read, and its study compared with this one.
  if (open == Open::kAnew) fs::remove(name(), error);
  if (fs::exists(name(), error)) {
    const MappedFile existing(name());
    const std::string_view text = existing.text();
    const bool is_begun = text.find('\n') != std::string_view::npos;
    if (is_begun) recorded_config_ = last_config(text, name());
    const bool more = is_begun && check_study();
    JournalReader reader(name());
    keep = reader.read(text, [&](const JournalLine& line) { remember(line); });
    // What version 0.2 has begun goes on in the form of this one.
    named_anew = more || keep == 0 || reader.format() < kJournalFormat ||
                 (study.limits.any() && !names_limits_of(study));
    asked_ = reader.handed_out();
    writer_.count_from(reader.micros());
    if (open == Open::kRetryFailed) forget_failures();
    finish();
    recorded_seconds_ = *RecordedResults::used();
  }
  // Only now it is known how much would be lost.
  if (keep > 0 && open == Open::kNew) {
    throw InputError(fmt::format(
        "{}: holds {} {} of this study; add --resume to go on with them, or name another folder",
        path_text(folder), known(),
        study.execution.record == Recording::kRuns ? "runs" : "evaluations"));
  }
  // A last line that was torn is cut off. A header names the study where it is new or has changed.
  file_ = std::make_unique<AppendFile>(name(), keep);
  if (named_anew) append_header();
  keep_split();
  if (keep > 0 && open == Open::kRetryFailed) append_object(recorded_retry());
}

/// Takes a line that the journal held: what requests and clients left, and its results.
void Journal::remember(const JournalLine& line) {
  trials_ = std::max(trials_, line.trial + 1);
  split_kept_ = split_kept_ || line.kind == JournalLine::Kind::kSplit;
  if (line.request) requests_.insert(*line.request);
  if (line.was_asked) {
    note_outcome(line.start, line.end);
    if (study().limits.seconds) last_told_ = line.end;
  }
  add(placer_(line));
}

/// How long `ntune serve` waits for a client follows from the evaluation that took longest.
void Journal::note_outcome(std::optional<Time> start, std::optional<Time> end) {
  if (!start || !end) return;
  const std::chrono::duration<double> lasted = *end - *start;
  longest_asked_ = std::max(longest_asked_, lasted.count());
}

bool Journal::names_limits_of(const Study& study) const {
  const auto same = [&](const char* key) {
    return recorded_config_.value(key, Json()) == study.config.value(key, Json());
  };
  return same("time") && same("budget");
}

bool Journal::check_study() {
  // The same study may have other patience with its programs, or another rule for failures: the
  // new header says so. Of a study that was given more, the journal holds the stage before.
  const Json& there = recorded_config_;
  if (is_same_study(there, study().config)) {
    changed_ = harmless_difference(there, study().config);
    return !changed_.empty() ||
           (there.contains("fail") && there["fail"] != study().config.value("fail", Json()));
  }
  const bool next_stage = study().earlier.size() == stages_of_config(there) + 1;
  if (next_stage && is_same_study_but_for_size(there, study().config)) return true;
  throw InputError(
      fmt::format("{}:1: is the journal of another study: {}", printable(name(), 1000),
                  config_difference(comparable_config(there), comparable_config(study().config))));
}

void Journal::append_header() {
  line_.clear();
  writer_.header(line_, std::chrono::system_clock::now());
  file_->append(line_);
  file_->sync();
  // Behind a header no line may name a point by what stood before.
  for (auto& [key, asked] : asked_) asked.may_be_named = false;
}

void Journal::append_object(const Json& object) { file_->append(object.dump() + '\n'); }

void Journal::keep_split() {
  const bool chosen = study().advise_budget == 0 && study().config.value("split", "") == "auto";
  if (!chosen || split_kept_) return;
  append_object(recorded_split(study().plans.front()));
  file_->sync();
  split_kept_ = true;
}

void Journal::append(const Request& request, const Outcome& outcome, Time start, Time end) {
  if (study().execution.record != Recording::kEvaluations) return;
  JournalWriter::Around around{.start = start, .end = end};
  const std::lock_guard lock(mutex_);
  if (study().limits.seconds) {
    // Milliseconds are exact enough, and keep the line short.
    constexpr double kMillis = 1000.0;
    recorded_seconds_ = std::round(*used() * kMillis) / kMillis;
    around.used = recorded_seconds_;
  }
  // What was handed out is answered: with the number of the request, if a client has named one.
  const auto asked = asked_.empty() ? asked_.end() : asked_.find(request.key);
  if (asked != asked_.end()) {
    around.asked = &asked->second;
    around.request = std::exchange(request_, std::nullopt);
    if (around.request) requests_.insert(*around.request);
  }
  line_.clear();
  writer_.evaluation(line_, request, outcome, around);
  if (asked == asked_.end()) {
    ++trials_;
  } else {
    note_outcome(asked->second.start, end);
    asked_.erase(asked);
  }
  file_->append(line_);
}

void Journal::append_run(std::uint32_t cell, const RunRecord& record) {
  if (study().execution.record != Recording::kRuns) return;
  append_object(recorded_run(cell, record, std::chrono::system_clock::now()));
}

void Journal::append_search_state(const EvaluationKey& key, const SearchState& state) {
  if (study().execution.record != Recording::kEvaluations) return;
  append_object(recorded_state(key, state));
}

std::optional<PlannedStep> Journal::planned(const EvaluationKey& key) const {
  const std::lock_guard lock(mutex_);
  return RecordedResults::planned(key);
}

void Journal::append_planned(const PlannedStep& step) {
  append_object(recorded_step(step));
  const std::lock_guard lock(mutex_);
  plan(step);
}

std::optional<double> Journal::used() const {
  return *RecordedResults::used() + waited_ + seconds_since(opened_);
}

std::optional<double> Journal::recorded_seconds() const { return recorded_seconds_; }

void Journal::append_offered(OfferedObservation observation) {
  const std::lock_guard lock(mutex_);
  const auto number = std::exchange(request_, std::nullopt);
  if (number) requests_.insert(*number);
  line_.clear();
  writer_.offered(line_, observation, std::chrono::system_clock::now(), number);
  ++trials_;
  file_->append(line_);
  offer(std::move(observation));
}

std::int64_t Journal::append_asked(const Request& request, Time start) {
  const std::lock_guard lock(mutex_);
  line_.clear();
  writer_.asked(line_, request, start);
  file_->append(line_);
  asked_[request.key] = {.trial = trials_, .start = start};
  return trials_++;
}

void Journal::append_asked_again(const EvaluationKey& key, Time start) {
  const std::lock_guard lock(mutex_);
  asked_.at(key).start = start;
  line_.clear();
  writer_.asked_again(line_, key, start);
  file_->append(line_);
}

double Journal::longest_asked() const {
  const std::lock_guard lock(mutex_);
  return longest_asked_;
}

std::int64_t Journal::asked_trial(const EvaluationKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = asked_.find(key);
  return found == asked_.end() ? -1 : found->second.trial;
}

std::optional<Journal::Time> Journal::asked_at(const EvaluationKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = asked_.find(key);
  return found == asked_.end() ? std::nullopt : found->second.start;
}

void Journal::count_waiting() {
  const std::lock_guard lock(mutex_);
  std::optional<Time> begin;
  for (const auto& [key, asked] : asked_) {
    if (asked.start && (!begin || *asked.start < *begin)) begin = asked.start;
  }
  if (!begin) return;
  if (last_told_) begin = std::max(*begin, *last_told_);
  const std::chrono::duration<double> passed = std::chrono::system_clock::now() - *begin;
  // Another machine's clock may be ahead of this one.
  waited_ = std::max(0.0, passed.count() - seconds_since(opened_));
}

}  // namespace ntune
