#include "ntune/study/journal/journal.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/mapped_file.h"
#include "ntune/core/text.h"
#include "ntune/study/journal/journal_fields.h"
#include "ntune/study/keys/study_identity.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

fs::path prepared(const fs::path& folder) {
  ensure_writable_folder(folder);
  return folder;
}

}  // namespace

Journal::Journal(const fs::path& folder, const Study& study, Open open,
                 std::chrono::milliseconds patience)
    : study_(study),
      name_((folder / kJournalName).string()),
      folder_(folder),
      lock_(std::in_place, prepared(folder), patience),
      writer_(study),
      placer_(study, name_),
      known_(study, name_) {
  std::uint64_t keep = 0;
  bool more = false;  // the study is to be named anew
  std::error_code error;
  if (open == Open::kAnew) fs::remove(name_, error);
  if (fs::exists(name_, error)) {
    const MappedFile existing(name_);
    const std::string_view text = existing.text();
    const bool is_begun = text.find('\n') != std::string_view::npos;
    if (is_begun) recorded_config_ = last_config(text, name_);
    const bool named = is_begun && check_study();
    keep = scan_journal(text, name_, [&](const JournalLine& line) { remember(line); });
    more = named && keep > 0;
    if (open == Open::kRetryFailed) known_.forget_failures();
    known_.finish();
    recorded_seconds_ = known_.used();
  }
  if (keep > 0 && open == Open::kNew) {
    throw InputError(fmt::format(
        "{}: holds {} {} of this study; add --resume to go on with them, or name another folder",
        path_text(folder), known(),
        study.execution.record == Recording::kRuns ? "runs" : "evaluations"));
  }
  file_ = std::make_unique<AppendFile>(name_, keep);
  append_headers();
  const bool limits_differ = keep > 0 && study.limits.any() && !names_limits_of(study);
  if (more || limits_differ) append_extension();
  keep_split();
  if (keep == 0 || open != Open::kRetryFailed) return;
  std::string line;
  JournalWriter::retry(line);
  file_->append(line);
}

void Journal::remember(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  trials_ = std::max(trials_.load(), line.trial + 1);
  const bool extension = line.kind == Kind::kExtension;
  const bool split = line.kind == Kind::kSplit;
  if (line.text.starts_with(journal_fields::kOwnObject) && !extension && !split &&
      line.kind != Kind::kRetry && line.kind != Kind::kPlanned && line.kind != Kind::kState &&
      line.kind != Kind::kAskedAgain) {
    ++headers_;
  }
  split_kept_ = split_kept_ || split;
  remember_asked(line);
  known_.add(placer_(line));
}

void Journal::remember_asked(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  const auto time_at = [&](std::string_view key) {
    const std::size_t at = line.text.find(key);
    return at == std::string_view::npos ? std::nullopt
                                        : read_time(line.text.substr(at + key.size()));
  };
  if (line.kind == Kind::kAsked) {
    asked_[line.key] = {line.trial, time_at(R"("datetime_start":")")};
  }
  if (line.kind == Kind::kAskedAgain) {
    const auto asked = std::ranges::find_if(
        asked_, [&](const auto& entry) { return entry.second.trial == line.trial; });
    if (asked != asked_.end()) asked->second.start = time_at(R"("asked_again":")");
  }
  const bool has_outcome = line.kind == Kind::kEvaluation || line.kind == Kind::kFailure;
  if (has_outcome || line.kind == Kind::kOffered) {
    if (const auto number = journal_fields::request_of(line.text)) requests_.insert(*number);
  }
  if (!has_outcome || asked_.empty()) return;
  if (const auto asked = asked_.find(line.key); asked != asked_.end()) {
    note_outcome(asked->second, time_at(R"("datetime_complete":")"));
    asked_.erase(asked);
  }
  if (study_.limits.seconds) last_told_ = time_at(R"("datetime_complete":")");
}

void Journal::note_outcome(const Asked& asked, std::optional<Time> end) {
  if (!asked.start || !end) return;
  const std::chrono::duration<double> lasted = *end - *asked.start;
  longest_asked_ = std::max(longest_asked_, lasted.count());
}

bool Journal::names_limits_of(const Study& study) const {
  const auto same = [&](const char* key) {
    return recorded_config_.value(key, Json()) == study.config.value(key, Json());
  };
  return same("time") && same("budget");
}

bool Journal::check_study() const {
  const Json& there = recorded_config_;
  if (is_same_study(there, study_.config)) {
    return there.contains("fail") && there["fail"] != study_.config.value("fail", Json());
  }
  const bool next_stage = study_.earlier.size() == stages_of_config(there) + 1;
  if (next_stage && is_same_study_but_for_size(there, study_.config)) return true;
  throw InputError(
      fmt::format("{}:1: is the journal of another study: {}", printable(name_, 1000),
                  config_difference(comparable_config(there), comparable_config(study_.config))));
}

void Journal::append_extension() {
  std::string line;
  writer_.extension(line);
  file_->append(line);
  file_->sync();
}

void Journal::keep_split() {
  const bool chosen = study_.advise_budget == 0 && study_.config.value("split", "") == "auto";
  if (!chosen || split_kept_) return;
  std::string line;
  writer_.split(line);
  file_->append(line);
  file_->sync();
  split_kept_ = true;
}

void Journal::append_headers() {
  std::string lines;
  for (std::size_t i = headers_; i < study_.objectives.size(); ++i) writer_.header(lines, i);
  if (lines.empty()) return;
  file_->append(lines);
  file_->sync();
}

void Journal::leave() {
  if (!lock_) return;
  file_->sync();
  lock_.reset();
  left_ = Clock::now();
}

bool Journal::enter(std::chrono::milliseconds patience) {
  if (lock_) return true;
  lock_.emplace(folder_, patience);
  const std::lock_guard lock(asked_mutex_);
  if (asked_.empty()) idle_ += seconds_since(left_);
  return file_->is_unchanged();
}

void Journal::append(const Request& request, const Outcome& outcome, Time start, Time end) {
  if (study_.execution.record != Recording::kEvaluations) return;
  constexpr std::size_t kUsualLength = 1024;
  std::string line;
  line.reserve(kUsualLength);
  const std::int64_t trial = asked_trial(request.key);
  std::optional<double> seconds;
  if (study_.limits.seconds) recorded_seconds_ = *(seconds = used());
  if (trial >= 0) {
    const auto number = std::exchange(request_, std::nullopt);
    writer_.told(line, trial, request, outcome, end, seconds, number);
    if (number) requests_.insert(*number);
    const std::lock_guard lock(asked_mutex_);
    const auto asked = asked_.find(request.key);
    note_outcome(asked->second, end);
    asked_.erase(asked);
  } else {
    writer_.evaluation(line, request, outcome, start, end, seconds);
    ++trials_;
  }
  file_->append(line);
}

void Journal::append_run(std::uint32_t cell, const RunRecord& record) {
  if (study_.execution.record != Recording::kRuns) return;
  std::string line;
  writer_.run(line, cell, record, std::chrono::system_clock::now());
  ++trials_;
  file_->append(line);
}

void Journal::append_search_state(const EvaluationKey& key, const SearchState& state) {
  if (study_.execution.record != Recording::kEvaluations) return;
  std::string line;
  JournalWriter::state(line, key, state);
  file_->append(line);
}

std::optional<PlannedStep> Journal::planned(const EvaluationKey& key) const {
  const std::lock_guard lock(planned_mutex_);
  const auto found = planned_.find(key);
  return found == planned_.end() ? known_.planned(key) : std::optional(found->second);
}

void Journal::append_planned(const PlannedStep& step) {
  std::string line;
  JournalWriter::planned(line, step);
  file_->append(line);
  const std::lock_guard lock(planned_mutex_);
  planned_.insert_or_assign(step.key, step);
}

std::optional<double> Journal::used() const {
  return known_.used() + waited_ + seconds_since(opened_) - idle_;
}

std::optional<double> Journal::recorded_seconds() const { return recorded_seconds_; }

void Journal::append_offered(OfferedObservation observation) {
  std::string line;
  const auto number = std::exchange(request_, std::nullopt);
  writer_.offered(line, observation, std::chrono::system_clock::now(), number);
  if (number) requests_.insert(*number);
  ++trials_;
  file_->append(line);
  known_.offer(std::move(observation));
}

std::int64_t Journal::append_asked(const Request& request, Time start) {
  std::string line;
  writer_.asked(line, request, start);
  file_->append(line);
  const std::lock_guard lock(asked_mutex_);
  asked_[request.key] = {trials_, start};
  return trials_++;
}

void Journal::append_asked_again(const EvaluationKey& key, Time start) {
  const std::lock_guard lock(asked_mutex_);
  Asked& asked = asked_.at(key);
  asked.start = start;
  std::string line;
  JournalWriter::asked_again(line, asked.trial, start);
  file_->append(line);
}

double Journal::longest_asked() const {
  const std::lock_guard lock(asked_mutex_);
  return longest_asked_;
}

std::int64_t Journal::asked_trial(const EvaluationKey& key) const {
  const std::lock_guard lock(asked_mutex_);
  const auto found = asked_.find(key);
  return found == asked_.end() ? -1 : found->second.trial;
}

std::optional<Journal::Time> Journal::asked_at(const EvaluationKey& key) const {
  const std::lock_guard lock(asked_mutex_);
  const auto found = asked_.find(key);
  return found == asked_.end() ? std::nullopt : found->second.start;
}

void Journal::count_waiting() {
  const std::lock_guard lock(asked_mutex_);
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
