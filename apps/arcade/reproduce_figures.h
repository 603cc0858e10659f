#pragma once

#include "apps/arcade/reproduce.h"
#include "ntune/plot/figure.h"

namespace ntune::arcade {

/// Figure 1: the weight of a tuple by its visits, T = 15.
Reproduction figure_1();
Figure drawn_figure_1(const std::vector<Json>& rows);

/// Figures 3 and 4: the true values of what Table 2's runs recommend, and the estimates less these,
/// as quartiles with whiskers.
Reproduction figure_of_runs(const FinishedStudy& finished, Game game);
Figure drawn_figure_of_runs(const std::vector<Json>& rows);

}  // namespace ntune::arcade
