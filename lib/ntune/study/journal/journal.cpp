#include "ntune/study/journal/journal.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/mapped_file.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestFailure = 4000;

fs::path prepared(const fs::path& folder) {
  ensure_writable_folder(folder);
  return folder;
}

std::uint64_t hash_of(const Point& point) { return std::hash<Point>()(point); }

template <class Numbers>
void append_list(std::string& line, const Numbers& values) {
  line += fmt::format("[{}]", fmt::join(values, ","));
}

double seconds_between(StudyLog::Time start, StudyLog::Time end) {
  return std::chrono::duration<double>(end - start).count();
}

std::string failure_json(const Outcome& outcome) {
  return Json(printable(outcome.failure, kLongestFailure)).dump();
}

/// A finished trial cannot be changed: its reason stands in a line before the one that ends it.
void prepend_failure(std::string& line, std::int64_t trial, const Outcome& outcome) {
  line = fmt::format(
             R"({{"op_code":8,"worker_id":"ntune","trial_id":{},"user_attr":{{"failure":{}}}}})",
             trial, failure_json(outcome)) +
         '\n' + line;
}

/// What a resumed study must have in common with the journal's.
Json comparable(Json study) {
  study.erase("published");
  return study;
}

bool is_point_of(const SearchSpace& space, const Point& point) {
  if (point.size() != space.dimensions()) return false;
  for (int i = 0; i < point.size(); ++i) {
    if (point[i] >= space[i].cardinality()) return false;
  }
  return space.is_allowed(point);
}

/// "the key is a there, b here" for the first key that differs.
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
    : study_(study), name_((folder / kJournalName).string()), lock_(prepared(folder), patience) {
  for (const StudyObjective& entry : study.objectives)
    texts_.emplace_back(entry.objective->space());
  std::uint64_t keep = 0;
  std::error_code error;
  if (fs::exists(name_, error)) {
    const MappedFile existing(name_);
    keep = scan_journal(existing.text(), name_, [&](const JournalLine& line) { remember(line); });
    sort_known();
  }
  if (keep > 0 && open == Open::kNew) {
    throw InputError(fmt::format(
        "{}: holds {} {} of this study; add --resume to go on with them, or name another folder",
        path_text(folder), known(), study.record == Recording::kRuns ? "runs" : "evaluations"));
  }
  file_ = std::make_unique<AppendFile>(name_, keep);
  if (headers_ >= study.objectives.size()) return;
  file_->append(header_lines());
  file_->sync();
}

void Journal::remember(const JournalLine& line) {
  using Kind = JournalLine::Kind;
  const auto number = static_cast<std::uint32_t>(line.number);
  trials_ = std::max(trials_.load(), line.trial + 1);
  if (line.text.starts_with(R"({"ntune":{)")) ++headers_;
  switch (line.kind) {
    case Kind::kHeader:
      if (line.number == 1) {
        check_study(line);
        version_ = journal_header(line.text, name_)["version"];
      }
      return;
    case Kind::kRun: {
      RunRecord record = line.run;
      record.point = Point(line.point);
      runs_[{line.key.cell, record.repeat, record.run}] = {record, number};
      return;
    }
    case Kind::kAsked:
      asked_[line.key] = line.trial;
      return;
    case Kind::kEvaluation:
    case Kind::kFailure:
      remember_outcome(line);
      return;
    case Kind::kForeign:
      return;
  }
}

void Journal::remember_outcome(const JournalLine& line) {
  Entry entry{.index = line.key.index,
              .point = hash_of(Point(line.point)),
              .line = static_cast<std::uint32_t>(line.number),
              .failed = line.kind == JournalLine::Kind::kFailure};
  if (line.payoffs.size() == 1) entry.payoff = line.payoffs[0];
  if (line.payoffs.size() > 1) {
    several_.push_back(line.payoffs);
    entry.several = static_cast<std::uint32_t>(several_.size());
  }
  EvaluationKey group = line.key;
  group.index = 0;
  evaluations_[group].push_back(entry);
  if (!asked_.empty()) asked_.erase(line.key);
}

/// Of several records of one evaluation the last one counts: a failure that was tried again.
void Journal::sort_known() {
  known_ = runs_.size();
  for (auto& [group, entries] : evaluations_) {
    std::ranges::stable_sort(entries, {}, &Entry::index);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (kept > 0 && entries[kept - 1].index == entries[i].index) --kept;
      entries[kept++] = entries[i];
    }
    entries.resize(kept);
    known_ += kept;
  }
}

void Journal::check_study(const JournalLine& header) const {
  const Json there = comparable(journal_header(header.text, name_)["study"]);
  const Json here = comparable(study_.config);
  if (there == here) return;
  throw InputError(fmt::format("{}:1: is the journal of another study: {}", printable(name_, 1000),
                               first_difference(there, here)));
}

std::string Journal::header_lines() const {
  std::string lines;
  for (std::size_t i = headers_; i < study_.objectives.size(); ++i) {
    const StudyObjective& entry = study_.objectives[i];
    Json own = {{"format", 1}, {"version", kVersion}, {"study", study_.config}};
    if (i > 0) own = {{"objective", i}};
    const std::string name = study_.name.empty() ? entry.label
                             : i == 0            ? study_.name
                                                 : fmt::format("{}: {}", study_.name, entry.label);
    const Json line = {{"ntune", own},
                       {"op_code", 0},
                       {"worker_id", "ntune"},
                       {"study_name", name},
                       {"directions", {entry.objective->unit().is_cost() ? 1 : 2}}};
    lines += line.dump() + '\n';
  }
  return lines;
}

const Objective& Journal::objective(std::uint32_t cell) const {
  return *study_.objectives[study_.objective_of(cell)].objective;
}

std::optional<Outcome> Journal::find(const EvaluationKey& key, const Point& point) const {
  EvaluationKey group = key;
  group.index = 0;
  const auto found = evaluations_.find(group);
  if (found == evaluations_.end()) return std::nullopt;
  const std::vector<Entry>& entries = found->second;
  auto place = entries.begin() + std::clamp<std::int64_t>(key.index, 0, std::ssize(entries) - 1);
  if (place->index != key.index) {
    place = std::ranges::lower_bound(entries, key.index, {}, &Entry::index);
  }
  if (place == entries.end() || place->index != key.index) return std::nullopt;
  const Entry& entry = *place;
  if (entry.point != hash_of(point)) fail_point(entry, key);
  if (entry.failed) return Outcome{.failure = "recorded as failed"};
  if (entry.several == 0) return Outcome{.payoff = entry.payoff};
  Outcome outcome{.observations = several_[entry.several - 1]};
  outcome.payoff = stats_of(outcome.observations).mean();
  return outcome;
}

void Journal::fail_point(const Entry& entry, const EvaluationKey& key) const {
  throw InputError(fmt::format(
      "{}:{}: evaluation {} of run {} was of another point than this program asks for; the journal "
      "was begun by version {}, this is {}",
      printable(name_, 1000), entry.line, key.index, key.run, printable(version_), kVersion));
}

std::optional<RunRecord> Journal::find_run(std::uint32_t cell, std::int64_t repeat,
                                           std::int64_t run) const {
  const auto found = runs_.find({cell, repeat, run});
  if (found == runs_.end()) return std::nullopt;
  RunRecord record = found->second.first;
  const Objective& own = objective(cell);
  if (!is_point_of(own.space(), record.point)) {
    throw InputError(fmt::format("{}:{}: the point of run {} is none of the search space",
                                 printable(name_, 1000), found->second.second, run));
  }
  record.true_value = true_value_of(own, record.point);
  record.score = record.true_value;
  if (!record.score && record.hold_out.count() > 0) {
    record.score = own.unit().value_of(record.hold_out.mean());
  }
  return record;
}

/// `{"ntune":["e",cell,stage,repeat,run,index,[point]` and what the caller adds to the list.
void Journal::append_own(std::string& line, char letter, const EvaluationKey& key,
                         const Point& point) const {
  fmt::format_to(std::back_inserter(line), R"({{"ntune":["{}",{},{},{},{},{},)", letter, key.cell,
                 static_cast<int>(key.stage), key.repeat, key.run, key.index);
  append_list(line, point.indices());
}

void Journal::append(const Request& request, const Outcome& outcome, Time start, Time end) {
  if (study_.record != Recording::kEvaluations) return;
  std::string line;
  line.reserve(1024);
  const bool failed = !outcome.failure.empty();
  append_own(line, failed ? 'f' : 'e', request.key, *request.point);
  if (!failed) {
    line += ',';
    append_list(line, outcome.observations.empty() ? std::vector<double>{outcome.payoff}
                                                   : outcome.observations);
  }
  append_tail(line, request, outcome, start, end);
  if (asked_trial(request.key) < 0) ++trials_;
  file_->append(line);
}

/// The Optuna record: a new trial, or the end of one that was handed out.
void Journal::append_tail(std::string& line, const Request& request, const Outcome& outcome,
                          Time start, Time end) const {
  const auto out = [&line] { return std::back_inserter(line); };
  const bool failed = !outcome.failure.empty();
  const std::int64_t asked = asked_trial(request.key);
  if (asked >= 0) {
    if (failed) prepend_failure(line, asked, outcome);
    fmt::format_to(out(), R"(],"op_code":6,"trial_id":{},"worker_id":"ntune","state":{},"values":)",
                   asked, failed ? 3 : 1);
  } else {
    fmt::format_to(out(), R"(],"op_code":4,"worker_id":"ntune","study_id":{},"state":{},"value":)",
                   study_.objective_of(request.key.cell), failed ? 3 : 1);
  }
  if (failed) {
    line += "null";
  } else {
    if (asked >= 0) line += '[';
    append_float(line, request.objective->unit().value_of(outcome.payoff));
    if (asked >= 0) line += ']';
  }
  if (asked >= 0) {
    fmt::format_to(out(), R"(,"datetime_complete":"{}"}})", time_text(end));
    line += '\n';
    return;
  }
  fmt::format_to(out(), R"(,"datetime_start":"{}","datetime_complete":"{}",)", time_text(start),
                 time_text(end));
  texts_[study_.objective_of(request.key.cell)].append(line, *request.point);
  fmt::format_to(out(),
                 R"(,"user_attrs":{{"stage":"{}","cell":{},"repeat":{},"run":{},"evaluation":{},)",
                 stage_name(request.key.stage), request.key.cell, request.key.repeat,
                 request.key.run, request.key.index);
  fmt::format_to(out(), R"("seconds":{:.6f})", seconds_between(start, end));
  if (outcome.attempts > 1) fmt::format_to(out(), R"(,"attempts":{})", outcome.attempts);
  if (failed) line += ",\"failure\":" + failure_json(outcome);
  line += "}}\n";
}

void Journal::append_run(std::uint32_t cell, const RunRecord& record) {
  if (study_.record != Recording::kRuns) return;
  const RunningStats::State& held = record.hold_out.state();
  std::string line = fmt::format(
      R"({{"ntune":["r",{},{},{},{},{},{},{},{},{},{},{},{},{},)", cell, record.repeat, record.run,
      record.evaluations, record.failures, record.point_evaluations, record.hold_out_evaluations,
      record.estimate, held.count, held.mean, held.squares, held.min, held.max);
  append_list(line, record.point.indices());
  if (record.certainty) {
    fmt::format_to(std::back_inserter(line), ",[{},{}]", record.certainty->sd,
                   record.certainty->best_probability);
  }
  const std::string now = time_text(std::chrono::system_clock::now());
  fmt::format_to(std::back_inserter(line),
                 R"(],"op_code":4,"worker_id":"ntune","study_id":{},"state":1,"value":)",
                 study_.objective_of(cell));
  append_float(line, record.score.value_or(record.estimate));
  fmt::format_to(std::back_inserter(line), R"(,"datetime_start":"{}","datetime_complete":"{}",)",
                 now, now);
  texts_[study_.objective_of(cell)].append(line, record.point);
  fmt::format_to(
      std::back_inserter(line),
      R"(,"user_attrs":{{"stage":"run","cell":{},"repeat":{},"run":{},"evaluations":{}}}}})", cell,
      record.repeat, record.run, record.evaluations);
  line += '\n';
  ++trials_;
  file_->append(line);
}

std::int64_t Journal::append_asked(const Request& request, Time start) {
  std::string line;
  append_own(line, 'a', request.key, *request.point);
  fmt::format_to(
      std::back_inserter(line),
      R"(],"op_code":4,"worker_id":"ntune","study_id":{},"state":0,"datetime_start":"{}",)",
      study_.objective_of(request.key.cell), time_text(start));
  texts_[study_.objective_of(request.key.cell)].append(line, *request.point);
  fmt::format_to(
      std::back_inserter(line),
      R"(,"user_attrs":{{"stage":"{}","cell":{},"repeat":{},"run":{},"evaluation":{}}}}})",
      stage_name(request.key.stage), request.key.cell, request.key.repeat, request.key.run,
      request.key.index);
  line += '\n';
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
