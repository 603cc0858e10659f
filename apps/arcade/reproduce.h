#pragma once

#include <string>
#include <vector>

#include "apps/arcade/commands.h"
#include "apps/common/reproduction.h"
#include "ntune/core/statistics.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune::arcade {

// Goodman and Lucas 2020, Weighting NTBEA for Game AI Optimisation. The weightings are called as in
// configs/papers/, "vanilla" is none.

using cli::Reproduction;

/// A study that has been run, or read.
struct FinishedStudy {
  Study study;
  StudyResult result;
  std::vector<CellSummary> summaries;
};

/// The study DIR/papers/NAME.yaml of --configs. Throws InputError.
Study load_paper_study(const ReproduceArguments& arguments, const std::string& name);

/// Table 2 for a game: the study as it is, but for runs and seed.
Study table_2_study(const ReproduceArguments& arguments, Game game);
Reproduction table_2(const FinishedStudy& finished, Game game);

/// Table 3 for a game: the study with all numbers of games scaled.
Study table_3_study(const ReproduceArguments& arguments, Game game);
Reproduction table_3(const FinishedStudy& finished, Game game);

/// Figure 1: the weight of a tuple by its visits, T = 15.
Reproduction figure_1();
Figure drawn_figure_1(const std::string& title, const std::vector<Json>& rows);

/// Figures 3 and 4: the true values of what Table 2's runs recommend, and the estimates less these,
/// as quartiles with whiskers.
Reproduction figure_of_runs(const FinishedStudy& finished, Game game);
Figure drawn_figure_of_runs(const std::string& title, const std::vector<Json>& rows);

/// Tables 2 and 3 as figures, from their rows: ours beside the published means.
Figure draw_table_2(const std::string& title, const std::vector<Json>& rows);
Figure draw_table_3(const std::string& title, const std::vector<Json>& rows);

/// "planet_wars": three decimals; scores of Asteroids: none.
std::string value_text(Game game, double value);
/// The same with its sign.
std::string difference_text(Game game, double value);
/// "[-0.010, 0.020]".
std::string interval_text(Game game, const Interval& interval);

}  // namespace ntune::arcade
