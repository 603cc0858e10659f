#include "ntune/optim/auto_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "ntune/optim/bayesian/bayesian_search_options.h"
#include "ntune/space/search_space.h"

namespace ntune {

AutoChoice auto_choice(const SearchSpace& space, std::int64_t budget, bool one_of_several) {
  constexpr std::int64_t kFewestOfSeveral = 1000;
  const std::int64_t most_points = BayesianSearchOptions().most_points;
  const std::string search = budget <= kMostOfGaussianProcess ? "gaussian_process" : "ntbea";
  if (budget < kFewestOfSeveral || one_of_several) return {search, search};
  if (budget <= kMostOfGaussianProcess &&
      (budget <= most_points || space.size().points <= static_cast<double>(most_points))) {
    return {"pooled_starts of " + search, "pooled_starts"};
  }
  return {"multi_start of " + search, "{algorithm: multi_start, optimiser: " + search + "}"};
}

bool takes_one_run(const std::string& algorithm) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "auto", "duels",       "n_tuple_duels", "spsa_duels",        "clop", "gaussian_process",
      "tpe",  "multi_start", "pooled_starts", "regression_n_tuple"};
  return std::ranges::find(kNames, algorithm) != kNames.end();
}

}  // namespace ntune
