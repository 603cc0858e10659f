#include "ntune/optim/auto_choice.h"

#include <string>

#include "ntune/optim/bayesian/bayesian_search_options.h"
#include "ntune/space/search_space.h"

namespace ntune {

AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool noisy,
                       bool one_of_several) {
  constexpr std::int64_t kFewestOfSeveral = 1000;
  constexpr std::int64_t kMostWithoutNoise = 5000;
  const std::int64_t most_points = BayesianSearchOptions().most_points;
  const std::string search = noisy || budget <= kMostWithoutNoise ? "gaussian_process" : "ntbea";
  if (budget < kFewestOfSeveral || one_of_several) return {search, search};
  const bool holds_all =
      budget <= most_points || space.size().points <= static_cast<double>(most_points);
  if (noisy || (holds_all && budget <= kMostWithoutNoise)) {
    return {"pooled_starts of " + search, "pooled_starts"};
  }
  return {"multi_start of " + search, "{algorithm: multi_start, optimiser: " + search + "}"};
}

}  // namespace ntune
