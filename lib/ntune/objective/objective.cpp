#include "ntune/objective/objective.h"

#include <fmt/format.h>

namespace ntune {

std::string Objective::rehearse(const Point& point, Rng& rng) const {
  return fmt::format("evaluated {}\npayoff {}\n", space().text(point), evaluate(point, rng));
}

}  // namespace ntune
