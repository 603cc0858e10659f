#pragma once

#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/core/yaml.h"
#include "ntune/study/model/study.h"

// `extended_from:` of a study file.

namespace ntune {

/// The stages of a study whose objectives, optimisers and plans are read. Throws InputError.
std::vector<EarlierStage> read_earlier_stages(const YamlNode& node, const Study& study);
Json earlier_stages_json(const std::vector<EarlierStage>& stages);
/// JSON Schema of `extended_from:`.
Json earlier_stages_schema();

}  // namespace ntune
