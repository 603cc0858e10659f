#include "ntune/study/followup/merge_sources.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/study/results/result_files.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

Json comparable(Json config) {
  config.erase("seed");
  config.erase("published");
  return config;
}

/// "'optimiser.k' is 1 there, 2 here"; empty for equal ones.
std::string difference(const Json& there, const Json& here, const std::string& path) {
  if (there == here) return {};
  if (there.is_object() && here.is_object()) {
    // Labels follow from the other keys: those say more.
    for (const auto& [side, labels] :
         {std::pair(&here, false), {&there, false}, {&here, true}, {&there, true}}) {
      for (const auto& [key, value] : side->items()) {
        if ((key == "label") != labels) continue;
        const std::string inner = path.empty() ? key : path + "." + key;
        const std::string found =
            difference(there.value(key, Json()), here.value(key, Json()), inner);
        if (!found.empty()) return found;
      }
    }
  }
  const auto text = [](const Json& json) {
    return json.is_null() ? std::string("missing") : printable(json.dump(), 100);
  };
  return fmt::format("'{}' is {} there, {} here", printable(path), text(there), text(here));
}

void check_seeds(const MergeSources& sources) {
  for (std::size_t i = 1; i < sources.size(); ++i) {
    if (sources[i]->study().seed != sources[i - 1]->study().seed) continue;
    throw InputError(fmt::format(
        "{}: has seed {}, as has {}: they are the same evaluations; give each run a seed of its "
        "own with --seed",
        path_text(sources[i]->folder()), sources[i]->study().seed,
        path_text(sources[i - 1]->folder())));
  }
}

void check_out(const MergeSources& sources, const fs::path& out) {
  if (out.empty()) return;
  for (const auto& source : sources) {
    std::error_code error;
    if (!fs::equivalent(out, source->folder(), error)) continue;
    throw InputError(fmt::format("{}: is one of the merged folders; name another", path_text(out)));
  }
  Study merged = sources.front()->study();
  merged.config.erase("seed");
  merged.config.erase("published");
  check_result_folder(out, merged);
}

}  // namespace

MergeSources read_sources(const std::vector<fs::path>& folders, const fs::path& out,
                          const std::shared_ptr<const Objective>& objective) {
  if (folders.empty()) throw InputError("merge: no folder is named");
  MergeSources studies;
  for (const fs::path& folder : folders) {
    studies.push_back(std::make_unique<RecordedStudy>(folder, objective));
    const Json& first = studies.front()->study().config;
    const std::string found =
        difference(comparable(first), comparable(studies.back()->study().config), "");
    if (found.empty()) continue;
    throw InputError(fmt::format("{}: is another study than {}: {}", path_text(folder),
                                 path_text(folders.front()), found));
  }
  std::ranges::stable_sort(studies, std::ranges::less(),
                           [](const auto& study) { return study->study().seed; });
  check_seeds(studies);
  check_out(studies, out);
  for (const auto& study : studies) study->choose_split();
  return studies;
}

void check_same_study(const Study& study, const Study& other) {
  const std::string found = difference(comparable(study.config), comparable(other.config), "");
  if (found.empty()) return;
  throw InputError(fmt::format("--study: is another study than the merged ones: {}", found));
}

}  // namespace ntune
