#pragma once

#include <nlohmann/json.hpp>

#include "ntune/core/json_fwd.h"
