#pragma once

#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/instance.h"

// Instances that a study file takes from a file or a folder.

namespace ntune {

/// An instance, and where it stands: "study.yaml:7: instances[2]".
struct PlacedInstance {
  Instance instance;
  std::string place;
};
using PlacedInstances = std::vector<PlacedInstance>;

/// Reads the name of a file, {file: …} or {folder: …}; all are seen from the study file. Throws
/// InputError: no such file, a record with too few fields, a weight that is
/// none (is_weight).
PlacedInstances read_instance_source(const YamlNode& node);
Json instance_source_schema();

/// "study.yaml:7: instances[2]".
std::string instance_place(const YamlNode& node);
/// What an instance is called that has no name: its value, or "size=3 seed=1".
std::string usual_name(const Instance& instance);

}  // namespace ntune
