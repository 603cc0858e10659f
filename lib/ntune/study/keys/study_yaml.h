#pragma once

#include <filesystem>
#include <memory>

#include "ntune/core/yaml.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// What a study file is read for.
enum class StudyUse {
  kRun,       ///< to be run: with a program or a game it must say how many evaluations it makes
  kObjective  ///< read for its objective alone
};

/// Whether the defaults that a space declares are compared with the recommendation where the study
/// has no `default:`. What ntune has recorded names them in `default:`, or ignores them.
enum class SpaceDefaults { kCompared, kIgnored };

/// Reads a study file. Without `objective` the file names one; with it, the file must not. Throws
/// InputError with file, line and key.
Study read_study(const YamlNode& node, std::shared_ptr<const Objective> objective = nullptr,
                 StudyUse use = StudyUse::kRun,
                 SpaceDefaults space_defaults = SpaceDefaults::kCompared);

/// JSON Schema of a study file.
Json study_schema();

/// Name of the study with every default in its folder.
inline constexpr const char* kStudyName = "study.yaml";

/// A recorded configuration with the objectives as study.yaml in that folder has them, which names
/// files relative to the folder. Without such a file the configuration as it is.
Json config_in_folder(Json config, const std::filesystem::path& folder);

}  // namespace ntune
