#include "ntune/report/figures/figures.h"

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

const std::vector<FigureEntry>& figure_table() {
  // In the order in which a page and the help show them.
  static const std::vector<FigureEntry> kTable{
      {"front", "settings of the front, several goals against each other", front_figure},
      {"forest", "new and today's setting, and the gain, with intervals", forest_figure},
      {.name = "course",
       .what = "what the search believed, and what fresh calls measured",
       .make = course_figure,
       .model = true},
      {"instances", "new and today's setting on each instance", instances_figure},
      {"scatter", "a solver's fresh runs, new against today's setting", scatter_figure},
      {"cactus", "a solver's fresh runs that were solved within a limit", cactus_figure},
      {"candidates", "what the runs recommend, by fresh evaluations", candidates_figure},
      {"convergence", "value of the recommendation against evaluations", convergence_figure},
      {"ranks", "mean ranks of a comparison, with critical differences", ranks_figure},
      {"scores", "box plots of a comparison's cells", scores_figure},
      {"distribution", "empirical distribution of a comparison's scores", distribution_figure},
      {"differences", "paired differences of a comparison's cells", differences_figure},
      {"history", "evaluations in the order in which they were made", history_figure},
      {"main_effects", "mean of every parameter's values (1-tuples)", main_effects_figure},
      {.name = "effects",
       .what = "what the optimiser's model says of every parameter's values",
       .make = effects_figure,
       .model = true},
      {"pairs", "means of pairs of values (2-tuples)", pairs_figure},
      {"importance", "variance that goes with parameters and pairs", importance_figure},
      {"agreement", "values that the runs recommend", agreement_figure},
      {"tried", "settings that were tried in parallel coordinates, by value", tried_figure},
      {.name = "timeline",
       .what = "begin and end of every call",
       .make = timeline_figure,
       .calls = true},
      {"sampling", "values that were sampled over time", sampling_figure},
  };
  return kTable;
}

const FigureEntry& find_figure(const std::string& name) {
  std::vector<std::string> names;
  for (const FigureEntry& entry : figure_table()) {
    if (name == entry.name) return entry;
    names.emplace_back(entry.name);
  }
  throw InputError(fmt::format("--figure: '{}' is not a figure{}; allowed: {}", printable(name, 60),
                               suggestion(name, names), list_text(names)));
}

}  // namespace ntune
