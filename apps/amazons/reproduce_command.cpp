#include <array>
#include <utility>

#include "apps/amazons/reproduce.h"
#include "apps/amazons/sample_figures.h"

namespace ntune::amazons {

namespace {

struct Experiment : cli::Experiment {
  Reproduction (*run)(const ReproduceArguments&, const Terminal&);
  double time_scale = 0.1;  ///< where none is given
};

constexpr std::array<Experiment, 9> kExperiments = {
    {{{"1", "Table 1: positions solved exactly", reproduced_coverage_figure}, reproduce_table_1},
     {{"2", "Table 2: positions of which TDS finished with a fixed delta",
       reproduced_coverage_figure},
      reproduce_table_2},
     {{"3", "Table 3 of Zhang and Müller (2015)"}, reproduce_table_3, 0.001},
     {{"4", "Table 4 of Zhang and Müller (2015)"}, reproduce_table_4, 0.001},
     {{"fig3", "Figure 3: TDS_1235 against TDS_12345 (TDS+)"}, reproduce_figure_3},
     {{"fig4", "Figure 4: TDS_135 with n more coupons on top than the 2-delta conjecture needs"},
      reproduce_figure_4},
     {{"fig5", "Figure 5: mean absolute errors with 95 % intervals within limits of processor time",
       error_figure},
      reproduce_figure_5},
     {{"rules",
       "Figure 5, rules for a stopped search without a board move: mean absolute error of the "
       "temperature"},
      reproduce_stopping_rules},
     {{"e5", "E5 alone: nodes over the positions with 5 empty squares"}, reproduce_e5}}};

}  // namespace

std::vector<cli::Experiment> experiments() { return {kExperiments.begin(), kExperiments.end()}; }

int reproduce_command(const ReproduceArguments& given, const Terminal& terminal) {
  const auto run = [&](std::size_t at) -> std::vector<Reproduction> {
    ReproduceArguments arguments = given;
    arguments.time_scale = given.given_time_scale.value_or(kExperiments[at].time_scale);
    Reproduction result = kExperiments[at].run(arguments, terminal);
    result.setting = {{"time_scale", arguments.time_scale}};
    return {std::move(result)};
  };
  const cli::Reproduce reproduce{.laboratory = "amazons", .experiments = experiments(), .run = run};
  return reproduce(given, terminal);
}

}  // namespace ntune::amazons
