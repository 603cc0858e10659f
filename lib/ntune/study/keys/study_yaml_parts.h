#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/study/keys/study_keys.h"
#include "ntune/study/model/study.h"

// The steps of read_study, in the order in which they are taken. All throw InputError.

namespace ntune {

/// The number of an option, unless it is left to the program.
std::optional<std::int64_t> given_value(const AutoInteger& number);
/// The elements of a list with at least one. `plural` names them in messages.
std::vector<const YamlNode*> elements_of(const YamlNode& node, const char* plural);
/// Refuses a file in which both keys stand.
void refuse_both(const YamlNode* one, const YamlNode* other);

/// The objectives of a study; `given` instead where a program brings it.
std::vector<StudyObjective> read_objectives(const YamlNode& root, const StudyYaml& keys,
                                            std::shared_ptr<const Objective> given);

/// Fills in the instances of a study whose objectives are read, and makes an objective in this
/// process that has none of its own anew for each of them.
void read_instances(const StudyYaml& keys, Study& study);

/// Refuses a study of a program or a game that does not say how many evaluations it makes.
void require_budget(const YamlNode& root, const StudyYaml& keys);

/// Reads the optimisers of a study whose objectives cannot be read, for their errors.
void check_optimisers(const StudyYaml& keys);

std::vector<StudyOptimiser> read_optimisers(const StudyYaml& keys,
                                            const std::vector<StudyObjective>& objectives);

ReEvaluationYaml read_re_evaluation(const YamlNode* node);

/// The default that the study declares, in `default:` or in the space of its only objective.
std::optional<Point> read_default(const YamlNode& root, const StudyYaml& keys, const Study& study);
/// The points of `start:`, a map or a list of maps.
std::vector<Point> read_starts(const YamlNode& node, const Study& study);
/// Fills in what every run begins with, where objectives, plans and the default are known. A
/// comparison has no incumbent.
void read_beginning(const StudyYaml& keys, Study& study);
/// Fills in the prior observations, and returns the options with the path and digest of the data.
PriorYaml read_prior(const YamlNode& node, Study& study);

struct StudyPlans {
  std::vector<RunPlan> plans;
  SampleUnit unit = SampleUnit::kPicks;
  std::int64_t advise_budget = 0;           ///< as in Study
  std::optional<LimitedPlan> limited = {};  ///< as in Study
  Json splits = Json::array();              ///< as asked for, where there is a list
  /// The word of `split:` that makes the same plans; empty: they are told in numbers, or by a list.
  std::string split = {};
};

/// The plans of a study whose objectives and optimisers are read.
StudyPlans read_plans(const YamlNode& root, const StudyYaml& keys,
                      const ReEvaluationYaml& re_evaluation, const Study& study);

}  // namespace ntune
