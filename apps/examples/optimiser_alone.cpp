// An optimiser without a study: a program that keeps its own loop asks for points and tells
// payoffs.

#include <iostream>

#include <fmt/format.h>

#include "ntune/core/yaml.h"
#include "ntune/objective/settings.h"
#include "ntune/optim/optimisers.h"

int main() {
  const ntune::SearchSpace space(
      {ntune::make_integers("depth", 1, 8), ntune::make_boolean("book")});
  const ntune::OptimiserPlan plan =
      ntune::plan_optimiser(ntune::parse_yaml("{algorithm: ntbea}"), space);
  const auto optimiser = plan.make({.space = &space, .budget = 2000});

  ntune::Rng rng(1);
  for (int game = 0; game < 2000; ++game) {
    const ntune::Point point = optimiser->ask(rng).point;
    const ntune::Settings settings(space, point);
    const double depth = settings.number("depth");
    const double chance =
        (settings.flag("book") ? 0.45 : 0.40) + 0.05 * depth - 0.006 * depth * depth;
    optimiser->tell(point, rng.bernoulli(chance) ? 1.0 : -1.0);
  }
  const ntune::Recommendation best = optimiser->recommend();
  const ntune::Settings settings(space, best.point);
  std::cout << fmt::format("depth {}, book {}: estimate {:.2f}, sampled {} times\n",
                           settings.text("depth"), settings.text("book"), best.estimate,
                           best.evaluations);
}
