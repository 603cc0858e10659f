#include "ntune/objective/functions/function_entry.h"

#include <optional>

#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

std::unique_ptr<Objective> make_function_objective(
    std::unique_ptr<const BenchmarkFunction> function, const Noise& noise, const YamlNode* space) {
  std::optional<SearchSpace> grid;
  // A grid over the default parameters may be finer or coarser, but only within the function's
  // domain.
  if (space != nullptr && !space->is_null()) {
    const SearchSpace defaults(function->parameters());
    grid = read_space(*space, &defaults);
    for (int i = 0; i < grid->dimensions(); ++i) {
      const Parameter& parameter = (*grid)[i];
      const std::string problem = domain_problem(*function, i, parameter);
      if (problem.empty()) continue;
      if (const YamlNode* place = space->find(parameter.name)) place->fail(problem);
      space->fail_at(parameter.name, problem);
    }
  }
  return std::make_unique<FunctionObjective>(std::move(function), noise, std::move(grid));
}

}  // namespace ntune
