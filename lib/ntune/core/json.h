#pragma once

#include <nlohmann/json.hpp>

namespace ntune {

/// JSON that keeps the order of its keys.
using Json = nlohmann::ordered_json;

}  // namespace ntune
