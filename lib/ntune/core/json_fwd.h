#pragma once

#include <nlohmann/json_fwd.hpp>

namespace ntune {

/// JSON that keeps the order of its keys. This header declares it; core/json.h defines it.
using Json = nlohmann::ordered_json;

}  // namespace ntune
