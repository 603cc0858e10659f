#include "ntune/objective/objective.h"

#include <cassert>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ntune {

std::string Objective::rehearse(const Point& point, Rng& rng) const {
  return fmt::format("evaluated {}\npayoff {}\n", space().text(point), evaluate(point, rng));
}

Json Objective::defaults() const { return Json::object(); }

double Objective::play_pair(const Point&, const Point&, const Rng&) const {
  assert(false);
  return 1.0;
}

}  // namespace ntune
