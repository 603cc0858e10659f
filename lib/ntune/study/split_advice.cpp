#include "ntune/study/split_advice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/study/synthetic_landscape.h"
#include "ntune/study/table.h"

namespace ntune {

namespace {

constexpr std::int64_t kLargestSimulation = 20'000;
constexpr std::array<std::int64_t, 7> kRuns = {1, 2, 3, 5, 8, 12, 20};
constexpr std::array<double, 2> kShares = {0.2, 0.4};

/// A plan that spends `evaluations` on runs and re-evaluation.
RunPlan split(std::int64_t evaluations, std::int64_t runs, double share) {
  RunPlan plan{.runs = runs, .iterations = evaluations};
  if (runs > 1) {
    plan.re_evaluation = static_cast<std::int64_t>(static_cast<double>(evaluations) * share);
    plan.iterations = (evaluations - plan.re_evaluation) / runs;
  }
  return plan;
}

std::vector<std::pair<std::int64_t, double>> all_ways(std::int64_t evaluations) {
  constexpr std::int64_t kShortestRun = 20;
  std::vector<std::pair<std::int64_t, double>> ways;
  for (const std::int64_t runs : kRuns) {
    for (const double share : kShares) {
      if (runs > 1 && split(evaluations, runs, share).iterations < kShortestRun) continue;
      ways.emplace_back(runs, share);
      if (runs == 1) break;
    }
  }
  return ways;
}

}  // namespace

SplitAdvice advise_split(Study& study, StudyProgress& progress) {
  const RunPlan asked = study.plans.front();
  const std::int64_t evaluations = study.advise_budget - asked.hold_out;
  SplitAdvice advice;
  advice.simulated_budget = std::min(evaluations, kLargestSimulation);
  constexpr std::int64_t kEvaluationsPerWay = 400'000;
  advice.landscapes =
      std::clamp<std::int64_t>(kEvaluationsPerWay / advice.simulated_budget, 60, 400);

  const Objective& objective = *study.objectives.front().objective;
  Study simulation;
  simulation.seed = study.seed;
  simulation.threads = study.threads;
  simulation.re_evaluation = study.re_evaluation;
  const auto ways = all_ways(evaluations);
  for (const auto& [runs, share] : ways) {
    simulation.plans.push_back(split(advice.simulated_budget, runs, share));
  }
  const Rng rng = Rng(study.seed).stream("split advice");
  for (std::int64_t i = 0; i < advice.landscapes; ++i) {
    simulation.objectives.push_back({"landscape", Json(),
                                     std::make_shared<SyntheticLandscape>(
                                         objective.space(), objective.payoffs().noisy,
                                         rng.stream("landscape", static_cast<std::uint64_t>(i)))});
  }
  const OptimiserPlan& optimiser = study.optimisers.front().plans.front();
  simulation.optimisers.push_back(
      {optimiser.label, Json(),
       std::vector<OptimiserPlan>(static_cast<std::size_t>(advice.landscapes), optimiser)});
  const StudyResult result = run_study(simulation, progress);

  std::vector<std::vector<double>> scores(ways.size());
  for (const CellResult& cell : result.cells) {
    if (cell.picks[0].finished) scores[cell.plan].push_back(cell.picks[0].score.value_or(0.0));
  }
  double best = -1.0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    RunPlan plan = split(evaluations, ways[i].first, ways[i].second);
    plan.hold_out = asked.hold_out;
    SplitCandidate candidate{.plan = plan, .score = {.stats = stats_of(scores[i]), .interval = {}}};
    if (!scores[i].empty()) {
      candidate.score.interval = bootstrap_interval(scores[i], rng.stream("bootstrap", i));
    }
    if (candidate.score.stats.mean() > best) {
      best = candidate.score.stats.mean();
      advice.best = i;
    }
    advice.candidates.push_back(candidate);
  }
  study.plans = {advice.candidates[advice.best].plan};
  study.advise_budget = 0;
  return advice;
}

std::string advice_text(const SplitAdvice& advice) {
  TextTable table({"<split", "n", "mean", "95 % interval"});
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const SplitCandidate& candidate = advice.candidates[i];
    table.add_row({candidate.plan.label() + (i == advice.best ? "  <- chosen" : ""),
                   fmt::format("{}", candidate.score.stats.count()),
                   fmt::format("{:.4f}", candidate.score.stats.mean()),
                   fmt::format("[{:.4f}, {:.4f}]", candidate.score.interval.low,
                               candidate.score.interval.high)});
  }
  return fmt::format(
      "Ways to spend the budget (runs x iterations + re-evaluation), tried on {} synthetic "
      "landscapes over\nthis search space with {} evaluations each; true value of the final pick, "
      "best possible 0.8\n\n{}",
      advice.landscapes, count_text(advice.simulated_budget), table.text());
}

}  // namespace ntune
