// Uses the installed library as a stranger would: a lambda, a study, a result.

#include <iostream>
#include <memory>

#include "ntune/objective/lambda_objective.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"
#include "ntune/version.h"

int main() {
  const auto objective = std::make_shared<ntune::LambdaObjective>(
      ntune::SearchSpace({ntune::make_integers("depth", 1, 8), ntune::make_boolean("book")}),
      [](const ntune::Settings& settings, ntune::Rng& rng) {
        return rng.bernoulli(settings.flag("book") ? 0.9 : 0.1) ? 1.0 : -1.0;
      },
      "consumer");
  const ntune::Study study =
      ntune::read_study(ntune::parse_yaml("{runs: 2, iterations: 200, seed: 1}"), objective);
  ntune::StudyProgress progress;
  const ntune::StudyResult result = ntune::run_study(study, progress);
  const ntune::Settings best(objective->space(), result.cells[0].picks[0].point);
  std::cout << "ntune " << ntune::kVersion << ": book = " << best.text("book") << '\n';
  return best.flag("book") ? 0 : 1;
}
