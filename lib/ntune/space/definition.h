#pragma once

#include "ntune/core/yaml.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// The value that a scalar means; anything else fails.
Value read_value(const YamlNode& node);

/// The parameter that a definition describes, called as the key, without its condition.
Parameter read_definition(const YamlNode& node);

}  // namespace ntune
