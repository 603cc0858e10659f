#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/yaml.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/result_csv.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run_study.h"
#include "study/memory_log.h"

namespace ntune::test {

inline Study study_of(const std::string& yaml,
                      std::shared_ptr<const Objective> objective = nullptr) {
  return read_study(parse_yaml(yaml, "study.yaml"), std::move(objective));
}

inline StudyResult run(const Study& study, StudyLog* log = nullptr) {
  StudyProgress progress;
  return run_study(study, progress, log);
}

/// The result files of a study.
inline std::string outputs(const Study& study, const StudyResult& result) {
  return result_json(study, result, summarise(study, result)).dump(2) + "\n" +
         runs_csv(study, result);
}

inline std::string outputs(const Study& study) { return outputs(study, run(study)); }

/// The same with every evaluation.
inline std::string full_outputs(const Study& study) {
  MemoryLog log;
  const StudyResult result = run(study, &log);
  return outputs(study, result) + log.text();
}

using PayoffFunction = std::function<double(const Point&, Rng&)>;

/// An objective over one parameter `arm` with the values 0 … arms - 1.
inline std::shared_ptr<const Objective> arms(int count, PayoffFunction payoff,
                                             Payoffs payoffs = {}) {
  return std::make_shared<LambdaObjective>(SearchSpace({make_integers("arm", 0, count - 1)}),
                                           std::move(payoff), "arms", payoffs);
}

/// Arms that pay 1 with their probability, else 0.
inline std::shared_ptr<const Objective> coins(std::vector<double> probabilities) {
  const int count = static_cast<int>(probabilities.size());
  return arms(count,
              [p = std::move(probabilities)](const Point& point, Rng& rng) {
                return rng.bernoulli(p[point[0]]) ? 1.0 : 0.0;
              },
              {.low = 0.0, .high = 1.0, .two_valued = true});
}

inline Point arm(int index) {
  Point point(1);
  point[0] = static_cast<std::uint16_t>(index);
  return point;
}

}  // namespace ntune::test
