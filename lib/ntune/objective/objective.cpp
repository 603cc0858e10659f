#include "ntune/objective/objective.h"

#include <nlohmann/json.hpp>

namespace ntune {

Json Objective::defaults() const { return Json::object(); }

}  // namespace ntune
