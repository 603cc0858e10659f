#include "ntune/optim/auto_choice.h"

#include <algorithm>

#include "ntune/optim/bayesian_search_options.h"

namespace ntune {

AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several) {
  constexpr std::int64_t kFewestPooled = 1000;
  constexpr std::int64_t kMost = 5000;
  const std::int64_t most_of_one = BayesianSearchOptions().most_points;
  int several = 0;
  int ordered = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    several += space[i].cardinality() > 1 ? 1 : 0;
    ordered += space[i].ordered && space[i].cardinality() > 2 ? 1 : 0;
  }
  const auto distinct = std::min(static_cast<double>(budget), space.size().points);
  if (budget < kFewestPooled) return {"gaussian_process", "gaussian_process"};
  if (2 * ordered < several || budget > kMost) return {"ntbea", "ntbea"};
  if (one_of_several) return {"gaussian_process", "gaussian_process"};
  if (distinct <= static_cast<double>(most_of_one)) {
    return {"pooled_starts of gaussian_process", "pooled_starts"};
  }
  return {"multi_start of gaussian_process",
          "{algorithm: multi_start, optimiser: gaussian_process}"};
}

}  // namespace ntune
