#include "ntune/study/followup/merge.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/choice/final_hold_out.h"
#include "ntune/study/choice/incumbent_findings.h"
#include "ntune/study/choice/re_evaluation.h"
#include "ntune/study/choice/standing.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/model/goal_front.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Mean payoff, or -infinity of an empty sample.
double rank(const RunningStats& payoffs) {
  return payoffs.count() > 0 ? payoffs.mean() : -std::numeric_limits<double>::infinity();
}

/// How many counted games a payoff of the folders is the score of; 0: none are known.
double games_each(const MergedPick& pick) { return pick.games.games_each(pick.hold_outs.count()); }

/// How many games each value of the sample is of that the pick is judged by.
double games_of_sample(const MergedPick& pick) {
  return pick.observed ? games_of_observation(pick.games) : games_each(pick);
}

/// The mean of the payoffs, over instances by their weights.
RunningStats mean_of(const HoldOut& measured) {
  return measured.stratified.value_or(measured.payoffs);
}

/// The key by which picks are compared: a known mean goes before an equal one.
auto rank(const MergedPick& pick, const Unit& unit) {
  const double measured =
      pick.aggregate ? unit.payoff_of(*pick.aggregate) : rank(pick.sample().mean);
  return std::pair(pick.known.value_or(measured), pick.known.has_value());
}

/// The hold-out of the default, where every evaluation is a match against it.
HoldOut level_hold_out(const Objective& objective) {
  HoldOut level{.interval = Interval{kLevelScore, kLevelScore}};
  level.payoffs.add(objective.unit().payoff_of(kLevelScore));
  return level;
}

/// Adds the hold-out of another folder. What follows from both is not filled in.
void pool(HoldOut& all, const HoldOut& more) {
  all.payoffs.merge(more.payoffs);
  all.by_instance.resize(std::max(all.by_instance.size(), more.by_instance.size()));
  for (std::size_t i = 0; i < more.by_instance.size(); ++i) {
    all.by_instance[i].merge(more.by_instance[i]);
  }
  all.by_games.insert(all.by_games.end(), more.by_games.begin(), more.by_games.end());
  all.evaluations += more.evaluations;
  all.games.add(more.games);
  all.failures.merge(more.failures);
  all.endings.merge(more.endings);
}

class Merger {
 public:
  Merger(const MergeOptions& options, StudyProgress& progress)
      : options_(options), progress_(progress) {}

  Merge run(const MergeSources& sources) {
    // One study with the plans of all, and no seed.
    merge_.study = sources.front()->study();
    merge_.study.config.erase("seed");
    merge_.study.config.erase("published");
    if (options_.threads) merge_.study.execution.threads = *options_.threads;
    for (const auto& source : sources) {
      add(*source);
      if (progress_.stop) break;
    }
    if (!progress_.stop && !merge_.study.is_comparison()) recommend();
    merge_.study.repeats *= is_comparison() ? std::ssize(sources) : 1;
    merge_.stopped = progress_.stop;
    return std::move(merge_);
  }

 private:
  [[nodiscard]] bool is_comparison() const { return merge_.study.is_comparison(); }
  [[nodiscard]] const Objective& objective() const { return *merge_.study.objectives[0].objective; }
  [[nodiscard]] PayoffSource source() const { return source_in(merge_.study, objective()); }

  /// Appends the runs and picks of one folder.
  void add(const RecordedStudy& source) {
    progress_.evaluations = 0;
    progress_.runs = 0;
    // The study is carried out again from its journal; only its own messages know the seed.
    const std::uint64_t seed = source.study().seed;
    StudyResult one = [&] {
      try {
        return replay_study(source, options_.partial, progress_);
      } catch (const EvaluationError& error) {
        throw EvaluationError(fmt::format("seed {}: {}", seed, error.what()));
      }
    }();
    // Runs and picks keep the seed that they are of.
    merge_.seeds.push_back(seed);
    merge_.budget += total_evaluations(source.study());
    merge_.run_seeds.resize(one.cells.size());
    for (std::size_t i = 0; i < one.cells.size(); ++i) {
      merge_.run_seeds[i].insert(merge_.run_seeds[i].end(), one.cells[i].runs.size(), seed);
    }
    if (!is_comparison()) add_pick(seed, one.cells[0].picks[0]);
    // The first folder is the result so far; what the others found is added.
    if (merge_.seeds.size() == 1) {
      merge_.study.plans = source.study().plans;
      merge_.result = std::move(one);
      return;
    }
    add_plans(source.study());
    StudyResult& all = merge_.result;
    if (all.spending && one.spending) add_spending(source.study().limits, *one.spending);
    for (std::size_t i = 0; i < all.cells.size(); ++i) {
      std::ranges::move(one.cells[i].runs, std::back_inserter(all.cells[i].runs));
      std::ranges::move(one.cells[i].picks, std::back_inserter(all.cells[i].picks));
    }
    all.search_evaluations += one.search_evaluations;
    all.re_evaluations += one.re_evaluations;
    all.hold_out_evaluations += one.hold_out_evaluations;
    all.failures += one.failures;
    all.set_aside += one.set_aside;
    all.endings.merge(one.endings);
    for (std::size_t i = 0; i < all.failure_statistics.size(); ++i) {
      all.failure_statistics[i].merge(one.failure_statistics[i]);
    }
    all.payoffs_by_value.merge(one.payoffs_by_value);
    all.interrupted = all.interrupted || one.interrupted;
  }

  /// All together had the limits of each, and have used what each has.
  void add_spending(const Limits& limits, const Spending& more) {
    const auto add = [](std::optional<double>& sum, const std::optional<double>& part) {
      if (sum && part) *sum += *part;
    };
    add(merge_.study.limits.cost, limits.cost);
    add(merge_.study.limits.seconds, limits.seconds);
    Spending& all = *merge_.result.spending;
    all.cost += more.cost;
    add(all.seconds, more.seconds);
    all.plan.runs += more.plan.runs;
    all.plan.iterations = std::max(all.plan.iterations, more.plan.iterations);
    all.plan.re_evaluation += more.plan.re_evaluation;
    all.plan.hold_out += more.plan.hold_out;
  }

  void add_plans(const Study& study) {
    RunPlan& plan = merge_.study.plans[0];
    if (is_comparison()) {
      if (plan.label() == study.plans[0].label()) return;
      throw InputError(fmt::format(
          "`split: auto` chose {} for seed {} and {} for seed {}: cells of a comparison must agree",
          plan.label(), merge_.seeds[0], study.plans[0].label(), study.seed));
    }
    // Of one recommendation the runs of all folders are runs of one study.
    plan.runs += study.plans[0].runs;
    plan.re_evaluation += study.plans[0].re_evaluation;
    plan.hold_out += study.plans[0].hold_out;
  }

  void add_pick(std::uint64_t seed, const Pick& pick) {
    if (pick.point.size() == 0) return;  // no run has finished
    // Folders that picked one point have measured it together. Its estimate is the best of theirs.
    auto same = std::ranges::find(merge_.picks, pick.point, &MergedPick::point);
    if (same == merge_.picks.end()) {
      merge_.picks.emplace_back().point = pick.point;
      same = std::prev(merge_.picks.end());
    }
    const double sign = objective().unit().direction();
    if (same->seeds.empty() || sign * pick.estimate > sign * same->estimate) {
      same->estimate = pick.estimate;
      same->run = pick.run;
      same->certainty = pick.certainty;
    }
    same->seeds.push_back(seed);
    same->re_evaluation.merge(pick.comparison.payoffs.values);
    same->hold_outs.merge(pick.hold_out.payoffs);
    pool(*same, pick.hold_out);
    same->compared_games.add(pick.comparison.games);
  }

  /// One pick in place of those of all folders.
  void recommend() {
    // What was spent and failed, in all folders.
    Pick best;
    for (const Pick& pick : merge_.result.cells[0].picks) {
      best.comparison.evaluations += pick.comparison.evaluations;
      best.hold_out.evaluations += pick.hold_out.evaluations;
      best.failures += pick.failures;
      best.failure_causes.merge(pick.failure_causes);
    }
    best.finished = !merge_.result.interrupted;
    // The picks in order of their values, perhaps compared and measured further.
    for (MergedPick& pick : merge_.picks) {
      weigh(pick);
      pick.held_out = mean_of(pick);
    }
    know_level();
    sort_picks();
    const std::vector<Pick> picks = merge_.result.cells[0].picks;
    if (options_.evaluate > 0 && !merge_.picks.empty()) measure(best);
    if (!merge_.picks.empty()) describe(best);
    if (merge_.picks.size() > 1) judge(best);
    if (!merge_.picks.empty() && !merge_.measured_afresh) best.incumbent = pooled(picks, best);
    best.evaluations = merge_.result.evaluations();
    merge_.result.cells[0].picks = {best};
  }

  /// The default beside the pick, where every folder has compared with it: both are measured by the
  /// folders that picked this point, with the same seeds.
  [[nodiscard]] std::optional<IncumbentComparison> pooled(const std::vector<Pick>& picks,
                                                          const Pick& best) const {
    // Only folders that picked this point have measured the default on the same streams.
    const Point& chosen = best.point;
    std::optional<IncumbentComparison> pooled;
    for (const Pick& pick : picks) {
      if (!pick.incumbent) return std::nullopt;
      if (pick.point != chosen) continue;
      if (!pooled) {
        pooled = IncumbentComparison{.point = pick.incumbent->point,
                                     .recommended = chosen == pick.incumbent->point};
        pooled->true_value = pick.incumbent->true_value;
      }
      pool(pooled->hold_out, pick.incumbent->hold_out);
      pooled->games = std::max(pooled->games, pick.incumbent->games);
      pooled->differences.values.merge(pick.incumbent->differences.values);
      pooled->differences.mean.merge(pick.incumbent->differences.mean);
    }
    // What follows from all of them together.
    if (!pooled) return pooled;
    weigh(pooled->hold_out);
    if (!pooled->hold_out.aggregate) {
      pooled->hold_out.interval =
          payoff_interval(source(), pooled->hold_out.sample(), pooled->hold_out.games_of_sample());
    }
    // The default of matches is worth 1/2 whatever its hold-out was.
    const bool level = pooled->hold_out.measured() && is_opponent(objective(), pooled->point);
    if (level) pooled->hold_out = level_hold_out(objective());
    if (!pooled->recommended && !merge_.study.instances.aggregate.is_mean()) {
      // A number without an interval.
      const std::optional<double>& other = pooled->hold_out.aggregate;
      if (best.hold_out.aggregate && other) {
        pooled->difference = rounded_difference(*best.hold_out.aggregate, *other);
      }
      return pooled;
    }
    // The interval allows for the choice among so many picks (Bonferroni).
    constexpr double kError = 0.05;
    conclude(source(), best.hold_out, *pooled, 1.0 - kError / static_cast<double>(merge_.rivals));
    if (level && !pooled->recommended) conclude_level(objective(), best.hold_out, *pooled);
    if (!level) weigh_failures(objective(), best.hold_out, *pooled);
    return pooled;
  }

  /// Sets the sample that a pick or a hold-out is judged by: instances by their weights, or games.
  void weigh(HoldOut& measured) const {
    const Unit unit = objective().unit();
    if (measured.by_instance.empty()) return measure_games(unit, measured);
    const Instances& instances = merge_.study.instances;
    measured.stratified = weighted_mean(instances.held_out(), measured.by_instance).mean;
    if (instances.aggregate.is_mean()) return;
    const auto payoff =
        aggregate_payoff(instances.aggregate, unit, instances.held_out(), measured.by_instance);
    if (payoff) measured.aggregate = unit.value_of(*payoff);
  }

  /// Among picks with hold-outs the default of matches is worth 1/2 without a game.
  void know_level() {
    if (std::ranges::none_of(merge_.picks,
                             [](const MergedPick& pick) { return pick.payoffs.count() > 0; })) {
      return;
    }
    for (MergedPick& pick : merge_.picks) {
      if (!is_opponent(objective(), pick.point)) continue;
      pick.known = objective().unit().payoff_of(kLevelScore);
      static_cast<HoldOut&>(pick) = {};
      pick.hold_outs = pick.held_out = {};
    }
  }

  void sort_picks() {
    const Unit unit = objective().unit();
    std::ranges::stable_sort(merge_.picks, std::ranges::greater(), [&](const MergedPick& pick) {
      return std::tuple(rank(pick, unit), rank(pick.re_evaluation),
                        unit.direction() * pick.estimate);
    });
  }

  void describe(Pick& best) {
    // Every pick by itself, with an interval of 95 %.
    const auto measured = std::ranges::count_if(merge_.picks, [](const MergedPick& pick) {
      return pick.known || pick.payoffs.count() > 0;
    });
    for (MergedPick& pick : merge_.picks) {
      if (pick.aggregate) continue;
      pick.interval = pick.known ? level_hold_out(objective()).interval
                                 : payoff_interval(source(), pick.sample(), games_of_sample(pick));
    }
    // The winner is one of so many that its value was compared with, unless it was measured afresh.
    const MergedPick& first = merge_.picks.front();
    merge_.rivals = merge_.measured_afresh || measured == 0 ? 1 : measured;
    constexpr double kError = 0.05;
    best.run = first.run;
    best.point = first.point;
    best.estimate = first.estimate;
    best.certainty = first.certainty;
    best.of_several_studies = merge_.picks.size() > 1;
    best.comparison.payoffs = first.re_evaluation;
    best.comparison.games = first.compared_games;
    if (!merge_.measured_afresh) {
      const std::int64_t spent = best.hold_out.evaluations;
      best.hold_out = first;
      best.hold_out.evaluations = spent;
    }
    if (!merge_.measured_afresh && !best.hold_out.aggregate) {
      best.hold_out.interval =
          payoff_interval(source(), best.hold_out.sample(), best.hold_out.games_of_sample(),
                          1.0 - kError / static_cast<double>(merge_.rivals));
    }
    // What is known by definition replaces what was measured.
    if (first.known) best.hold_out = level_hold_out(objective());
    best.true_value = true_value_of(objective(), best.point);
    best.score = best.true_value;
    if (!best.score && best.hold_out.payoffs.count() > 0) {
      best.score = best.hold_out.value(objective().unit());
    }
  }

  /// How sure it is which pick is the best. Folders have seeds, and so streams, of their own: only
  /// what `evaluate` has added is paired. `fresh`: of the first pick alone.
  [[nodiscard]] std::vector<std::optional<Standing>> standings_of_picks(
      const std::optional<RunningStats>& fresh) const {
    // Payoffs on shared streams are paired; the others stand for themselves.
    std::vector<MeasuredPoint> measured;
    for (const MergedPick& pick : merge_.picks) {
      measured.push_back({.common = pick.common,
                          .alone = pick.common.empty() ? mean_of(pick) : pick.held_out,
                          .known = pick.known});
    }
    if (fresh) measured.front().alone.merge(*fresh);
    return standings(measured, payoff_range(objective(), games_each(merge_.picks.front())),
                     merge_rng().stream("standings"));
  }

  void judge(Pick& best) {
    if (!merge_.study.instances.aggregate.is_mean()) return;  // a standing is among means
    const auto found = standings_of_picks(
        merge_.measured_afresh ? std::optional(mean_of(best.hold_out)) : std::nullopt);
    if (std::ranges::count_if(found, [](const auto& one) { return one.has_value(); }) < 2) return;
    for (std::size_t i = 0; i < merge_.picks.size(); ++i) {
      MergedPick& pick = merge_.picks[i];
      pick.standing = found[i];
      Candidate& candidate = best.comparison.candidates.emplace_back(
          Candidate{.point = pick.point, .run = pick.run, .standing = found[i]});
      // The hold-out of the winner is counted beside this.
      if (i == 0 && !merge_.measured_afresh) continue;
      candidate.payoffs = pick.known ? level_hold_out(objective()).payoffs : pick.payoffs;
    }
    best.comparison.standing = found.front();
  }

  [[nodiscard]] Rng merge_rng() const {
    Rng rng = Rng(merge_.seeds[0]).stream("merge");
    for (const std::uint64_t seed : merge_.seeds) rng = rng.stream("seed", seed);
    return rng;
  }

  /// Compares the picks further, puts the winner first, and measures it afresh, with the default
  /// beside it.
  void measure(Pick& best) {
    // The study without limits: here a number of evaluations is given.
    Study study = options_.runnable != nullptr ? *options_.runnable : merge_.study;
    study.execution.threads = merge_.study.execution.threads;
    study.beginning = merge_.study.beginning;
    study.limits = {};
    study.limited.reset();
    const Objective& objective = *study.objectives[0].objective;
    progress_.evaluations = 0;
    progress_.total_evaluations = options_.evaluate;
    LocalBackend backend(study.execution.threads);
    Evaluator evaluator(study, backend, progress_);
    Parallel parallel(study.execution.threads);
    const Rng rng = merge_rng();
    const EvaluationKey key{.run = -1};
    // Half of the evaluations compare, the rest measures the winner and the default.
    const std::int64_t compared = compare(evaluator, objective, key, rng, parallel, best);
    if (merge_.picks.front().known) return;  // nothing is to be measured of it
    Pick pick;
    pick.point = merge_.picks.front().point;
    const bool beside = study.holds_out_incumbent() && pick.point != *study.beginning.incumbent;
    const std::int64_t each = (options_.evaluate - compared) / (beside ? 2 : 1);
    hold_out_pick({.evaluator = evaluator,
                   .parallel = parallel,
                   .objective = objective,
                   .key = key,
                   .rng = rng,
                   .searches = {}},
                  each, pick);
    // What that took is counted, whether or not it came to its end.
    const std::int64_t made =
        pick.hold_out.evaluations + (pick.incumbent ? pick.incumbent->hold_out.evaluations : 0);
    add_failures(pick.failures, pick.failure_causes, best);
    merge_.result.hold_out_evaluations += made;
    merge_.study.plans[0].hold_out += each;
    merge_.budget += options_.evaluate;
    merge_.measured_afresh = !progress_.stop && pick.hold_out.measured();
    pick.hold_out.evaluations += best.hold_out.evaluations;
    if (!merge_.measured_afresh) {
      best.hold_out.evaluations = pick.hold_out.evaluations;
      return;
    }
    best.hold_out = std::move(pick.hold_out);
    best.incumbent = std::move(pick.incumbent);
  }

  void add_failures(std::int64_t count, const FailureCauses& causes, Pick& best) {
    best.failures += count;
    best.failure_causes.merge(causes);
    merge_.result.failures += count;
    merge_.result.failure_statistics[0].causes.merge(causes);
  }

  /// Re-evaluates the picks and puts the winner first. Returns the evaluations spent.
  std::int64_t compare(Evaluator& evaluator, const Objective& objective, const EvaluationKey& key,
                       const Rng& rng, Parallel& parallel, Pick& best) {
    // The candidates begin with the hold-outs of the folders.
    std::vector<Candidate> candidates;
    std::vector<MergedPick*> compared;
    for (MergedPick& pick : merge_.picks) {
      if (pick.known) continue;
      const bool measured = pick.payoffs.count() > 0;
      candidates.push_back({.point = pick.point,
                            .estimate = measured ? rank(pick, objective.unit()).first
                                                 : objective.unit().direction() * pick.estimate,
                            .run = std::ssize(candidates),
                            .payoffs = pick.payoffs,
                            .by_instance = pick.by_instance,
                            .by_games = pick.by_games});
      compared.push_back(&pick);
    }
    if (candidates.empty()) return 0;
    // They are compared as the runs of a study are, and their payoffs come back to the picks.
    std::size_t winner =
        re_evaluate(evaluator, objective, candidates, options_.evaluate / 2, key, rng, parallel);
    std::int64_t spent = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      compared[i]->payoffs = candidates[i].payoffs;
      compared[i]->by_instance = candidates[i].by_instance;
      compared[i]->by_games = candidates[i].by_games;
      weigh(*compared[i]);
      compared[i]->common = candidates[i].common;
      spent += candidates[i].evaluations;
      add_failures(candidates[i].failures, candidates[i].failure_causes, best);
    }
    // The comparison is paired, the hold-outs are not: the likeliest best one wins.
    if (merge_.study.instances.aggregate.is_mean()) winner = likeliest(compared, winner);
    best.comparison.evaluations += spent;
    merge_.result.re_evaluations += spent;
    merge_.study.plans[0].re_evaluation += spent;
    const Point chosen = compared[winner]->point;
    sort_picks();
    const auto known = std::ranges::find_if(
        merge_.picks, [](const MergedPick& pick) { return pick.known.has_value(); });
    const auto found = std::ranges::find(merge_.picks, chosen, &MergedPick::point);
    // What is known goes first unless the winner is better.
    const bool keeps = known != merge_.picks.end() &&
                       rank(*known, objective.unit()) > rank(*found, objective.unit());
    const auto first = keeps ? known : found;
    std::rotate(merge_.picks.begin(), first, first + 1);
    return spent;
  }

  /// Which of the picks that were compared is the likeliest best one: the hold-outs of the folders
  /// are not paired as the comparison is, so that the highest mean of both need not be. `winner`:
  /// among equals.
  [[nodiscard]] std::size_t likeliest(const std::vector<MergedPick*>& compared,
                                      std::size_t winner) const {
    const auto found = standings_of_picks(std::nullopt);
    const auto probability = [&](std::size_t i) {
      const auto& standing = found[static_cast<std::size_t>(compared[i] - merge_.picks.data())];
      return standing ? standing->best_probability : -1.0;
    };
    for (std::size_t i = 0; i < compared.size(); ++i) {
      if (probability(i) > probability(winner)) winner = i;
    }
    return winner;
  }

  const MergeOptions& options_;
  StudyProgress& progress_;
  Merge merge_;
};

void check_options(const Study& study, const MergeOptions& options) {
  // Fresh evaluations need one recommendation, and programs that are there.
  if (options.evaluate == 0) return;
  if (study.is_comparison()) {
    throw InputError(
        "--evaluate: is for studies that recommend one point, this one compares cells");
  }
  if (options.runnable != nullptr) return check_same_study(study, *options.runnable);
  if (is_external(*study.objectives[0].objective)) {
    throw InputError(
        "--evaluate: needs --study STUDY.yaml, beside which the programs of the study are");
  }
}

}  // namespace

Merge merge_studies(const std::vector<fs::path>& folders, const MergeOptions& options,
                    StudyProgress& progress) {
  const MergeSources sources = read_sources(folders, options.out, options.objective);
  check_options(sources.front()->study(), options);
  refuse_goals(sources.front()->study(), "merge");
  return Merger(options, progress).run(sources);
}

}  // namespace ntune
