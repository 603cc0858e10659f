// Goodman and Lucas 2020, Table 2: NTBEA and its weightings on the small spaces.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/arcade/reproduce.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/published.h"

namespace ntune::arcade {

namespace {

constexpr std::size_t kTop = 6;

/// The true value of the sixth best point.
double sixth_best(const Objective& objective) {
  std::vector<double> values;
  objective.space().for_each_point([&](const Point& point) {
    values.push_back(*true_value_of(objective, point));
    return true;
  });
  std::ranges::sort(values, std::greater());
  return values[std::min(kTop, values.size()) - 1];
}

/// Share of the runs that recommend one of the six best points.
double top_six_share(const CellResult& cell, double least) {
  const auto hits = std::ranges::count_if(
      cell.runs, [&](const RunRecord& run) { return run.true_value && *run.true_value >= least; });
  return static_cast<double>(hits) / static_cast<double>(cell.runs.size());
}

/// Published shares of the runs that recommend one of the six best points, by game, in the order of
/// the study's file of published numbers, which has the others.
constexpr std::array<std::array<double, 5>, 2> kTopSix = {
    {{0.60, 0.44, 0.53, 0.51, 0.58}, {0.94, 0.88, 0.87, 0.81, 0.87}}};

/// The ends of an interval, null where there is none.
void add_ends(cli::ResultTable& table, const std::string& key,
              const std::optional<Interval>& ends) {
  table.data(key + "_low", ends ? Json(ends->low) : Json())
      .data(key + "_high", ends ? Json(ends->high) : Json());
}

/// A weighting's published numbers beside ours.
void add_row(cli::ResultTable& table, Game game, const PublishedRow& row, double published_top_six,
             const CellSummary& ours, double top_six) {
  const auto value = [game](double number) { return value_text(game, number); };
  const auto change = [game](double number) { return difference_text(game, number); };
  const auto ends = [game](const std::optional<Interval>& interval) {
    return interval ? interval_text(game, *interval) : "-";
  };
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100.0 * share); };
  const RunningStats& score = ours.score.stats;
  const double delta = ours.delta.stats.mean();
  table.row()
      .data("game", game_name(game))
      .both("weighting", "<weighting", row.optimiser)
      .data("published_runs", row.runs)
      .data("runs", score.count())
      .data("published_mean", row.mean)
      .text("mean", value(row.mean))
      .data("mean", score.mean())
      .text("ours", value(score.mean()))
      .text("95 % interval", ends(ours.score.interval));
  add_ends(table, "mean", ours.score.interval);
  table.data("published_sd", row.sd)
      .text("sd", value(row.sd))
      .data("sd", score.sd())
      .text("ours", value(score.sd()))
      .data("published_delta", row.delta)
      .text("delta", change(row.delta))
      .data("delta", delta)
      .text("ours", change(delta));
  add_ends(table, "delta", ours.delta.interval);
  table.data("published_top_six", published_top_six)
      .text("top 6", percent(published_top_six))
      .data("top_six", top_six)
      .text("ours", percent(top_six));
  const auto& other = ours.difference;
  table.data("difference", other ? Json(other->stats.mean()) : Json())
      .text("ours - vanilla", other ? change(other->stats.mean()) : "")
      .text("95 % interval", other ? ends(other->interval) : "");
  add_ends(table, "difference", other ? other->interval : std::nullopt);
}

/// Whether vanilla NTBEA is at least as good as every weighting, and what is not so.
void add_finding(Reproduction& part, Game game, const FinishedStudy& finished) {
  std::vector<std::string> better;
  std::vector<std::string> worse;
  for (const CellSummary& cell : finished.summaries) {
    if (!cell.difference || !cell.difference->interval) continue;
    const std::string& name = finished.study.optimisers[cell.optimiser].label;
    if (cell.difference->interval->low > 0.0) better.push_back(name);
    if (cell.difference->interval->high < 0.0) worse.push_back(name);
  }
  part.summary["better_than_vanilla"] = better;
  part.summary["worse_than_vanilla"] = worse;
  const auto names_text = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("none") : list_text(names, "and");
  };
  part.remarks += fmt::format(
      "Published finding: vanilla NTBEA is at least as good as every weighting. Here it {}; by the "
      "95 %\nintervals of the paired differences\n  better than vanilla: {}\n  worse: {}\n",
      better.empty() ? "holds" : "does not hold", names_text(better), names_text(worse));
  if (game == Game::kAsteroids) {
    part.remarks += "Values are scores of games of 1,000 ticks, as in the published program.\n";
  }
}

}  // namespace

Study table_2_study(const ReproduceArguments& arguments, Game game) {
  Study study = load_paper_study(arguments, "ntbea_table_2_" + game_name(game));
  if (arguments.runs) study.plans.front().runs = *arguments.runs;
  return study;
}

Reproduction table_2(const FinishedStudy& finished, Game game) {
  const Study& study = finished.study;
  const Objective& objective = *study.objectives.front().objective;
  const double least = sixth_best(objective);
  Reproduction part;
  const std::vector<PublishedRow> rows = read_published(study.published_file);
  for (const CellSummary& ours : finished.summaries) {
    const std::string& weighting = study.optimisers[ours.optimiser].label;
    const auto row = std::ranges::find(rows, weighting, &PublishedRow::optimiser);
    if (row == rows.end()) {
      throw InputError(fmt::format("{}: has no row of {}", study.published_file, weighting));
    }
    const double top_six =
        kTopSix[static_cast<std::size_t>(game)].at(static_cast<std::size_t>(row - rows.begin()));
    add_row(part.table, game, *row, top_six, ours,
            top_six_share(finished.result.cells[ours.optimiser], least));
  }
  const RunPlan& plan = study.plans.front();
  part.title = fmt::format(", {}: {} runs of {} games each, seed {}\n{}", game_title(game),
                           count_text(plan.runs), count_text(plan.iterations), study.seed,
                           objective.description());
  part.summary = {{"seed", study.seed},
                  {"iterations", plan.iterations},
                  {"best_point", *optimum_of(objective)},
                  {"sixth_best_point", least}};
  part.remarks = fmt::format(
      "Mean and sd of the true values of what the runs recommend; delta: estimate minus that; top "
      "6: share of\nruns that recommend one of the six best points, of {} and more here (the best "
      "{}).\n",
      value_text(game, least), value_text(game, *optimum_of(objective)));
  add_finding(part, game, finished);
  return part;
}

}  // namespace ntune::arcade
