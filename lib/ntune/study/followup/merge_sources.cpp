#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/study/followup/merge.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_identity.h"
#include "ntune/study/results/result_files.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// A configuration as it counts for a merge.
Json without_seed(const Json& config) {
  Json comparable = comparable_config(config);
  comparable.erase("seed");
  return comparable;
}

/// Refuses a seed that stands twice, among studies in order of their seeds.
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

/// Refuses a folder for the result in which something else stands.
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
  // Each must be the study of the first folder, but for its seed.
  MergeSources studies;
  for (const fs::path& folder : folders) {
    studies.push_back(std::make_unique<RecordedStudy>(folder, objective));
    const Json& first = studies.front()->study().config;
    const std::string found =
        config_difference(without_seed(first), without_seed(studies.back()->study().config));
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
  const std::string found =
      config_difference(without_seed(study.config), without_seed(other.config));
  if (found.empty()) return;
  throw InputError(fmt::format("--study: is another study than the merged ones: {}", found));
}

}  // namespace ntune
