#include "ntune/report/data/study_folder.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/report/data/runs_file.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 1'000'000'000;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Json read_result(const fs::path& path) {
  if (!is_file(path)) return nullptr;
  Json result = parse_json(read_file(path, kLargestFile));
  if (!result.is_object() || !result.contains("study") || !result["study"].is_object()) {
    throw InputError(fmt::format("{}: is not the result of an ntune study", path_text(path)));
  }
  return result;
}

/// What was left open in the study file and the result knows.
void take_plans(Study& study, const Json& result) {
  if (!result.contains("plans") || !result["plans"].is_array() || result["plans"].empty()) return;
  const Json& plans = result["plans"];
  if (study.plans.size() != plans.size()) study.plans.resize(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    study.plans[i].runs = plans[i].value("runs", study.plans[i].runs);
    study.plans[i].iterations = plans[i].value("iterations", study.plans[i].iterations);
    study.plans[i].re_evaluation = plans[i].value("re_evaluation", study.plans[i].re_evaluation);
    study.plans[i].hold_out = plans[i].value("hold_out", study.plans[i].hold_out);
  }
  study.advise_budget = 0;
}

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

/// See StudyFolder::verifications.
std::vector<Json> verifications_of(const fs::path& folder, const Json& result) {
  if (!result.is_object() || !result.contains("recommendation")) return {};
  const Json& recommendation = result["recommendation"];
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path path = entry.path() / "result.json";
    if (entry.path().filename().string().starts_with("verify-") && is_file(path)) {
      paths.push_back(path);
    }
  }
  std::ranges::sort(paths);
  std::vector<Json> found;
  for (const fs::path& path : paths) {
    Json test = parse_json(read_file(path, kLargestFile));
    if (!test.is_object() || test.value("status", Json()) != "done") continue;
    const Json tested = test.value("recommended", Json::object());
    if (!recommendation.is_object() || !tested.is_object()) continue;
    if (tested.value("parameters", Json()) != recommendation.value("parameters", Json())) continue;
    found.push_back(std::move(test));
  }
  return found;
}

}  // namespace

StudyFolder::StudyFolder(const fs::path& path) : folder(path) {
  result = read_result(path / "result.json");
  if (is_file(path / kJournalName) || result.is_null()) {
    journal = std::make_unique<RecordedStudy>(path);
    study = journal->study();
    // While a study goes on with more, its folder keeps the result of what it was before.
    const bool is_of_this =
        result.is_object() && is_same_study(result.value("study", Json::object()), study.config);
    if (!is_of_this) result = nullptr;
  } else {
    study = study_of_config(result["study"], (path / "result.json").string(), nullptr, path);
  }
  verifications = verifications_of(path, result);
  if (result.is_null()) {
    if (study.is_comparison() || study.advise_budget > 0) journal->choose_split();
    study = journal->study();
  } else {
    take_plans(study, result);
    version = result.value("ntune", "");
    merged = result.contains("seeds");
    state = result.value("status", "") == "done" ? State::kDone : State::kInterrupted;
  }
  const fs::path runs_path = path / "runs.csv";
  if (!result.is_null() && is_file(runs_path)) {
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

std::string StudyFolder::cell_label(std::size_t cell, bool with_objective) const {
  std::vector<std::string> parts;
  if (with_objective && study.objectives.size() > 1) {
    parts.push_back(study.objectives[study.objective_of(cell)].label);
  }
  if (study.optimisers.size() > 1) {
    parts.push_back(study.optimisers[study.optimiser_of(cell)].label);
  }
  if (study.plans.size() > 1) parts.push_back(plan(cell).label());
  if (parts.empty()) parts.push_back(study.optimisers[study.optimiser_of(cell)].label);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace ntune
