#pragma once

#include "ntune/core/json_fwd.h"
#include "ntune/core/yaml.h"
#include "ntune/study/model/instances.h"

// `instances:`, `test_instances:` and `aggregate:` of a study file.

namespace ntune {

/// Reads a list, the name of a file, {file: …} or {folder: …}. Files are seen from the study file.
/// Throws InputError: none, twins, a weight out of its range, text that is not UTF-8, a file or
/// folder that cannot be read.
InstanceList read_instance_list(const YamlNode& node);
/// The instances as a list that reads to the same ones.
Json instances_json(const InstanceList& list);
Json instances_schema();

/// Throws InputError.
Aggregate read_aggregate(const YamlNode& node);
Json aggregate_json(const Aggregate& aggregate);
Json aggregate_schema();

}  // namespace ntune
