#include "ntune/study/results/saved_result.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/version.h"

namespace ntune {

namespace {

/// A sample of scores as it is saved; nothing of an empty one.
std::optional<SavedSample> saved_sample(const SampleSummary& sample) {
  const RunningStats& stats = sample.stats;
  if (stats.count() == 0) return std::nullopt;
  return SavedSample{.n = stats.count(),
                     .mean = stats.mean(),
                     .sd = stats.sd(),
                     .interval = sample.interval,
                     .min = stats.min(),
                     .max = stats.max()};
}

/// Payoffs as they are saved; nothing without any. With instances the mean is that by their
/// weights.
std::optional<SavedPayoffs> saved_payoffs(const Unit& unit, const MeanSample& sample) {
  const auto& [payoffs, mean] = sample;
  if (payoffs.count() == 0) return std::nullopt;
  return SavedPayoffs{
      .n = payoffs.count(), .mean = unit.value_of(mean.mean()), .sd = unit.size() * payoffs.sd()};
}

/// A pick as it is saved: what it is expected to be worth, and what was measured afresh.
SavedRecommendation saved_recommendation(const Study& study, const Objective& objective,
                                         const Pick& pick) {
  const Unit& unit = objective.unit();
  const auto best = best_probability(objective, pick);
  SavedRecommendation saved{.point = pick.point,
                            .estimate = pick.estimate,
                            .fresh = saved_measurement(study, pick.hold_out),
                            .run = pick.run,
                            .re_evaluation = saved_payoffs(unit, pick.comparison.payoffs)};
  if (pick.certainty) saved.estimate_interval = estimate_interval(objective, pick);
  if (best) {
    saved.best_probability = best->probability;
    saved.best_among = best->among;
    saved.regret = best->regret;
  }
  saved.fresh.true_value = pick.true_value;
  saved.fresh.hold_out.reset();
  if (is_level(objective, pick)) return saved;
  saved.fresh.hold_out = saved_payoffs(unit, pick.hold_out.sample());
  if (saved.fresh.hold_out) saved.fresh.hold_out->cut_off = pick.hold_out.endings.cut_off;
  return saved;
}

/// A cell of a comparison with the summary of its scores, and its picks where these are counted.
SavedCell saved_cell(const Study& study, const CellResult& cell, const CellSummary& summary) {
  SavedCell saved{.objective = study.objectives[cell.objective].label,
                  .optimiser = study.optimisers[cell.optimiser].label,
                  .algorithm = study.algorithm(cell.objective, cell.plan, cell.optimiser),
                  .plan = study.plans[cell.plan],
                  .score = saved_sample(summary.score),
                  .delta = saved_sample(summary.delta)};
  if (summary.difference) saved.difference = saved_sample(*summary.difference);
  if (study.unit != SampleUnit::kPicks) return saved;
  saved.picks.emplace();
  for (const Pick& pick : cell.picks) {
    if (!pick.finished) continue;
    saved.picks->push_back(
        saved_recommendation(study, *study.objectives[cell.objective].objective, pick));
  }
  return saved;
}

/// The fresh payoffs of a candidate: of the comparison, and of the pick's hold-out if it was
/// chosen.
MeanSample fresh_payoffs(const Study& study, const Pick& pick, const Candidate& candidate) {
  const HoldOut& held_out = pick.hold_out;
  if (candidate.point != pick.point || held_out.on_test_instances) return candidate.sample();
  RunningStats payoffs = candidate.payoffs;
  payoffs.merge(held_out.payoffs);
  if (study.instances.empty()) {
    std::vector<PayoffOfGames> by_games = candidate.by_games;
    by_games.insert(by_games.end(), held_out.by_games.begin(), held_out.by_games.end());
    return weighed_by_games(payoffs, by_games);
  }
  std::vector<RunningStats> by_instance = candidate.by_instance;
  by_instance.resize(study.instances.train.size());
  for (std::size_t i = 0; i < held_out.by_instance.size(); ++i) {
    by_instance[i].merge(held_out.by_instance[i]);
  }
  return weighted_mean(study.instances.train, by_instance);
}

/// How many counted games each of them is the score of; 0: none are known.
double fresh_games_each(const Pick& pick, const Candidate& candidate) {
  const double games = candidate.games.games_each(candidate.payoffs.count());
  return games > 0.0 ? games : pick.hold_out.games_each();
}

/// How a point fared in the comparison of the recommendations.
SavedCandidate saved_candidate(const Study& study, const Pick& pick, const Point& point,
                               std::int64_t runs) {
  const Objective& objective = *study.objectives[0].objective;
  SavedCandidate saved{.runs = runs, .point = point, .true_value = true_value_of(objective, point)};
  const auto found = std::ranges::find(pick.comparison.candidates, point, &Candidate::point);
  if (found == pick.comparison.candidates.end()) return saved;
  saved.re_evaluation = saved_payoffs(objective.unit(), found->sample());
  const MeanSample fresh = fresh_payoffs(study, pick, *found);
  saved.fresh = saved_payoffs(objective.unit(), fresh);
  // The opponent of every match is worth 1/2 by definition.
  const bool level = is_opponent(objective, point) && saved.fresh;
  if (level) saved.fresh->interval = {kLevelScore, kLevelScore};
  // What was left out of a stopped one is not like what was made.
  if (!level && found->stopped) saved.stopped = true;
  if (!level && !found->stopped) {
    const auto interval =
        payoff_interval(source_in(study, objective), fresh, fresh_games_each(pick, *found));
    if (saved.fresh) saved.fresh->interval = interval;
  }
  if (!found->standing) return saved;
  saved.best_probability = found->standing->best_probability;
  saved.regret = objective.unit().size() * found->standing->regret;
  return saved;
}

/// The distinct recommendations of the runs, the most frequent first, then what they were compared
/// with: other points that lead a single run, the default and the starts.
std::vector<SavedCandidate> saved_candidates(const Study& study, const CellResult& cell) {
  const Pick& pick = cell.picks[0];
  std::vector<SavedCandidate> saved;
  for (const auto& [point, runs] : count_recommendations(cell)) {
    saved.push_back(saved_candidate(study, pick, point, runs));
  }
  // Runs of recommendations were counted above; negative numbers name the other kinds.
  for (const Candidate& candidate : pick.comparison.candidates) {
    if (candidate.run > kIncumbentRun && candidate.run < kLeaderRun) continue;
    saved.push_back(saved_candidate(study, pick, candidate.point, 0));
  }
  return saved;
}

/// The lower end of the interval of a value's failure rate, where that lies above the rate of all.
std::optional<double> least_rate(const FailingValue& value) {
  constexpr std::int64_t kFewest = 3;  // one or two are soon met by chance
  const auto& [evaluations, failures] = value.count;
  const double low =
      wilson_interval(static_cast<double>(failures), static_cast<double>(evaluations)).low;
  if (failures < kFewest || low <= value.rate_of_all) return std::nullopt;
  return low;
}

/// What a study with limits has used, and the size of a study that makes as many evaluations.
SavedSpending saved_spending(const Study& study, const Spending& spending) {
  SavedSpending saved{.plan = spending.plan};
  if (study.limits.seconds) saved.time = {*study.limits.seconds, spending.seconds};
  if (study.limits.cost) saved.cost = {*study.limits.cost, spending.cost};
  return saved;
}

/// What every objective is and how large its space is.
std::vector<SavedObjective> saved_objectives(const Study& study) {
  std::vector<SavedObjective> saved;
  for (const StudyObjective& entry : study.objectives) {
    const Objective& objective = *entry.objective;
    saved.push_back({.label = entry.label,
                     .description = objective.description(),
                     .direction = objective.unit().is_cost() ? "minimise" : "maximise",
                     .points = objective.space().size().points,
                     .optimum = optimum_of(objective)});
  }
  return saved;
}

/// Whether costs lie so far apart that a mean of them says little of most instances.
bool are_costs_wide(const Study& study, const StudyResult& result) {
  constexpr double kWide = 10.0;
  const Unit unit = study.objectives.front().objective->unit();
  const bool asked = study.instances.learns_effects() && study.instances.aggregate.is_mean();
  if (study.is_comparison() || !asked || !unit.is_cost()) return false;
  return std::ranges::any_of(result.cells.front().picks, [&](const Pick& pick) {
    const RunningStats& payoffs = pick.hold_out.payoffs;
    if (payoffs.count() < 2) return false;
    const double low = unit.value_of(payoffs.max());
    return low > 0.0 && unit.value_of(payoffs.min()) >= kWide * low;
  });
}

/// A count for sums of payoffs.
double as_number(std::int64_t count) { return static_cast<double>(count); }

/// The mean of times in which what is not solved counts with ten times the cutoff, whatever it
/// counts as in the study.
std::optional<double> par10_of(const Study& study, const HoldOut& hold_out) {
  const Objective& objective = *study.objectives.front().objective;
  const OutsideProgram& program = *objective.outside_program();
  if (!program.costs_time() || !std::isfinite(program.cutoff())) return std::nullopt;
  // The mean times n, less what cut-offs and failures count as in the study, is the time of what
  // was solved; each unsolved evaluation then counts ten cutoffs.
  const double valued = as_number(hold_out.failures.count - hold_out.failures.skipped);
  const double times =
      objective.unit().value_of(hold_out.payoffs.mean()) * as_number(hold_out.payoffs.count()) -
      as_number(hold_out.endings.cut_off) * *program.penalty() -
      valued * study.execution.on_failure.value;
  const double solved = hold_out.measured() ? times : 0.0;
  return (solved + as_number(hold_out.unsolved()) * 10.0 * program.cutoff()) /
         as_number(hold_out.tried());
}

/// The fresh payoffs of the recommendation and the default that are no penalties, on average; the
/// worse of the two.
std::optional<double> ordinary_payoff(const Study& study, const Pick& pick, const Unit& unit) {
  const Objective& objective = *study.objectives.front().objective;
  std::optional<double> worst;
  const auto take = [&](const HoldOut& held_out) {
    // The sum of all payoffs less those of failures and cut-offs is that of ordinary results.
    const auto valued = held_out.failures.count - held_out.failures.skipped;
    const auto count = held_out.payoffs.count() - valued - held_out.endings.cut_off;
    if (count < 1) return;
    double sum = held_out.payoffs.mean() * as_number(held_out.payoffs.count());
    if (valued > 0) sum -= as_number(valued) * unit.payoff_of(study.execution.on_failure.value);
    if (held_out.endings.cut_off > 0) {
      sum -= as_number(held_out.endings.cut_off) * unit.payoff_of(*penalty_of(objective));
    }
    const double mean = sum / as_number(count);
    if (!worst || mean < *worst) worst = mean;
  };
  take(pick.hold_out);
  if (pick.incumbent) take(pick.incumbent->hold_out);
  return worst;
}

/// The size of what was measured of the recommendation, as a payoff: that of the largest one.
double largest_size(const Pick& pick, const Unit& unit) {
  const RunningStats& fresh =
      pick.hold_out.measured() ? pick.hold_out.payoffs : pick.comparison.payoffs.values;
  if (fresh.count() == 0) return std::abs(unit.payoff_of(pick.estimate));
  return std::max(std::abs(fresh.min()), std::abs(fresh.max()));
}

/// What makes a result doubtful: wrong answers first.
std::vector<std::string> warnings_of(const Study& study, const StudyResult& result) {
  constexpr std::size_t kMost = 3;
  const Objective& objective = *study.objectives.front().objective;
  const Unit unit = objective.unit();
  std::vector<std::string> warnings;
  // Two answers about one instance cannot both be right.
  if (!result.contradictions.empty()) warnings.push_back(contradiction_text(result));
  for (const Contradiction& found : result.contradictions) {
    if (warnings.size() > kMost) break;
    warnings.push_back(fmt::format(
        "a wrong answer: {} is satisfiable by {}, and unsatisfiable by {}",
        found.instance.empty() ? "the problem" : fmt::format("'{}'", printable(found.instance, 60)),
        printable(objective.space().text(found.satisfiable), 200),
        printable(objective.space().text(found.unsatisfiable), 200)));
  }
  const double size = largest_size(result.cells[0].picks[0], unit);
  if (size > 0.0 && size < kSmallestPayoff) {
    warnings.push_back(fmt::format(
        "the values are below {} in size, where squares of differences vanish: intervals and what "
        "was chosen mean nothing; report the values in another unit",
        number_text(kSmallestPayoff)));
  }
  // A penalty or a failure's value that is better than ordinary results rewards settings that fail.
  const auto ordinary = ordinary_payoff(study, result.cells[0].picks[0], unit);
  if (!ordinary) return warnings;
  const auto flatters = [&](const char* key, double value) {
    if (unit.payoff_of(value) <= *ordinary) return;
    warnings.push_back(fmt::format(
        "`{}: {}` is better than ordinary results, which are about {}: {}", key, number_text(value),
        score_text(unit.value_of(*ordinary), std::nullopt), "give a worse one"));
  };
  const FailurePolicy& on_failure = study.execution.on_failure;
  if (on_failure.kind == FailurePolicy::Kind::kValue) flatters("fail.value", on_failure.value);
  if (const auto penalty = penalty_of(objective)) flatters("penalty", *penalty);
  return warnings;
}

/// The parameters that vary, those first whose values matter most; nothing where it is not known.
std::optional<std::vector<SavedImportance>> saved_importance(const SearchSpace& space,
                                                             const PayoffsByValue& payoffs) {
  if (!payoffs.is_known()) return std::nullopt;
  std::vector<SavedImportance> saved;
  const std::vector<std::optional<double>> shares = payoffs.importance();
  for (int i = 0; i < space.dimensions(); ++i) {
    const std::optional<double>& share = shares[static_cast<std::size_t>(i)];
    if (share) saved.push_back({.parameter = space[i].name, .share = *share});
  }
  std::ranges::stable_sort(saved, std::ranges::greater(), &SavedImportance::share);
  return saved;
}

/// Adds what only a study that recommends one point has: pick, default, instances, games,
/// candidates.
void add_recommendation(SavedResult& saved, const Study& study, const StudyResult& result) {
  const CellResult& cell = result.cells[0];
  const Objective& objective = *study.objectives[0].objective;
  const Pick& pick = cell.picks[0];
  saved.algorithm = pick.algorithm.empty() ? study.algorithm(0, 0, 0) : pick.algorithm;
  saved.front = pick.front;
  if (!objective.goals().empty()) return;
  if (pick.point.size() > 0) saved.recommendation = saved_recommendation(study, objective, pick);
  if (pick.incumbent) saved.incumbent = saved_default(study, result, pick);
  if (!study.instances.empty()) saved.instances = instance_rows(study, pick);
  if (!pick.games().empty()) saved.elo = saved_elo(objective.unit(), pick);
  saved.duels = saved_duels(objective, cell);
  saved.importance = saved_importance(objective.space(), result.payoffs_by_value);
  saved.candidates = saved_candidates(study, cell);
  if (const auto warnings = warnings_of(study, result); !warnings.empty()) {
    saved.warnings = warnings;
  }
}

}  // namespace

std::string SavedFailures::ByValue::text() const {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? number_text(value.get<double>()) : value.dump();
}

SavedFailures saved_failures(const Study& study, const std::vector<FailureStatistics>& statistics,
                             std::int64_t count) {
  SavedFailures saved{.count = count};
  FailureCauses causes;
  for (const FailureStatistics& one : statistics) causes.merge(one.causes);
  // What an older journal gives no cause for is one of its own.
  const std::int64_t unknown = count - causes.count();
  if (unknown > 0) causes.add(kNoReason, unknown);
  for (const FailureCauses::Cause& cause : causes.sorted()) {
    saved.causes.push_back({.text = cause.text, .count = cause.count});
  }
  for (const FailingValue& value : failing_values(study, statistics)) {
    saved.values.push_back({.parameter = value.parameter,
                            .value = value_json(value.value),
                            .evaluations = value.count.evaluations,
                            .failures = value.count.failures,
                            .rate = value.rate(),
                            .least_rate = least_rate(value)});
    if (!value.objective.empty()) saved.values.back().objective = value.objective;
  }
  return saved;
}

SavedMeasurement saved_measurement(const Study& study, const HoldOut& hold_out) {
  const Objective& objective = *study.objectives.front().objective;
  const Unit unit = objective.unit();
  SavedMeasurement saved{.interval = hold_out.interval,
                         .others_interval = hold_out.others_interval,
                         .failures = hold_out.failures.count};
  if (const auto causes = hold_out.failures.causes.sorted(); !causes.empty()) {
    saved.cause = causes.front().text;
  }
  if (hold_out.tried() > 0 && penalty_of(objective)) {
    saved.solved = hold_out.tried() - hold_out.unsolved();
    saved.par10 = par10_of(study, hold_out);
  }
  if (!hold_out.measured()) return saved;
  saved.value = hold_out.value(unit);
  MeanSample sample = hold_out.payoffs;
  sample.mean = hold_out.sample().mean;
  saved.hold_out = saved_payoffs(unit, sample);
  const std::int64_t evaluations = hold_out.payoffs.count();
  if (evaluations != saved.hold_out->n) saved.evaluations = evaluations;
  return saved;
}

SavedResult saved_result(const Study& study, const StudyResult& result,
                         const std::vector<CellSummary>& summaries) {
  SavedResult saved{.version = kVersion,
                    .status = result.interrupted ? "interrupted" : "done",
                    .name = study.name,
                    .seed = study.seed,
                    .evaluations = result.evaluations(),
                    .failures = saved_failures(study, result.failure_statistics, result.failures),
                    .set_aside = result.set_aside,
                    .endings = result.endings,
                    .budget = {.total = total_evaluations(study),
                               .search = result.search_evaluations,
                               .re_evaluation = result.re_evaluations,
                               .hold_out = result.hold_out_evaluations},
                    .plans = study.plans,
                    .objectives = saved_objectives(study),
                    .config = study.config,
                    .costs_are_wide = are_costs_wide(study, result)};
  // Within limits the plan is what they allowed.
  if (result.spending) {
    saved.plans = {result.spending->plan};
    saved.limits = saved_spending(study, *result.spending);
  }
  if (const PriorObservations& prior = study.beginning.prior; prior.told != nullptr) {
    saved.prior = {prior.source, prior.observed, prior.weight, std::ssize(*prior.told)};
  }
  // A study recommends one point, a comparison has cells instead.
  if (!study.is_comparison()) {
    add_recommendation(saved, study, result);
    return saved;
  }
  saved.cells.emplace();
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    saved.cells->push_back(saved_cell(study, result.cells[i], summaries[i]));
  }
  return saved;
}

const char* verdict_name(Verdict verdict) {
  constexpr std::array kNames = {"use", "keep", "not_decided", "stopped", "choose"};
  return kNames[static_cast<std::size_t>(verdict)];
}

double share_of(const std::vector<SavedImportance>& importance, std::string_view parameter) {
  const auto found = std::ranges::find(importance, parameter, &SavedImportance::parameter);
  return found == importance.end() ? 0.0 : found->share;
}

IncumbentFinding SavedDefault::standing() const {
  const IncumbentFinding measured = finding.value_or(IncumbentFinding::kNotShown);
  if (!tested) return measured;
  const IncumbentFinding decided =
      tested->better ? IncumbentFinding::kBetter : IncumbentFinding::kKeep;
  const bool agree = measured == IncumbentFinding::kNotShown || measured == decided;
  return agree ? decided : IncumbentFinding::kNotShown;
}

Verdict verdict_of(const GoalFront& front) {
  if (!front.sought) return Verdict::kChoose;
  if (!front.chosen) return Verdict::kNotDecided;
  const FrontMember& chosen = front.members[*front.chosen];
  const FrontMember* today = front.today();
  if (chosen.is_default) return Verdict::kKeep;
  if (today == nullptr) return Verdict::kUse;
  if (chosen.fails_more_than(*today)) return Verdict::kNotDecided;
  // What is not shown of today's setting is no ground to leave it; that it always fails is one.
  const bool today_keeps =
      today->n > 0 && std::ranges::none_of(today->goals, [](const GoalValue& value) {
        return value.keeps_limit == false;
      });
  return today_keeps && front.gain() == nullptr ? Verdict::kNotDecided : Verdict::kUse;
}

std::optional<Verdict> verdict_of(const SavedResult& result) {
  if (result.cells) return std::nullopt;
  if (result.is_done() && result.front) return verdict_of(*result.front);
  if (!result.is_done() || !result.recommendation) return Verdict::kStopped;
  if (!result.incumbent) return Verdict::kUse;
  const SavedDefault& other = *result.incumbent;
  if (other.point == result.recommendation->point) return Verdict::kKeep;
  switch (other.standing()) {
    case IncumbentFinding::kBetter:
      return Verdict::kUse;
    case IncumbentFinding::kKeep:
      return Verdict::kKeep;
    case IncumbentFinding::kNotShown:
      break;
  }
  return Verdict::kNotDecided;
}

std::optional<Point> setting_of(const SavedResult& result) {
  const auto verdict = verdict_of(result);
  if (result.front && result.front->chosen) {
    const FrontMember* today = result.front->today();
    const bool stays = verdict == Verdict::kNotDecided && today != nullptr;
    return stays ? today->point : result.front->members[*result.front->chosen].point;
  }
  if (!verdict || *verdict == Verdict::kChoose || !result.recommendation) return std::nullopt;
  const bool stays = *verdict == Verdict::kKeep || *verdict == Verdict::kNotDecided;
  return stays ? result.incumbent->point : result.recommendation->point;
}

}  // namespace ntune
