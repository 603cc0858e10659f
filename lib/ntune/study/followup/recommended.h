#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ntune/study/model/study.h"

namespace ntune {

/// A study that has recommended a point, ready to evaluate more of it.
struct RecommendedStudy {
  Study study;
  Point point;         ///< the recommendation
  Point setting = {};  ///< what the verdict says to use: the recommendation, or the default

  [[nodiscard]] const Objective& objective() const { return *study.objectives.front().objective; }
  [[nodiscard]] const SearchSpace& space() const { return objective().space(); }
};

/// Whether the recommendation may be of a study that is asked from outside: who reads it can
/// evaluate it then.
enum class AskedFromOutside { kRefused, kAllowed };

/// Reads what the result.json of a folder recommends. The study is the one in the folder. Where its
/// programs and files stand beside the study file, it is that of `study_file` (empty: none), whose
/// space must have the recommended point. Throws InputError: no result, a comparison, an objective
/// that is asked from outside, a point that is none of the space.
RecommendedStudy read_recommended(const std::filesystem::path& folder,
                                  const std::string& study_file,
                                  AskedFromOutside asked = AskedFromOutside::kRefused);
/// Reads what the verdict of a folder's result says to use, also of several goals; `point` is then
/// the setting that a limit or an order has chosen. Throws InputError likewise.
RecommendedStudy read_setting(const std::filesystem::path& folder);

/// A point to compare with.
struct Incumbent {
  Point point;
  std::string note = {};  ///< in what it is not the agent of the file; empty if in nothing
};

/// The point to compare with. "default" is what the study, its space or the objective declares.
/// Else it is a YAML or JSON file with the parameters' values, an agent of TAG's, which nests them,
/// or the recommendation of a folder or its result.json. Throws InputError, which names the option.
Incumbent read_incumbent(const std::string& against, const Study& study,
                         std::string_view option = "--against");

}  // namespace ntune
