#include "ntune/study/results/result_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/csv.h"
#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

namespace {

/// Four significant digits, at least three decimals for numbers around one.
std::string real(double value) {
  const double size = std::abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.1f}", value);
  if (size >= 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4f}", value);
}

std::string interval_text(const Interval& interval) {
  return fmt::format("[{}, {}]", real(interval.low), real(interval.high));
}

std::string signed_real(double value) { return (value >= 0 ? "+" : "") + real(value); }

std::string seed_text(const Study& study) { return fmt::format("seed {}", study.seed); }

std::string space_text(const Objective& objective) {
  const SearchSpace& space = objective.space();
  const SpaceSize size = space.size();
  return fmt::format("{} parameters, {} points{}", space.dimensions(), count_text(size.points),
                     size.without_forbidden ? "" : " (forbidden ones included)");
}

std::string recommendation_text(const Study& study, const StudyResult& result) {
  const CellResult& cell = result.cells[0];
  const Pick& pick = cell.picks[0];
  const Objective& objective = *study.objectives[0].objective;
  if (pick.point.size() == 0) return "No run has finished: nothing to recommend.\n";
  const SearchSpace& space = objective.space();

  std::string text = "Recommendation\n";
  std::size_t longest = 0;
  for (const std::string& name : space.names()) {
    longest = std::max(longest, printable(name, 40).size());
  }
  for (int i = 0; i < space.dimensions(); ++i) {
    text += fmt::format("  {:<{}}  {}{}\n", printable(space[i].name, 40), longest,
                        printable(value_text(space.value(pick.point, i)), 60),
                        space.is_active(pick.point, i) ? "" : "  (inactive)");
  }
  text += "\n";
  if (pick.hold_out.count() > 0) {
    const std::string interval =
        pick.interval ? fmt::format("  95 % interval {}", interval_text(*pick.interval)) : "";
    text += fmt::format("  value        {}{}  from {}\n",
                        real(objective.unit().value_of(pick.hold_out.mean())), interval,
                        counted(pick.hold_out.count(), "fresh evaluation"));
  } else {
    text += "  value        not measured (hold_out: 0)\n";
  }
  if (pick.true_value) {
    const auto optimum = optimum_of(objective);
    text += fmt::format("  true value   {}{}\n", real(*pick.true_value),
                        optimum ? fmt::format("  (best of the space {})", real(*optimum)) : "");
  }
  if (pick.certainty) {
    text += fmt::format(
        "  estimate     {}  95 % interval {}  by the model of run {}; best of what "
        "it sampled: {:.0f} %\n",
        real(pick.estimate), interval_text(estimate_interval(objective, pick)), pick.run,
        100.0 * pick.certainty->best_probability);
  } else {
    text +=
        fmt::format("  estimate     {}  by the model of run {} (a ranking, biased as a value)\n",
                    real(pick.estimate), pick.run);
  }

  if (study.optimisers[cell.optimiser].is_auto()) {
    text += fmt::format("  optimiser    {}, chosen by auto\n",
                        study.algorithm(cell.objective, cell.plan, cell.optimiser));
  }
  const auto counts = count_recommendations(cell);
  std::int64_t finished = 0;
  for (const auto& [point, runs] : counts) finished += runs;
  if (finished > 1) {
    text += fmt::format(
        "  runs         {} recommend {}{}\n", count_text(finished),
        counts.size() == 1 ? "one point"
                           : fmt::format("{} different points", count_text(counts.size())),
        pick.re_evaluations > 0
            ? fmt::format(", compared by {} evaluations", count_text(pick.re_evaluations))
            : "");
  }
  return text;
}

std::string score_title(const Study& study) {
  return study.true_values_known() ? "true value" : "hold-out value";
}

std::string cells_text(const Study& study, const std::vector<CellSummary>& summaries) {
  const bool plans = study.plans.size() > 1;
  const bool optimisers = study.optimisers.size() > 1;
  std::vector<std::string> titles = {"<objective"};
  if (plans) titles.emplace_back(study.unit == SampleUnit::kPicks ? "<split" : "iterations");
  if (optimisers) titles.emplace_back("<optimiser");
  for (const char* title : {"n", "mean", "sd", "95 % interval", "best", "worst", "delta",
                            "difference", "95 % interval"}) {
    titles.emplace_back(title);
  }
  TextTable table(titles);
  const CellSummary* last = nullptr;
  for (const CellSummary& cell : summaries) {
    if (last != nullptr &&
        (last->objective != cell.objective || (optimisers && plans && last->plan != cell.plan))) {
      table.add_rule();
    }
    last = &cell;
    const RunPlan& plan = study.plans[cell.plan];
    std::vector<std::string> row = {study.objectives[cell.objective].label};
    if (plans)
      row.push_back(study.unit == SampleUnit::kPicks ? plan.label() : count_text(plan.iterations));
    if (optimisers) row.push_back(study.optimisers[cell.optimiser].label);
    const RunningStats& stats = cell.score.stats;
    row.push_back(count_text(stats.count()));
    if (stats.count() > 0) {
      const bool cost = study.objectives[cell.objective].objective->unit().is_cost();
      const double best = cost ? stats.min() : stats.max();
      const double worst = cost ? stats.max() : stats.min();
      row.insert(row.end(),
                 {real(stats.mean()), real(stats.sd()), interval_text(cell.score.interval),
                  real(best), real(worst), signed_real(cell.delta.stats.mean())});
    } else {
      row.insert(row.end(), {"-", "-", "-", "-", "-", "-"});
    }
    if (cell.difference && cell.difference->stats.count() > 0) {
      row.push_back(signed_real(cell.difference->stats.mean()));
      row.push_back(interval_text(cell.difference->interval));
    }
    table.add_row(row);
  }
  const std::string counted =
      study.unit == SampleUnit::kRuns
          ? "of what each run recommends"
          : fmt::format("of the final pick, {} repeats", count_text(study.repeats));
  return fmt::format(
      "{} {}; intervals by bootstrap; delta: estimate minus {};\n"
      "difference: paired, to the first row of its group\n\n{}",
      score_title(study), counted, score_title(study), table.text());
}

/// Its label, and what `auto` stands for where the length of the runs is settled.
std::string optimiser_text(const Study& study, std::size_t optimiser) {
  const StudyOptimiser& chosen = study.optimisers[optimiser];
  if (!chosen.is_auto() || study.advise_budget > 0) return chosen.label;
  std::vector<std::string> names;
  for (std::size_t o = 0; o < study.objectives.size(); ++o) {
    for (std::size_t p = 0; p < study.plans.size(); ++p) {
      const std::string name = study.algorithm(o, p, optimiser);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return fmt::format("{} ({})", chosen.label, list_text(names));
}

}  // namespace

std::string plan_text(const Study& study) {
  std::string text;
  for (const StudyObjective& objective : study.objectives) {
    text += fmt::format("{}: {}\n", objective.objective->description(),
                        space_text(*objective.objective));
  }
  std::vector<std::string> names;
  for (std::size_t a = 0; a < study.optimisers.size(); ++a) {
    names.push_back(optimiser_text(study, a));
  }
  std::vector<std::string> plans;
  for (const RunPlan& plan : study.plans) plans.push_back(plan.label());
  if (study.advise_budget > 0) plans = {"runs and iterations chosen at the start"};
  text += fmt::format("{}: {}{}; {} evaluations in all, {}\n", list_text(names, "and"),
                      list_text(plans, "and"),
                      study.repeats > 1 ? fmt::format(", {} times", count_text(study.repeats)) : "",
                      count_text(total_evaluations(study)), seed_text(study));
  return text;
}

std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries) {
  std::string text;
  if (result.interrupted) text += "Interrupted: only what had finished is counted.\n\n";
  text += study.is_comparison() ? cells_text(study, summaries) : recommendation_text(study, result);
  text += fmt::format("\n{} evaluations: {} search, {} re-evaluation, {} hold-out\n",
                      count_text(result.evaluations()), count_text(result.search_evaluations),
                      count_text(result.re_evaluations), count_text(result.hold_out_evaluations));
  if (result.failures > 0) text += fmt::format("{} of them failed\n", count_text(result.failures));
  return text;
}

std::string published_text(const std::vector<PublishedComparison>& comparisons) {
  constexpr double kAgreement = 3.0;
  TextTable table({"<objective", "iterations", "<optimiser", "mean", "published", "errors", "sd",
                   "published", "delta", "published", "errors"});
  std::size_t means = 0;
  std::size_t deltas = 0;
  const PublishedRow* last = nullptr;
  for (const PublishedComparison& comparison : comparisons) {
    const PublishedRow& row = comparison.row;
    const bool mean_agrees = std::abs(comparison.mean_errors) <= kAgreement;
    const bool delta_agrees = std::abs(comparison.delta_errors) <= kAgreement;
    means += mean_agrees ? 1 : 0;
    deltas += delta_agrees ? 1 : 0;
    if (last != nullptr &&
        (last->objective != row.objective || last->iterations != row.iterations)) {
      table.add_rule();
    }
    last = &row;
    table.add_row(
        {row.objective, count_text(row.iterations), row.optimiser,
         fmt::format("{:.4f}", comparison.score.stats.mean()), fmt::format("{:.3f}", row.mean),
         fmt::format("{:+.1f}{}", comparison.mean_errors, mean_agrees ? " " : "*"),
         fmt::format("{:.4f}", comparison.score.stats.sd()), fmt::format("{:.3f}", row.sd),
         fmt::format("{:+.4f}", comparison.delta.stats.mean()), fmt::format("{:+.3f}", row.delta),
         fmt::format("{:+.1f}{}", comparison.delta_errors, delta_agrees ? " " : "*")});
  }
  return fmt::format(
      "Ours beside the published numbers; errors: difference in combined standard errors, * beyond "
      "3\n\n{}\nwithin 3 standard errors: {} of {} means, {} of {} deltas\n",
      table.text(), means, comparisons.size(), deltas, comparisons.size());
}

std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  if (study.is_comparison()) {
    std::string csv =
        "objective,optimiser,runs,iterations,re_evaluation,n,mean,sd,low,high,best,worst,delta,"
        "difference,difference_low,difference_high\n";
    for (const CellSummary& cell : summaries) {
      const RunPlan& plan = study.plans[cell.plan];
      const RunningStats& stats = cell.score.stats;
      csv += fmt::format(
          "{},{},{},{},{},{}", csv_field(study.objectives[cell.objective].label),
          csv_field(study.optimisers[cell.optimiser].label), plan.runs, plan.iterations,
          plan.adaptive ? "adaptive" : fmt::format("{}", plan.re_evaluation), stats.count());
      if (stats.count() == 0) {
        csv += ",,,,,,,,,,\n";
        continue;
      }
      csv +=
          fmt::format(",{},{},{},{},{},{},{}", stats.mean(), stats.sd(), cell.score.interval.low,
                      cell.score.interval.high, stats.max(), stats.min(), cell.delta.stats.mean());
      csv += cell.difference
                 ? fmt::format(",{},{},{}\n", cell.difference->stats.mean(),
                               cell.difference->interval.low, cell.difference->interval.high)
                 : ",,,\n";
    }
    return csv;
  }
  const Pick& pick = result.cells[0].picks[0];
  const Objective& objective = *study.objectives[0].objective;
  std::string csv = "value,low,high,n,true_value,estimate";
  for (const std::string& name : objective.space().names()) csv += ',' + csv_field(name);
  csv += '\n';
  if (pick.point.size() == 0) return csv;
  const bool held_out = pick.hold_out.count() > 0;
  csv += fmt::format(
      "{},{},{},{},{},{}",
      held_out ? fmt::format("{}", objective.unit().value_of(pick.hold_out.mean())) : "",
      pick.interval ? fmt::format("{}", pick.interval->low) : "",
      pick.interval ? fmt::format("{}", pick.interval->high) : "", pick.hold_out.count(),
      number(pick.true_value), pick.estimate);
  for (int i = 0; i < objective.space().dimensions(); ++i) {
    csv += ',' + csv_field(value_text(objective.space().value(pick.point, i)));
  }
  return csv + '\n';
}

}  // namespace ntune
