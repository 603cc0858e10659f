#include "ntune/study/journal/journal.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/mapped_file.h"
#include "ntune/core/text.h"
#include "ntune/study/present_options.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

fs::path prepared(const fs::path& folder) {
  ensure_writable_folder(folder);
  return folder;
}

/// The part of a configuration that must be the same for a journal to be resumed.
Json resumable(Json study) {
  study.erase("published");
  const double fail_limit = FailurePolicy().recommended;  // journals before it was a key lack it
  if (study.value("fail_limit", fail_limit) == fail_limit) study.erase("fail_limit");
  if (study.value("default", Json()) == "none") study.erase("default");
  if (study.contains("prior") && study["prior"].is_object()) study["prior"].erase("data");
  return study;
}

/// "'key' is 1 there, 2 here" for the first key that differs.
std::string first_difference(const Json& there, const Json& here) {
  const auto shown = [](const Json& study, const std::string& key) {
    return study.contains(key) ? printable(study[key].dump(), 100) : std::string("not there");
  };
  for (const Json& side : {here, there}) {
    for (const auto& [key, value] : side.items()) {
      if (there.value(key, Json()) == here.value(key, Json())) continue;
      return fmt::format("'{}' is {} there, {} here", printable(key), shown(there, key),
                         shown(here, key));
    }
  }
  return "the order of keys";
}

}  // namespace

Journal::Journal(const fs::path& folder, const Study& study, Open open,
                 std::chrono::milliseconds patience)
    : study_(study),
      name_((folder / kJournalName).string()),
      lock_(prepared(folder), patience),
      writer_(study),
      known_(study, name_) {
  std::uint64_t keep = 0;
  std::error_code error;
  if (fs::exists(name_, error)) {
    const MappedFile existing(name_);
    keep = scan_journal(existing.text(), name_, [&](const JournalLine& line) { remember(line); });
    if (open == Open::kRetryFailed) known_.forget_failures();
    known_.finish();
  }
  if (keep > 0 && open == Open::kNew) {
    throw InputError(fmt::format(
        "{}: holds {} {} of this study; add --resume to go on with them, or name another folder",
        path_text(folder), known(),
        study.execution.record == Recording::kRuns ? "runs" : "evaluations"));
  }
  file_ = std::make_unique<AppendFile>(name_, keep);
  append_headers();
  if (keep == 0 || open != Open::kRetryFailed) return;
  std::string line;
  JournalWriter::retry(line);
  file_->append(line);
}

void Journal::remember(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  trials_ = std::max(trials_.load(), line.trial + 1);
  if (line.text.starts_with(R"({"ntune":{)") && line.kind != Kind::kRetry) ++headers_;
  if (line.kind == Kind::kHeader && line.number == 1) check_study(line);
  if (line.kind == Kind::kAsked) asked_[line.key] = line.trial;
  const bool has_outcome = line.kind == Kind::kEvaluation || line.kind == Kind::kFailure;
  if (has_outcome && !asked_.empty()) asked_.erase(line.key);
  known_.add(line);
}

void Journal::check_study(const JournalLine& header) const {
  const Json there = resumable(with_present_options(journal_header(header.text, name_)["study"]));
  const Json here = resumable(study_.config);
  if (there == here) return;
  throw InputError(fmt::format("{}:1: is the journal of another study: {}", printable(name_, 1000),
                               first_difference(there, here)));
}

void Journal::append_headers() {
  std::string lines;
  for (std::size_t i = headers_; i < study_.objectives.size(); ++i) writer_.header(lines, i);
  if (lines.empty()) return;
  file_->append(lines);
  file_->sync();
}

void Journal::append(const Request& request, const Outcome& outcome, Time start, Time end) {
  if (study_.execution.record != Recording::kEvaluations) return;
  constexpr std::size_t kUsualLength = 1024;
  std::string line;
  line.reserve(kUsualLength);
  const std::int64_t trial = asked_trial(request.key);
  if (trial >= 0) {
    writer_.told(line, trial, request, outcome, end);
  } else {
    writer_.evaluation(line, request, outcome, start, end);
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

void Journal::append_offered(OfferedObservation observation) {
  std::string line;
  writer_.offered(line, observation, std::chrono::system_clock::now());
  ++trials_;
  file_->append(line);
  known_.offer(std::move(observation));
}

std::int64_t Journal::append_asked(const Request& request, Time start) {
  std::string line;
  writer_.asked(line, request, start);
  file_->append(line);
  const std::lock_guard lock(asked_mutex_);
  return asked_[request.key] = trials_++;
}

std::int64_t Journal::asked_trial(const EvaluationKey& key) const {
  const std::lock_guard lock(asked_mutex_);
  const auto found = asked_.find(key);
  return found == asked_.end() ? -1 : found->second;
}

}  // namespace ntune
