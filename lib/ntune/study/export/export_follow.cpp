#include "ntune/study/export/export_follow.h"

#include <cstdint>
#include <utility>

#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/study/export/export_records.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/results/result_files.h"

namespace ntune {

namespace fs = std::filesystem;

FollowedExport::FollowedExport(fs::path folder, const ExportOptions& options, fs::path file)
    : folder_(std::move(folder)), options_(options), file_(std::move(file)) {
  check_output_file(file_);
  begin();
}

void FollowedExport::begin() {
  // The study as the journal names it now; its lines are read from the first one on.
  RecordedStudy recorded(folder_);
  if (recorded.study().is_comparison()) recorded.choose_split();
  study_ = recorded.study();
  tail_.emplace(recorded.journal_name());
  placer_.emplace(study_, recorded.journal_name());
  reported_.emplace(folder_);
  trials_.reset();
  trials_ = options_.target == ExportTarget::kOptunaSqlite
                ? follow_optuna_sqlite(file_, study_, options_.schema)
                : follow_optuna_journal(file_, study_);
  summary_ = {};
}

bool FollowedExport::go_on() {
  const bool done = is_done();  // asked before reading: the result is written behind the last line
  bool given_more = false;
  const auto take = [&](const JournalLine& line) {
    if (line.kind == JournalLine::Kind::kExtension) {
      given_more = given_more || stages_of_config(*line.study) > stages_of_config(study_.config);
    }
    // Lines behind such a header are of another study: all is begun anew with it.
    if (given_more) return;
    const auto trial = trial_of_line(study_, (*placer_)(line));
    if (!trial) return;
    const SearchSpace& space = study_.objectives[trial->objective].objective->space();
    // A point of a space that the study no longer has.
    if (!is_point_of(space, trial->point.indices())) return;
    // Names are written before the line of their evaluation, or right behind it.
    if (reported_->of(*trial).is_null()) reported_->read_news();
    trials_->add(optuna_trial(study_, *trial, reported_->of(*trial)));
    ++summary_.rows;
  };
  // A long journal comes in pieces.
  while (tail_->read(take)) {
    if (!given_more) continue;
    begin();
    given_more = false;
  }
  trials_->commit();
  return !done;
}

/// Whether the folder holds the result of the study as its journal names it, and that has ended.
bool FollowedExport::is_done() const {
  constexpr std::uintmax_t kLargest = 1'000'000'000;
  const fs::path path = folder_ / "result.json";
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const Json result = parse_json(read_file(path, kLargest));
  if (!result.is_object() || result.value("status", Json()) != "done") return false;
  const Json study = result.value("study", Json());
  return study.is_object() && is_same_study(study, study_.config);
}

}  // namespace ntune
