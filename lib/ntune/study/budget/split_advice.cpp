#include "ntune/study/budget/split_advice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/core/text_table.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/run_study.h"

namespace ntune {

namespace {

constexpr int kBumps = 4;
constexpr double kBest = 0.8;

double log_uniform(double low, double high, Rng& rng) {
  return low * std::pow(high / low, rng.uniform());
}

/// Place of a value in [0, 1].
double place(int value, int cardinality) {
  return cardinality < 2 ? 0.0 : static_cast<double>(value) / (cardinality - 1);
}

}  // namespace

SyntheticLandscape::SyntheticLandscape(const SearchSpace& space, bool noisy, Rng rng)
    : space_(&space), noisy_(noisy) {
  // Bumps with random centres, heights and widths; then all are scaled to the same best.
  double highest = 0.0;
  for (int b = 0; b < kBumps; ++b) {
    const Point centre = space.sample(rng);
    Bump bump{.height = 0.5 + 0.5 * rng.uniform(), .centres = {}, .widths = {}};
    for (int i = 0; i < space.dimensions(); ++i) {
      const bool ordered = space[i].ordered;
      bump.centres.push_back(ordered ? place(centre[i], space[i].cardinality()) : centre[i]);
      bump.widths.push_back(ordered ? log_uniform(0.5, 30.0, rng) : log_uniform(0.1, 2.0, rng));
    }
    highest = std::max(highest, bump.height);
    bumps_.push_back(std::move(bump));
  }
  for (Bump& bump : bumps_) bump.height *= kBest / highest;
}

/// The highest bump at a point: each falls off by exp(-sum of width * distance^2).
double SyntheticLandscape::value(const Point& point) const {
  double best = 0.0;
  for (const Bump& bump : bumps_) {
    double distance = 0.0;
    for (int i = 0; i < point.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Parameter& parameter = (*space_)[i];
      const double centre = bump.centres[at];
      const double difference = parameter.ordered
                                    ? place(point[i], parameter.cardinality()) - centre
                                    : (point[i] == centre ? 0.0 : 1.0);
      distance += bump.widths[at] * difference * difference;
    }
    best = std::max(best, bump.height * std::exp(-distance));
  }
  return best;
}

double SyntheticLandscape::evaluate(const Point& point, Rng& rng) const {
  const double p = value(point);
  if (!noisy_) return p;
  return rng.bernoulli(p) ? 1.0 : -1.0;
}

Payoffs SyntheticLandscape::payoffs() const {
  return {.low = noisy_ ? -1.0 : 0.0, .high = 1.0, .two_valued = noisy_, .noisy = noisy_};
}

Unit SyntheticLandscape::unit() const { return noisy_ ? Unit::win_probability() : Unit{}; }

namespace {

constexpr std::int64_t kLargestSimulation = 20'000;
constexpr int kRounds = 4;
constexpr std::array<std::int64_t, 7> kRuns = {1, 2, 3, 5, 8, 12, 20};
constexpr std::array<double, 2> kShares = {0.2, 0.4};

/// A plan that spends `evaluations` on runs and re-evaluation.
RunPlan split(std::int64_t evaluations, std::int64_t runs, double share) {
  RunPlan plan{.runs = runs, .iterations = evaluations};
  if (runs > 1) {
    plan.re_evaluation = static_cast<std::int64_t>(static_cast<double>(evaluations) * share);
    plan.iterations = (evaluations - plan.re_evaluation) / runs;
    plan.re_evaluation = evaluations - plan.search();
  }
  return plan;
}

/// A way to spend the budget, in the race on synthetic landscapes.
struct Way {
  RunPlan simulated;
  RunPlan plan;
  std::vector<double> scores = {};  ///< a landscape each, the same for all ways that stand
  bool out = false;
};

/// Every number of runs with every share, as far as runs are long enough to search.
std::vector<Way> all_ways(std::int64_t evaluations, std::int64_t simulated) {
  constexpr std::int64_t kShortestRun = 20;
  std::vector<Way> ways;
  for (const std::int64_t runs : kRuns) {
    for (const double share : kShares) {
      const RunPlan plan = split(evaluations, runs, share);
      if (runs > 1 && plan.iterations < kShortestRun) continue;
      ways.push_back({.simulated = split(simulated, runs, share), .plan = plan});
      if (runs == 1) break;
    }
  }
  return ways;
}

/// Scores of `way` less those of `best` on the landscapes that both have seen.
RunningStats difference(const Way& way, const Way& best) {
  RunningStats stats;
  const std::size_t common = std::min(way.scores.size(), best.scores.size());
  for (std::size_t i = 0; i < common; ++i) stats.add(way.scores[i] - best.scores[i]);
  return stats;
}

/// The way that stands with the highest mean; all of these have seen the same.
std::size_t best_of(const std::vector<Way>& ways) {
  std::size_t best = ways.size();
  double highest = 0.0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const double mean = stats_of(ways[i].scores).mean();
    if (ways[i].out || (best < ways.size() && mean <= highest)) continue;
    best = i;
    highest = mean;
  }
  return best;
}

/// Takes ways out of the race that are three standard errors behind the best.
void rule_out(std::vector<Way>& ways) {
  constexpr double kErrors = 3.0;
  const Way& best = ways[best_of(ways)];
  for (Way& way : ways) {
    const RunningStats behind = difference(way, best);
    way.out = way.out || -behind.mean() > kErrors * behind.standard_error();
  }
}

/// Tries the ways that are still in the race on `count` fresh landscapes, as a study.
void run_round(const Study& study, int round, std::int64_t count, std::vector<Way>& ways,
               StudyProgress& progress) {
  const Rng rng = Rng(study.seed).stream("split advice", static_cast<std::uint64_t>(round));
  // A study of its own: a cell for each way and landscape, with the first optimiser that needs
  // runs. It is scored by true values.
  Study simulation;
  simulation.seed = rng.stream("study")();
  simulation.execution.threads = study.execution.threads;
  simulation.re_evaluation = study.re_evaluation;
  std::vector<Way*> standing;
  for (Way& way : ways) {
    if (way.out) continue;
    standing.push_back(&way);
    simulation.plans.push_back(way.simulated);
  }
  const Objective& objective = *study.objectives.front().objective;
  const Rng landscapes = rng.stream("landscapes");
  for (std::int64_t i = 0; i < count; ++i) {
    const Rng landscape = landscapes.stream("landscape", static_cast<std::uint64_t>(i));
    simulation.objectives.push_back({"landscape", Json(),
                                     std::make_shared<SyntheticLandscape>(
                                         objective.space(), objective.payoffs().noisy, landscape)});
  }
  const auto chosen = std::ranges::find_if(study.optimisers, [](const StudyOptimiser& optimiser) {
    return !longest_single_run(optimiser.algorithm());
  });
  const OptimiserPlan& optimiser = chosen->plans.front();
  simulation.optimisers.push_back(
      {optimiser.label, Json(),
       std::vector<OptimiserPlan>(static_cast<std::size_t>(count), optimiser)});
  progress.evaluations = 0;
  progress.runs = 0;
  for (const CellResult& cell : run_study(simulation, progress).cells) {
    const Pick& pick = cell.picks[0];
    if (pick.finished) standing[cell.plan]->scores.push_back(pick.score.value_or(0.0));
  }
}

}  // namespace

SplitAdvice advise_split(Study& study, StudyProgress& progress) {
  constexpr std::int64_t kEvaluationsPerWay = 400'000;
  constexpr std::int64_t kFewest = 15;  // landscapes of a round
  constexpr std::int64_t kMost = 1000;
  // What is held out is asked for; the rest is divided. Large budgets are simulated by smaller
  // ones.
  const RunPlan asked = study.plans.front();
  const std::int64_t evaluations =
      study.advise_budget - study.points_held_out(asked) * asked.hold_out;
  SplitAdvice advice;
  advice.simulated_budget = std::min(evaluations, kLargestSimulation);
  std::vector<Way> ways = all_ways(evaluations, advice.simulated_budget);
  // A round has a fixed number of evaluations: fewer ways see more landscapes.
  const std::int64_t for_a_round = kEvaluationsPerWay * std::ssize(ways) / kRounds;
  for (int round = 0; round < kRounds && !progress.stop; ++round) {
    const std::int64_t standing = std::ranges::count(ways, false, &Way::out);
    if (standing == 1) break;
    const std::int64_t count =
        std::clamp(for_a_round / (standing * advice.simulated_budget), kFewest, kMost);
    run_round(study, round, count, ways, progress);
    if (!progress.stop) rule_out(ways);
  }

  // The best way becomes the plan; the others show how far behind they are.
  advice.best = best_of(ways);
  advice.landscapes = std::ssize(ways[advice.best].scores);
  for (const Way& way : ways) {
    advice.candidates.push_back({.plan = way.plan,
                                 .score = stats_of(way.scores),
                                 .behind = difference(way, ways[advice.best])});
    advice.candidates.back().plan.hold_out = asked.hold_out;
  }
  study.plans = {advice.candidates[advice.best].plan};
  study.advise_budget = 0;
  return advice;
}

std::string advice_text(const SplitAdvice& advice) {
  // A single way was not simulated; else a line for each, with its difference to the choice.
  if (advice.candidates.size() == 1) {
    return fmt::format("The budget is too small for several runs: {}.\n",
                       advice.candidates.front().plan.label());
  }
  TextTable table({"<split", "n", "mean", "difference", "95 % interval"});
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const SplitCandidate& candidate = advice.candidates[i];
    std::vector<std::string> row = {
        candidate.plan.label() + (i == advice.best ? "  <- chosen" : ""),
        count_text(candidate.score.count()), fmt::format("{:.4f}", candidate.score.mean())};
    if (i != advice.best) {
      const Interval interval = student_interval(candidate.behind);
      row.push_back(fmt::format("{:+.4f}", candidate.behind.mean()));
      row.push_back(fmt::format("[{:+.4f}, {:+.4f}]", interval.low, interval.high));
    }
    table.add_row(row);
  }
  return fmt::format(
      "Ways to spend the budget (runs x iterations + re-evaluation), tried on up to {} synthetic\n"
      "landscapes over this search space with {} evaluations each, until behind by three standard\n"
      "errors; true value of the final pick, best possible 0.8; difference: paired, to the "
      "choice\n\n"
      "{}",
      count_text(advice.landscapes), count_text(advice.simulated_budget), table.text());
}

}  // namespace ntune
