#include "ntune/study/results/result_files.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json_parser.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/objective_maps.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/study_identity.h"
#include "ntune/study/study_yaml.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr const char* kResultName = "result.json";
constexpr const char* kRunsName = "runs.csv";

/// True for what a study was before it was given more.
bool is_of_earlier_stage(const Json& there, const Study& study) {
  return stages_of_config(there) < study.earlier.size() &&
         is_same_study_but_for_size(there, study.config);
}

/// The path of a file named in a study, seen from another folder.
std::string seen_from(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file), error);
  const fs::path relative =
      whole.lexically_relative(fs::weakly_canonical(fs::absolute(folder), error));
  return relative.empty() ? whole.string() : relative.string();
}

/// Names the files of an objective, and the folder of a program, as seen from `folder`.
void place_files(Json& objective, const fs::path& source, const fs::path& folder) {
  constexpr std::size_t kLongestName = 4096;
  const bool program = objective.contains("command");
  for (auto& [key, value] : objective.items()) {
    if (!value.is_string()) continue;
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty() || text.size() > kLongestName) continue;
    std::error_code error;
    const bool file = fs::is_regular_file(source / text, error);
    if (file || (program && key == "directory")) value = seen_from(folder, source / text);
  }
}

/// A result that stands in a folder, or null.
Json stored_result(const fs::path& folder) {
  constexpr std::uintmax_t kLargestResult = 1'000'000'000;
  std::error_code error;
  const fs::path path = folder / kResultName;
  if (!fs::exists(path, error)) return nullptr;
  const Json json = parse_json(read_file(path, kLargestResult));
  return json.is_object() ? json : Json::object();
}

}  // namespace

void check_result_folder(const fs::path& folder, const Study& study) {
  ensure_writable_folder(folder);
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  const Json there = stored.value("study", Json::object());
  if (is_same_study(there, study.config) || is_of_earlier_stage(there, study)) return;
  const std::string name = path_text(folder);
  if (is_same_study_but_for_size(there, study.config)) {
    throw InputError(fmt::format(
        "{}: holds a result of this study with another size: {}; add --resume to go on with more, "
        "or name another folder",
        name, config_difference(comparable_config(there), comparable_config(study.config))));
  }
  throw InputError(
      fmt::format("{}: holds the result of another study: {}; name another folder", name,
                  config_difference(comparable_config(there), comparable_config(study.config))));
}

void set_aside_earlier_result(const fs::path& folder, const Study& study) {
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  const Json there = stored.value("study", Json::object());
  if (is_same_study(there, study.config) || !is_of_earlier_stage(there, study)) return;
  const std::size_t stage = stages_of_config(there) + 1;
  std::error_code error;
  fs::rename(folder / kRunsName, folder / fmt::format("runs-{}.csv", stage), error);
  fs::rename(folder / kResultName, folder / fmt::format("result-{}.json", stage), error);
  if (error) {
    throw InputError(fmt::format("{}: cannot be set aside: {}", path_text(folder / kResultName),
                                 error.message()));
  }
}

void write_study_file(const fs::path& folder, const Study& study) {
  Json config = study.config;
  for_each_objective(config,
                     [&](Json& objective) { place_files(objective, study.folder, folder); });
  if (config.contains("prior") && config["prior"].is_object()) {
    const std::string data = config["prior"].value("data", "");
    config["prior"]["data"] = seen_from(folder, study.folder / data);
  }
  if (!study.published_file.empty()) config["published"] = seen_from(folder, study.published_file);
  std::string text =
      fmt::format("# ntune {}: the study of this folder, with every default\n", kVersion);
  for (const auto& [key, value] : config.items()) {
    text += to_yaml(key) + ": " + to_yaml(value) + '\n';
  }
  write_file_atomically(folder / kStudyName, text);
}

bool write_result(const fs::path& folder, const Study& study, const StudyResult& result,
                  const std::vector<CellSummary>& summaries) {
  if (result.interrupted) {
    const Json stored = stored_result(folder);
    if (stored.is_object() && stored.value("status", "") == "done") return false;
  }
  write_file_atomically(folder / kRunsName, runs_csv(study, result));
  write_file_atomically(folder / kResultName, result_json(study, result, summaries).dump(2) + "\n");
  return true;
}

}  // namespace ntune
