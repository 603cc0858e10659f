#include "ntune/study/results/result_files.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/present_options.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_json.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// The configuration of a result that stands in a folder, or null.
Json stored_result(const fs::path& folder) {
  constexpr std::uintmax_t kLargestResult = 1'000'000'000;
  std::error_code error;
  const fs::path path = folder / "result.json";
  if (!fs::exists(path, error)) return nullptr;
  const Json json = Json::parse(read_file(path, kLargestResult), nullptr, false);
  return json.is_object() ? json : Json::object();
}

}  // namespace

void check_result_folder(const fs::path& folder, const Study& study) {
  ensure_writable_folder(folder);
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  if (with_present_options(stored.value("study", Json::object())) != study.config) {
    throw InputError(
        fmt::format("{}: holds the result of another study; name an empty folder, or "
                    "remove result.json first",
                    path_text(folder)));
  }
}

void write_study_file(const fs::path& folder, const Study& study) {
  Json config = study.config;
  config.erase("published");  // stands relative to the file that was read
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
  write_file_atomically(folder / "runs.csv", runs_csv(study, result));
  write_file_atomically(folder / "result.json",
                        result_json(study, result, summaries).dump(2) + "\n");
  return true;
}

}  // namespace ntune
