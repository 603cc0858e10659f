#include "ntune/optim/auto_choice.h"

#include "ntune/optim/bayesian_search_options.h"

namespace ntune {

std::string auto_choice(const SearchSpace& space, std::int64_t budget) {
  const std::int64_t most_evaluations = BayesianSearchOptions().most_points;
  int several = 0;
  int ordered = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    several += space[i].cardinality() > 1 ? 1 : 0;
    ordered += space[i].ordered && space[i].cardinality() > 2 ? 1 : 0;
  }
  return budget <= most_evaluations && 2 * ordered >= several ? "gaussian_process" : "ntbea";
}

}  // namespace ntune
