// Goodman and Lucas 2020, Table 2: NTBEA and its weightings on the small spaces.

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "apps/arcade/published.h"
#include "apps/arcade/reproduce.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/objective/capabilities.h"

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

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

const PublishedTable2& published(Game game, const std::string& weighting) {
  return *std::ranges::find_if(published_table_2(), [&](const PublishedTable2& row) {
    return row.game == game && row.weighting == weighting;
  });
}

Json low_of(const std::optional<Interval>& ends) { return ends ? Json(ends->low) : Json(); }
Json high_of(const std::optional<Interval>& ends) { return ends ? Json(ends->high) : Json(); }

Json row_of(Game game, const PublishedTable2& row, const CellSummary& ours, double top_six) {
  Json json = {{"game", game_name(game)},
               {"weighting", row.weighting},
               {"published_runs", row.runs},
               {"runs", ours.score.stats.count()},
               {"published_mean", row.mean},
               {"mean", ours.score.stats.mean()},
               {"mean_low", low_of(ours.score.interval)},
               {"mean_high", high_of(ours.score.interval)},
               {"published_sd", row.sd},
               {"sd", ours.score.stats.sd()},
               {"published_delta", row.delta},
               {"delta", ours.delta.stats.mean()},
               {"delta_low", low_of(ours.delta.interval)},
               {"delta_high", high_of(ours.delta.interval)},
               {"published_top_six", row.top_six},
               {"top_six", top_six}};
  const bool other = ours.difference.has_value();
  json["difference"] = other ? Json(ours.difference->stats.mean()) : Json();
  json["difference_low"] = other ? low_of(ours.difference->interval) : Json();
  json["difference_high"] = other ? high_of(ours.difference->interval) : Json();
  return json;
}

/// Whether vanilla NTBEA is at least as good as every weighting, and what is not so.
Reproduction& add_finding(Reproduction& part, Game game, const FinishedStudy& finished) {
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
  return part;
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
  const auto ends_text = [game](const std::optional<Interval>& ends) {
    return ends ? interval_text(game, *ends) : "-";
  };
  Reproduction part;
  TextTable table({"<weighting", "mean", "ours", "95 % interval", "sd", "ours", "delta", "ours",
                   "top 6", "ours", "ours - vanilla", "95 % interval"});
  for (const CellSummary& ours : finished.summaries) {
    const std::string& weighting = study.optimisers[ours.optimiser].label;
    const PublishedTable2& row = published(game, weighting);
    const double share = top_six_share(finished.result.cells[ours.optimiser], least);
    part.rows.push_back(row_of(game, row, ours, share));
    table.add_row({weighting, value_text(game, row.mean), value_text(game, ours.score.stats.mean()),
                   ends_text(ours.score.interval), value_text(game, row.sd),
                   value_text(game, ours.score.stats.sd()), difference_text(game, row.delta),
                   difference_text(game, ours.delta.stats.mean()), percent(row.top_six),
                   percent(share),
                   ours.difference ? difference_text(game, ours.difference->stats.mean()) : "",
                   ours.difference ? ends_text(ours.difference->interval) : ""});
  }
  const RunPlan& plan = study.plans.front();
  part.title =
      fmt::format("Table 2 of Goodman and Lucas (2020), {}: {} runs of {} games each, seed {}\n{}",
                  game_title(game), count_text(plan.runs), count_text(plan.iterations), study.seed,
                  objective.description());
  part.table = table.text();
  part.summary = {{"seed", study.seed},
                  {"iterations", plan.iterations},
                  {"best_point", *optimum_of(objective)},
                  {"sixth_best_point", least}};
  part.remarks = fmt::format(
      "Mean and sd of the true values of what the runs recommend; delta: estimate minus that; top "
      "6: share of\nruns that recommend one of the six best points, of {} and more here (the best "
      "{}).\n",
      value_text(game, least), value_text(game, *optimum_of(objective)));
  return add_finding(part, game, finished);
}

}  // namespace ntune::arcade
