#include "ntune/report/data/study_folder.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_json.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 1'000'000'000;

/// Whether there is a file, which an error says there is not.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The result of a study, or null. Throws InputError for another file of that name.
Json read_result(const fs::path& path) {
  if (!is_file(path)) return nullptr;
  Json result = parse_json(read_file(path, kLargestFile));
  if (const std::string fault = fault_of_result(result, path); !fault.empty()) {
    throw InputError(fault);
  }
  return result;
}

/// What was left open in the study file and the result knows.
void take_plans(Study& study, const std::vector<RunPlan>& plans) {
  if (plans.empty()) return;
  study.plans.resize(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const bool adaptive = study.plans[i].adaptive;
    study.plans[i] = plans[i];
    study.plans[i].adaptive = adaptive;
  }
  study.advise_budget = 0;
}

/// The finished runs that the journal has.
std::vector<FinishedRun> recorded_runs(const StudyFolder& study) {
  std::vector<FinishedRun> runs;
  study.journal->scan([&](const JournalLine& line) {
    if (line.kind != JournalLine::Kind::kRun) return;
    const Objective& objective = study.objective(line.key.cell);
    FinishedRun run{.cell = line.key.cell,
                    .repeat = line.run.repeat,
                    .run = line.run.run,
                    .evaluations = line.run.evaluations,
                    .estimate = line.run.estimate};
    run.point = Point(line.point);
    run.true_value = true_value_of(objective, run.point);
    if (line.run.hold_out.payoffs.count() > 0)
      run.hold_out = objective.unit().value_of(line.run.hold_out.payoffs.mean());
    runs.push_back(std::move(run));
  });
  return runs;
}

}  // namespace

std::vector<SavedVerification> verifications_of(const fs::path& folder, const Study& study,
                                                const Point& recommended, bool running_alone) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    if (!path.filename().string().starts_with("verify-") || !is_file(path / "result.json"))
      continue;
    folders.push_back(path);
  }
  std::ranges::sort(folders);
  std::vector<SavedVerification> found;
  // A test that was interrupted or killed, or was of another point, says nothing of this one.
  for (const fs::path& path : folders) {
    const bool is_held = is_folder_held(path).value_or(false);
    if (running_alone && !is_held) continue;
    const Json json = parse_json(read_file(path / "result.json", kLargestFile));
    const Json status = json.is_object() ? json.value("status", Json()) : Json();
    const bool is_running = is_held && status == kRunningTest;
    if (!is_running && (running_alone || status != "done")) continue;
    SavedVerification test = read_verification(json, study);
    test.is_running = is_running;
    if (test.recommended.point == recommended) found.push_back(std::move(test));
  }
  return found;
}

StudyFolder::StudyFolder(const fs::path& path) : folder(path) {
  Json json = read_result(path / "result.json");
  if (is_file(path / kJournalName) || json.is_null()) {
    journal = std::make_unique<RecordedStudy>(path);
    study = journal->study();
    // While a study goes on with more, its folder keeps the result of what it was before.
    if (!json.is_object() || !is_same_study(json["study"], study.config)) json = nullptr;
  } else {
    study = study_of_config(json["study"], (path / "result.json").string(), nullptr, path);
  }
  // Without a result the state is what the journal says.
  if (json.is_null()) {
    if (study.is_comparison() || study.advise_budget > 0) journal->choose_split();
    study = journal->study();
  } else {
    result = read_saved_result(json, study);
    take_plans(study, result->plans);
    state = result->is_done() ? State::kDone : State::kInterrupted;
    if (result->recommendation) {
      verifications = verifications_of(path, study, result->recommendation->point, false);
    }
  }
  is_running = state == State::kUnfinished && is_folder_held(path).value_or(false);
  // Finished runs are those of runs.csv, or else of the journal.
  const fs::path runs_path = path / "runs.csv";
  if (result && is_file(runs_path)) {
    runs = read_runs(read_file(runs_path, kLargestFile), runs_path.string(), study);
  } else if (journal) {
    runs = recorded_runs(*this);
  }
  std::ranges::sort(
      runs, {}, [](const FinishedRun& run) { return std::tuple(run.cell, run.repeat, run.run); });
}

std::string StudyFolder::title() const {
  if (!study.name.empty()) return study.name;
  std::string name = folder.filename().string();
  if (name.empty() || name == ".") name = fs::absolute(folder).parent_path().filename().string();
  return name;
}

}  // namespace ntune
