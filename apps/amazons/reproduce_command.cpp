#include <array>

#include <fmt/format.h>

#include "apps/amazons/reproduce.h"
#include "apps/amazons/sample_figures.h"
#include "ntune/core/error.h"

namespace ntune::amazons {

namespace {

struct Experiment {
  const char* name;
  Reproduction (*run)(const ReproduceArguments&, const Terminal&);
  double time_scale;  ///< where none is given
  Figure (*figure)(const std::string& title, const std::vector<Json>& rows) = nullptr;
};
constexpr std::array<Experiment, 9> kExperiments = {
    {{"1", reproduce_table_1, 0.1, reproduced_coverage_figure},
     {"2", reproduce_table_2, 0.1, reproduced_coverage_figure},
     {"3", reproduce_table_3, 0.001},
     {"4", reproduce_table_4, 0.001},
     {"fig3", reproduce_figure_3, 0.1},
     {"fig4", reproduce_figure_4, 0.1},
     {"fig5", reproduce_figure_5, 0.1, error_figure},
     {"rules", reproduce_stopping_rules, 0.1},
     {"e5", reproduce_e5, 0.1}}};

}  // namespace

std::vector<std::string> experiment_names() { return cli::experiment_names(kExperiments); }

int reproduce_command(const ReproduceArguments& given, const Terminal& terminal) {
  return cli::reproduce("amazons", experiment_names(), given, terminal, [&] {
    const Experiment& experiment = cli::experiment_named(kExperiments, given.experiment);
    if (!given.plot.empty() && experiment.figure == nullptr) {
      throw InputError("--plot: goes with the experiments 1, 2 and fig5");
    }
    ReproduceArguments arguments = given;
    arguments.time_scale = given.given_time_scale.value_or(experiment.time_scale);
    const Reproduction result = experiment.run(arguments, terminal);
    cli::Reproduced reproduced =
        cli::reproduced(given.experiment, result, {{"time_scale", arguments.time_scale}});
    reproduced.figure = [&experiment, title = result.title, rows = result.table.rows()] {
      return experiment.figure(title, rows);
    };
    return reproduced;
  });
}

}  // namespace ntune::amazons
