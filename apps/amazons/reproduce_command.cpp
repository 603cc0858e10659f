#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apps/amazons/reproduce.h"
#include "apps/amazons/sample_figures.h"
#include "apps/common/claims.h"
#include "apps/common/rows.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/plot/picture.h"

namespace ntune::amazons {

namespace {

struct Experiment {
  const char* name;
  Reproduction (*run)(const ReproduceArguments&, const Terminal&);
};
constexpr std::array<Experiment, 9> kExperiments = {{{"1", reproduce_table_1},
                                                     {"2", reproduce_table_2},
                                                     {"3", reproduce_table_3},
                                                     {"4", reproduce_table_4},
                                                     {"fig3", reproduce_figure_3},
                                                     {"fig4", reproduce_figure_4},
                                                     {"fig5", reproduce_figure_5},
                                                     {"rules", reproduce_stopping_rules},
                                                     {"e5", reproduce_e5}}};

}  // namespace

std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  for (const Experiment& one : kExperiments) names.emplace_back(one.name);
  return names;
}

int reproduce_command(const ReproduceArguments& given, const Terminal& terminal) {
  cli::check_experiment(given.experiment, given.list, experiment_names());
  if (given.list) return cli::list_claims("amazons", given.output.format, terminal);
  ReproduceArguments arguments = given;
  const bool is_match = arguments.experiment == "3" || arguments.experiment == "4";
  if (!given.plot.empty()) {
    const bool has_figure = arguments.experiment == "1" || arguments.experiment == "2" ||
                            arguments.experiment == "fig5";
    if (!has_figure) throw InputError("--plot: goes with the experiments 1, 2 and fig5");
    check_picture(given.plot);
  }
  arguments.time_scale = given.given_time_scale.value_or(is_match ? 0.001 : given.time_scale);
  const auto* const experiment = std::ranges::find_if(
      kExperiments, [&](const Experiment& one) { return arguments.experiment == one.name; });
  const Reproduction result = experiment->run(arguments, terminal);
  if (result.stopped) return cli::kInterrupted;
  const Json json = {{"experiment", arguments.experiment},
                     {"title", result.title},
                     {"time_scale", arguments.time_scale},
                     {"rows", result.rows}};
  cli::print_result(terminal.out, arguments.output.format, json, result.rows,
                    fmt::format("{}\n\n{}\n{}", result.title, result.table, result.remarks));
  if (!arguments.plot.empty()) {
    write_picture(arguments.plot,
                  arguments.experiment == "fig5"
                      ? error_figure(result.title, result.rows)
                      : reproduced_coverage_figure(result.title, result.rows),
                  kPictureWidth);
  }
  return cli::kDone;
}

}  // namespace ntune::amazons
