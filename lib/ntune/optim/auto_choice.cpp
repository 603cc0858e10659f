#include "ntune/optim/auto_choice.h"

#include <string>

#include "ntune/optim/bayesian/bayesian_search_options.h"
#include "ntune/space/search_space.h"

namespace ntune {

AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool noisy,
                       bool one_of_several) {
  // A smaller budget is for a single search, since each of several would be short.
  constexpr std::int64_t kFewestOfSeveral = 1000;
  constexpr std::int64_t kMostWithoutNoise = 5000;
  const std::int64_t most_points = BayesianSearchOptions().most_points;
  // A Gaussian process costs the third power of its points, so long searches without noise take
  // NTBEA.
  const std::string search = noisy || budget <= kMostWithoutNoise ? "gaussian_process" : "ntbea";
  if (budget < kFewestOfSeveral || one_of_several) return {search, search};
  // `holds_all` tells whether a Gaussian process can hold every point that the run may evaluate.
  const bool holds_all =
      budget <= most_points || space.size().points <= static_cast<double>(most_points);
  // Pooled starts end in a search that is told the payoffs of all of them, so it must hold their
  // points.
  if (noisy || (holds_all && budget <= kMostWithoutNoise)) {
    return {"pooled_starts of " + search, "pooled_starts"};
  }
  return {"multi_start of " + search, "{algorithm: multi_start, optimiser: " + search + "}"};
}

}  // namespace ntune
