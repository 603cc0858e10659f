#pragma once

#include <cstdint>
#include <vector>

#include "ntune/study/keys/study_yaml_parts.h"

// The ways in which a study file asks for plans. All throw InputError.

namespace ntune {

/// A number of evaluations, at least 1.
std::int64_t read_count(const YamlNode& node);

/// The plan that `split: auto` makes of a budget. Optimisers that take a single run get one, or
/// several where one would be too long. For others a simulation will choose.
StudyPlans divide_budget(const YamlNode& node, PlanRequest request, const Study& study);
/// `split: auto` or `split: adaptive`.
StudyPlans read_split_word(const YamlNode& node, const PlanRequest& request, const Study& study);
/// The entries of `splits:`.
StudyPlans read_splits(const std::vector<const YamlNode*>& entries, const PlanRequest& common);
/// One plan for each number of iterations, or one where none is given.
StudyPlans read_iterations(const std::vector<const YamlNode*>& numbers, const YamlNode& root,
                           PlanRequest request);
/// The plan of a study with limits: one cell, whose runs end when their part is used up.
/// `comparison`: the study has several cells or repeats, which is refused.
StudyPlans read_limited(const YamlNode& root, const StudyYaml& keys, PlanRequest request,
                        bool comparison);

}  // namespace ntune
