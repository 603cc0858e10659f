#include "ntune/facts/result_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/duration.h"
#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/facts/comparison_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/results/duel_result.h"
#include "ntune/study/results/elo_text.h"
#include "ntune/study/results/failure_text.h"
#include "ntune/study/results/incumbent_result.h"
#include "ntune/study/results/instance_result.h"

namespace ntune {

namespace {

std::string space_text(const Objective& objective) {
  const SearchSpace& space = objective.space();
  const SpaceSize size = space.size();
  return fmt::format("{}, {}{}", counted(space.dimensions(), "parameter"),
                     counted(size.points, "point"),
                     size.without_forbidden ? "" : " (forbidden ones included)");
}

std::string parameters_text(const Objective& objective, const Pick& pick) {
  const SearchSpace& space = objective.space();
  const Point& point = pick.point;
  std::string text;
  std::size_t longest = 0;
  for (const std::string& name : space.names()) {
    longest = std::max(longest, printable(name, 40).size());
  }
  for (int i = 0; i < space.dimensions(); ++i) {
    text += fmt::format("  {:<{}}  {}{}{}\n", printable(space[i].name, 40), longest,
                        printable(value_text(space.value(point, i)), 60),
                        space.is_active(point, i) ? "" : "  (inactive)",
                        moved_text(objective, pick, i));
  }
  return text;
}

std::string hold_out_cut_off_text(const HoldOut& hold_out) {
  const std::int64_t count = hold_out.endings.cut_off;
  return count > 0 ? fmt::format(", {} of them cut off", count_text(count)) : "";
}

/// What was ended early, and what that means.
std::string endings_text(const StudyResult& result) {
  std::string text;
  if (result.all_cut_off()) {
    text += "cut off: every evaluation; raise `cutoff`\n";
  } else if (result.endings.cut_off > 0) {
    text += fmt::format("cut off: {} of {}; each counts with its penalty\n",
                        count_text(result.endings.cut_off),
                        counted(result.evaluations(), "evaluation"));
  }
  if (result.endings.capped > 0) {
    text += fmt::format(
        "capped: {}, ended when their candidates could no longer win; they would have taken "
        "at least the time that is recorded\n",
        counted(result.endings.capped, "evaluation"));
  }
  return text;
}

/// What was used of the limits, and how to make a study of the same size where nothing is timed.
std::string spending_text(const Study& study, const Spending& spending) {
  std::string text;
  if (study.limits.seconds) {
    text += fmt::format("time: {} of {}\n", duration_text(spending.seconds.value_or(0.0)),
                        exact_duration_text(*study.limits.seconds));
  }
  if (study.limits.cost) {
    text += fmt::format("cost: {:.6g} of {}\n", spending.cost, number_text(*study.limits.cost));
  }
  const RunPlan& plan = spending.plan;
  text += fmt::format(
      "another machine makes another number of evaluations; as many are made by runs: {}, "
      "iterations: {}, re_evaluation: {}, hold_out: {}\n",
      plan.runs, plan.iterations, plan.re_evaluation, plan.hold_out);
  return text;
}

/// Beside a value on test instances that on those of the search.
std::string trained_text(const Objective& objective, const Pick& pick) {
  const auto& [payoffs, mean] = pick.comparison.payoffs;
  if (!pick.hold_out.on_test_instances || payoffs.count() == 0) return {};
  return fmt::format("  trained on   {}  from {} of the comparison, which chose it\n",
                     score_text(objective.unit().value_of(mean.mean()), shown_interval(pick)),
                     counted(payoffs.count(), "evaluation"));
}

/// Why there is no mean of hold-out evaluations.
std::string unmeasured_text(const Study& study, const StudyResult& result, const Pick& pick) {
  if (study.plans[0].hold_out == 0) return "not measured (hold_out: 0)";
  if (result.interrupted) return "not measured: the hold-out has not been made";
  if (pick.hold_out.tried() > 0) return "not measured: " + all_failed_text(pick.hold_out);
  if (study.limits.seconds) {
    return "not measured: no time was left for the hold-out; give more `time`";
  }
  return "not measured: nothing of the budget was left for the hold-out; give more `budget`";
}

/// The mean of the hold-out evaluations, and the true value where that is known.
std::string measured_text(const Study& study, const StudyResult& result, const Pick& pick) {
  const Objective& objective = *study.objectives[0].objective;
  std::string text = fmt::format("  value        {}\n", unmeasured_text(study, result, pick));
  if (is_level(objective, pick)) {
    text = fmt::format("  value        {}  by definition: every match is against it\n",
                       score_text(kLevelScore));
  } else if (pick.hold_out.payoffs.count() > 0) {
    const std::string interval =
        pick.hold_out.interval
            ? fmt::format("  95 % interval {}", score_interval_text(*pick.hold_out.interval))
            : "";
    text = fmt::format("  {}        {}{}  from {}{}{}{}\n",
                       objective.unit().is_cost() ? "cost " : "value",
                       score_text(pick.hold_out.value(objective.unit()), shown_interval(pick)),
                       interval, counted(pick.hold_out.payoffs.count(), "fresh evaluation"),
                       pick.hold_out.on_test_instances ? " of the test instances" : "",
                       hold_out_cut_off_text(pick.hold_out), failed_text(pick.hold_out));
  }
  text += trained_text(objective, pick);
  if (!pick.true_value) return text;
  const auto optimum = optimum_of(objective);
  return text + fmt::format("  true value   {}{}\n",
                            score_text(*pick.true_value, shown_interval(pick)),
                            optimum ? fmt::format("  (best of the space {})",
                                                  score_text(*optimum, shown_interval(pick)))
                                    : "");
}

std::string estimate_text(const Objective& objective, const Pick& pick) {
  if (!pick.certainty) {
    return fmt::format("  estimate     {}  by the model of run {} (a ranking, biased as a value)\n",
                       score_text(pick.estimate, shown_interval(pick)), pick.run);
  }
  const Interval interval = estimate_interval(objective, pick);
  return fmt::format("  estimate     {}  95 % interval {}  by the model of run {}{}\n",
                     score_text(pick.estimate, interval), score_interval_text(interval), pick.run,
                     pick.hold_out.on_test_instances ? ", of the instances in training" : "");
}

/// How sure it is that nothing beside the recommendation is better.
std::string best_text(const Objective& objective, const Pick& pick) {
  const auto best = best_probability(objective, pick);
  if (!best) return {};
  if (best->among == 0) {
    return fmt::format(
        "  best         with probability {:.3f}, of the points that run {} sampled, by its "
        "model{}\n",
        best->probability, pick.run,
        best->regret ? fmt::format("; expected regret {}", score_text(*best->regret)) : "");
  }
  return fmt::format(
      "  best         with probability {:.3f}, of the {} points compared; expected regret {}\n",
      best->probability, count_text(best->among), score_text(best->regret.value_or(0.0)));
}

/// How far the finished runs agree.
std::string agreement_text(const CellResult& cell, const Pick& pick) {
  const auto counts = count_recommendations(cell);
  std::int64_t finished = 0;
  for (const auto& [point, runs] : counts) finished += runs;
  if (finished < 2) return {};
  return fmt::format(
      "  runs         {} recommend {}{}\n", count_text(finished),
      counts.size() == 1 ? "one point"
                         : fmt::format("{} different points", count_text(counts.size())),
      pick.comparison.evaluations > 0
          ? fmt::format(", compared by {} evaluations", count_text(pick.comparison.evaluations))
          : "");
}

std::string recommendation_text(const Study& study, const StudyResult& result) {
  const CellResult& cell = result.cells[0];
  const Pick& pick = cell.picks[0];
  const Objective& objective = *study.objectives[0].objective;
  if (pick.point.size() == 0) return "No run has finished: nothing to recommend.\n";
  std::string text = "Recommendation\n" + parameters_text(objective, pick) + '\n' +
                     measured_text(study, result, pick) +
                     elo_text(study.objectives[0].objective->unit(), pick);
  if (pick.incumbent) text += incumbent_text(study, result, pick);
  if (compares_duels(objective, pick)) text += duel_text(objective, pick);
  text += triples_text(objective.space(), cell.runs);
  if (pick.run != kNoRun) text += estimate_text(objective, pick);
  text += best_text(objective, pick);
  if (study.optimisers[cell.optimiser].is_auto()) {
    text += fmt::format("  optimiser    {}, chosen by auto\n",
                        pick.algorithm.empty()
                            ? study.algorithm(cell.objective, cell.plan, cell.optimiser)
                            : pick.algorithm);
  }
  return text + agreement_text(cell, pick) + instance_table(study, pick);
}

/// The optimiser's label, and the algorithms of `auto` once the length of the runs is settled.
std::string optimiser_text(const Study& study, std::size_t optimiser) {
  const StudyOptimiser& chosen = study.optimisers[optimiser];
  if (!chosen.is_auto() || study.advise_budget > 0 || study.limited) return chosen.label;
  std::vector<std::string> names;
  for (std::size_t o = 0; o < study.objectives.size(); ++o) {
    for (std::size_t p = 0; p < study.plans.size(); ++p) {
      const std::string name = study.algorithm(o, p, optimiser);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return fmt::format("{} ({})", chosen.label, list_text(names));
}

/// A plan with its hold-out: what it adds up to.
std::string whole_plan_text(const Study& study, const RunPlan& plan) {
  if (plan.hold_out == 0) return plan.label();
  const std::int64_t points = study.points_held_out(plan);
  return fmt::format("{} + {}{} hold-out", plan.label(),
                     points > 1 ? count_text(points) + " x " : "", count_text(plan.hold_out));
}

/// What an interrupted study had planned beyond what is counted.
std::string not_done_text(const Study& study, const StudyResult& result) {
  const bool counts = !study.limited || !study.limited->open;
  const auto cells_of_a_plan =
      static_cast<std::int64_t>(study.objectives.size() * study.optimisers.size());
  const std::int64_t times = study.repeats * cells_of_a_plan;
  std::int64_t runs = 0;
  std::int64_t search = -result.search_evaluations;
  std::int64_t comparison = -result.re_evaluations;
  std::int64_t hold_out = -result.hold_out_evaluations;
  for (const RunPlan& plan : study.plans) {
    runs += times * plan.runs;
    search += times * plan.search();
    comparison += times * plan.re_evaluation;
    hold_out += times * study.points_held_out(plan) * plan.hold_out;
  }
  std::int64_t finished = 0;
  for (const CellResult& cell : result.cells) {
    finished += std::ranges::count_if(cell.runs, &RunRecord::finished);
  }
  std::vector<std::string> parts;
  if (finished < runs) {
    parts.push_back(fmt::format(
        "{} of {}{}", count_text(runs - finished), counted(runs, "run"),
        counts && search > 0 ? fmt::format(" ({})", counted(search, "evaluation")) : ""));
  }
  if (counts && comparison > 0) {
    parts.push_back(fmt::format("{} of the comparison", counted(comparison, "evaluation")));
  }
  if (counts && hold_out > 0) {
    parts.push_back(fmt::format("{} of the hold-out", counted(hold_out, "evaluation")));
  }
  return parts.empty() ? "" : fmt::format("Planned and not done: {}.\n", list_text(parts, "and"));
}

/// How often the plans are carried out: ", for each of 3 optimisers, 5 times".
std::string repetitions_text(const Study& study) {
  std::string text;
  const auto add_each = [&text](std::size_t count, const char* noun) {
    if (count < 2) return;
    text += fmt::format("{} each of {}", text.empty() ? ", for" : " and", counted(count, noun));
  };
  add_each(study.optimisers.size(), "optimiser");
  add_each(study.objectives.size(), "objective");
  if (study.repeats > 1) text += fmt::format(", {} times", count_text(study.repeats));
  return text;
}

/// Advice for costs so far apart that a mean of them says little of most instances.
std::string wide_costs_text(const Study& study, const StudyResult& result) {
  constexpr double kWide = 10.0;
  const Objective& objective = *study.objectives.front().objective;
  const bool asked = study.instances.learns_effects() && study.instances.aggregate.is_mean();
  if (study.is_comparison() || !asked || !objective.unit().is_cost()) return {};
  for (const Pick& pick : result.cells.front().picks) {
    const RunningStats& payoffs = pick.hold_out.payoffs;
    if (payoffs.count() < 2) continue;
    const double low = objective.unit().value_of(payoffs.max());
    const double high = objective.unit().value_of(payoffs.min());
    if (low > 0.0 && high >= kWide * low) {
      return "costs differ more than tenfold: with `aggregate: geometric_mean` the search models "
             "their logarithms\n";
    }
  }
  return {};
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
  for (const RunPlan& plan : study.plans) plans.push_back(whole_plan_text(study, plan));
  if (study.advise_budget > 0) plans = {"runs and iterations chosen at the start"};
  if (study.limited && study.limited->open) {
    return text +
           fmt::format("{}: {} in {}, hold-out included, seed {}\n", list_text(names, "and"),
                       counted(study.limited->whole.runs, "run"), limits_text(study.limits),
                       study.seed) +
           beginning_text(study);
  }
  if (study.limited) plans[0] += fmt::format(", within {}", limits_text(study.limits));
  return text +
         fmt::format("{}: {}{}; {} in all, seed {}\n", list_text(names, "and"),
                     list_text(plans, "and"), repetitions_text(study),
                     counted(total_evaluations(study), "evaluation"), study.seed) +
         beginning_text(study);
}

std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries) {
  std::string text;
  const std::string forfeits = forfeits_text(result.endings);
  const bool first = are_many_forfeits(result.endings);
  if (first) text += "Look at the games first: " + forfeits + '\n';
  if (result.interrupted) {
    text +=
        "Interrupted: only what had finished is counted.\n" + not_done_text(study, result) + '\n';
  }
  text += study.is_comparison() ? comparison_text(study, summaries)
                                : recommendation_text(study, result);
  text += fmt::format("\n{} evaluations{}: {} search, {} re-evaluation, {} hold-out\n",
                      count_text(result.evaluations()), result.interrupted ? " counted" : "",
                      count_text(result.search_evaluations), count_text(result.re_evaluations),
                      count_text(result.hold_out_evaluations));
  if (result.spending) text += spending_text(study, *result.spending);
  text += endings_text(result);
  if (!first) text += forfeits;
  text += failures_text(study, result);
  if (result.set_aside > 0) {
    const bool one = result.set_aside == 1;
    text += fmt::format(
        "{} {} far from all others; the searches counted {} as the most extreme "
        "ordinary payoff\n",
        counted(result.set_aside, "payoff"), one ? "lies" : "lie", one ? "it" : "them");
  }
  text += wide_costs_text(study, result);
  return text;
}

}  // namespace ntune
