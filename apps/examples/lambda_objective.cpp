// Tunes a C++ function: a game agent that wins more often when it searches deeper, but loses on
// time when it searches too deep.

#include "ntune/objective/lambda_objective.h"

#include <iostream>
#include <memory>

#include "ntune/facts/result_text.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace {

/// +1 for a win, -1 for a loss.
double play_one_game(const ntune::Settings& settings, ntune::Rng& rng) {
  const double depth = settings.number("depth");
  const double strength = settings.flag("book") ? 0.45 : 0.40;
  return rng.bernoulli(strength + 0.05 * depth - 0.006 * depth * depth) ? 1.0 : -1.0;
}

}  // namespace

int main() {
  const auto objective = std::make_shared<ntune::LambdaObjective>(
      ntune::SearchSpace({ntune::make_integers("depth", 1, 8), ntune::make_boolean("book")}),
      play_one_game, "my agent", ntune::Payoffs{.low = -1.0, .high = 1.0, .two_valued = true});

  const ntune::Study study =
      ntune::read_study(ntune::parse_yaml("{runs: 5, iterations: 500, seed: 1}"), objective);
  ntune::StudyProgress progress;
  const ntune::StudyResult result = ntune::run_study(study, progress);
  std::cout << ntune::plan_text(study) << '\n'
            << ntune::result_text(study, result, ntune::summarise(study, result));
}
