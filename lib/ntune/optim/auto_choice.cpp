#include "ntune/optim/auto_choice.h"

namespace ntune {

std::string auto_choice(const SearchSpace& space, std::int64_t budget) {
  constexpr std::int64_t kMostEvaluations = 2000;
  int several = 0;
  int ordered = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    several += space[i].cardinality() > 1 ? 1 : 0;
    ordered += space[i].ordered && space[i].cardinality() > 2 ? 1 : 0;
  }
  return budget <= kMostEvaluations && 2 * ordered >= several ? "gaussian_process" : "ntbea";
}

}  // namespace ntune
