#include "ntune/study/results/result_files.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_json.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockName = "lock";
constexpr const char* kLockBegin = "process ";
constexpr const char* kStudyBegin = "# ntune ";
constexpr const char* kJournalBegin = R"({"ntune":{)";
constexpr const char* kResultName = "result.json";
constexpr const char* kRunsName = "runs.csv";
constexpr std::uintmax_t kLargestResult = 1'000'000'000;

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
  std::string name = relative.empty() ? whole.string() : relative.string();
  if (is_utf8(name)) return name;
  throw InputError(
      fmt::format("{}: the name is not UTF-8, which a study file is", path_text(name)));
}

/// Names the files of an objective, and the folder of a program, as seen from `folder`.
void place_files(Json& objective, const fs::path& source, const fs::path& folder) {
  constexpr std::size_t kLongestName = 4096;
  for (const std::string& key : file_options(objective)) {
    const std::string text = objective.value(key, "");
    if (text.empty() || text.size() > kLongestName) continue;
    std::error_code error;
    if (fs::is_regular_file(source / text, error)) {
      objective[key] = seen_from(folder, source / text);
    }
  }
  // A program's folder is seen from the folder of the study too.
  const std::string directory = objective.value("directory", "");
  if (objective.contains("command") && !directory.empty()) {
    objective["directory"] = seen_from(folder, source / directory);
  }
}

/// A result that stands in a folder, or null.
Json stored_result(const fs::path& folder) {
  std::error_code error;
  const fs::path path = folder / kResultName;
  if (!fs::exists(path, error)) return nullptr;
  const Json json = parse_json(read_file(path, kLargestResult));
  return json.is_object() ? json : Json::object();
}

/// Whether a stored result has a recommendation and the default beside it.
bool tells_of_default(const Json& stored) {
  return stored.is_object() && stored.value("recommendation", Json()).is_object() &&
         stored.value("default", Json()).is_object();
}

/// Whether a result is of these two points.
bool is_of(const SavedResult& saved, const Point& recommended, const Point& incumbent) {
  return saved.recommendation->point == recommended && saved.incumbent->point == incumbent;
}

/// The test of these two points that the folder's result holds; nothing where it holds none.
std::optional<DecidedTest> stored_test(const fs::path& folder, const Study& study,
                                       const Point& recommended, const Point& incumbent) {
  const Json stored = stored_result(folder);
  if (!tells_of_default(stored) || !stored["default"].contains("tested")) return std::nullopt;
  const SavedResult saved = read_saved_result(stored, study);
  return is_of(saved, recommended, incumbent) ? saved.incumbent->tested : std::nullopt;
}

/// The begin of a file; empty where there is none.
std::string begin_of(const fs::path& file) {
  constexpr std::streamsize kLong = 64;
  std::string text(kLong, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), kLong);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text;
}

/// Whether a file begins as the study file of a folder does.
bool is_file_of_study(const fs::path& file) { return begin_of(file).starts_with(kStudyBegin); }

/// Whether files of the names that ntune writes are its own.
bool holds_study(const fs::path& folder) {
  std::error_code error;
  return is_file_of_study(folder / kStudyName) ||
         begin_of(folder / kJournalName).starts_with(kJournalBegin) ||
         fs::exists(folder / kResultName, error);
}

/// Refuses to replace what somebody else has written under a name of ours.
void check_own_files(const fs::path& folder) {
  std::error_code error;
  const auto refuse = [&](const char* name) {
    throw InputError(
        fmt::format("{}: was not written by ntune, which would replace it; name another folder",
                    path_text(folder / name)));
  };
  const auto is_other = [&](const char* name, bool ours) {
    return !ours && fs::exists(folder / name, error);
  };
  if (is_other(kStudyName, is_file_of_study(folder / kStudyName))) refuse(kStudyName);
  if (is_other(kRunsName, holds_study(folder))) refuse(kRunsName);
  const std::string owner = begin_of(folder / kLockName);
  if (is_other(kLockName, owner.empty() || owner.starts_with(kLockBegin))) refuse(kLockName);
}

}  // namespace

void check_output_file(const fs::path& file) {
  std::error_code error;
  if (file.empty()) return;
  if (fs::is_directory(file, error)) {
    throw InputError(fmt::format("{}: is a folder, a file is needed", path_text(file)));
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    throw InputError(fmt::format("{}: cannot write it: there is no folder {}", path_text(file),
                                 path_text(folder)));
  }
  const fs::path place = fs::weakly_canonical(fs::absolute(file, error), error);
  if (error || !fs::is_regular_file(place, error)) return;
  const std::string name = place.filename().string();
  const auto is_numbered = [&](std::string_view begin, std::string_view end) {
    return name.starts_with(begin) && name.ends_with(end);
  };
  const bool is_name_of_study = name == kStudyName || name == kJournalName || name == kRunsName ||
                                name == kResultName || name == kLockName ||
                                is_numbered("runs-", ".csv") || is_numbered("result-", ".json");
  if (!is_name_of_study || !holds_study(place.parent_path())) return;
  throw InputError(fmt::format("{}: belongs to the study; name another file", path_text(file)));
}

std::string fault_of_result(const Json& parsed, const fs::path& path) {
  if (parsed.is_object() && parsed.value("study", Json()).is_object()) return {};
  return fmt::format(
      "{}: is not the result of an ntune study, or not the whole of it; ntune run … --resume makes "
      "it anew where a journal lies beside it",
      path_text(path));
}

void check_result_folder(const fs::path& folder, const Study& study) {
  ensure_writable_folder(folder);
  check_own_files(folder);
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  if (!fault_of_result(stored, folder / kResultName).empty()) {
    // The journal, which is checked by itself, makes it anew.
    if (begin_of(folder / kJournalName).starts_with(kJournalBegin)) return;
    throw InputError(
        fmt::format("{}: is not the result of an ntune study, and no journal stands beside it; "
                    "name another folder",
                    path_text(folder / kResultName)));
  }
  // The same study goes on or is made again, and one of an earlier stage is given more.
  const Json there = stored.value("study", Json::object());
  if (is_same_study(there, study.config) || is_of_earlier_stage(there, study)) return;
  const std::string what =
      config_difference(comparable_config(there), comparable_config(study.config));
  throw InputError(
      is_same_study_but_for_size(there, study.config)
          ? fmt::format("{}: holds a result of this study with another size: {}; add --resume to "
                        "go on with more, or name another folder",
                        path_text(folder), what)
          : fmt::format("{}: holds the result of another study: {}; name another folder",
                        path_text(folder), what));
}

void set_aside_earlier_result(const fs::path& folder, const Study& study) {
  const Json stored = stored_result(folder);
  if (stored.is_null()) return;
  const Json there = stored.value("study", Json::object());
  if (is_same_study(there, study.config) || !is_of_earlier_stage(there, study)) return;
  // A copy that is there already is of the same stage and stays.
  const std::size_t stage = stages_of_config(there) + 1;
  std::error_code error;
  for (const auto& [name, copy] : {std::pair(kRunsName, fmt::format("runs-{}.csv", stage)),
                                   {kResultName, fmt::format("result-{}.json", stage)}}) {
    const bool is_new = fs::exists(folder / name, error) && !fs::exists(folder / copy, error);
    if (is_new) write_file_atomically(folder / copy, read_file(folder / name, kLargestResult));
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
      fmt::format("{}{}: the study of this folder, with every default\n", kStudyBegin, kVersion);
  for (const auto& [key, value] : config.items()) {
    text += to_yaml(key) + ": " + to_yaml(value) + '\n';
  }
  write_file_atomically(folder / kStudyName, text);
}

bool keep_test(const fs::path& folder, const Study& study, const Point& recommended,
               const Point& incumbent, const DecidedTest& test) {
  Json stored = stored_result(folder);
  if (!tells_of_default(stored)) return false;
  const SavedResult saved = read_saved_result(stored, study);
  if (!is_of(saved, recommended, incumbent) || !saved.is_done() || saved.warnings) return false;
  add_test(stored, test, study);
  try {
    write_file_atomically(folder / kResultName, stored.dump(2) + '\n');
  } catch (const InputError&) {
    return false;  // a folder of another user can be tested all the same
  }
  return true;
}

void recall_test(const fs::path& folder, const Study& study, StudyResult& result) {
  if (study.is_comparison() || result.interrupted) return;
  Pick& pick = result.cells[0].picks[0];
  if (!pick.incumbent) return;
  pick.incumbent->tested = stored_test(folder, study, pick.point, pick.incumbent->point);
}

bool write_result(const fs::path& folder, const Study& study, const StudyResult& result,
                  const std::vector<CellSummary>& summaries) {
  if (result.interrupted) {
    const Json stored = stored_result(folder);
    if (stored.is_object() && stored.value("status", "") == "done") return false;
  }
  write_file_atomically(folder / kRunsName, runs_csv(study, result));
  SavedResult saved = saved_result(study, result, summaries);
  if (saved.incumbent && saved.recommendation && !saved.incumbent->tested) {
    saved.incumbent->tested =
        stored_test(folder, study, saved.recommendation->point, saved.incumbent->point);
  }
  write_file_atomically(folder / kResultName, to_json(std::move(saved), study).dump(2) + "\n");
  return true;
}

}  // namespace ntune
