#pragma once

#include <memory>

#include "ntune/core/yaml.h"
#include "ntune/study/study.h"

namespace ntune {

/// Reads a study file. Without `objective` the file names one; with it, the file must not. Throws
/// InputError with file, line and key.
Study read_study(const YamlNode& node, std::shared_ptr<const Objective> objective = nullptr);

/// JSON Schema of a study file.
Json study_schema();

}  // namespace ntune
