#include "ntune/facts/result_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/core/time_text.h"
#include "ntune/study/followup/verify.h"
#include "ntune/study/keys/objective_maps.h"

namespace ntune {

namespace {

/// Failures without a payoff.
std::int64_t skipped_failures(const Study& study, const SavedMeasurement& fresh) {
  return study.execution.on_failure.kind == FailurePolicy::Kind::kValue ? 0 : fresh.failures;
}

/// "`ntune verify` found Elo +23 [+5, +41] in 346 pairs".
std::string tested_text(const DecidedTest& test) {
  const std::string pairs = " in " + counted(test.pairs, "pair");
  if (test.test == test_name(VerifyTest::kExact)) {
    return test.better ? "`ntune verify` found it better" : "`ntune verify` found no gain";
  }
  if (!test.better) {
    const bool sd = test.test == test_name(VerifyTest::kT);
    return fmt::format("`ntune verify` found no gain of {}{}{}", number_text(test.h1),
                       sd ? " standard deviations" : " Elo", pairs);
  }
  if (test.elo)
    return "`ntune verify` found Elo " + short_text(elo_fact("", "", *test.elo, "")) + pairs;
  if (!test.difference) return "`ntune verify` found it better" + pairs;
  const Fact difference{.value = test.difference->value,
                        .interval = test.difference->interval,
                        .digits = Digits::kSigned};
  return "`ntune verify` found " + short_text(difference) + pairs;
}

/// Makes the facts of a result, one group after the other.
class FactList {
 public:
  FactList(const Study& study, const SavedResult& result, std::int64_t made)
      : study_(study),
        result_(result),
        objective_(*study.objectives[0].objective),
        made_(std::max(made, result.evaluations)) {}

  Facts make() {
    // First what was found, in the order of the text, then the work.
    if (result_.recommendation) {
      pick_ = &*result_.recommendation;
      for (const std::string& warning : result_.warnings.value_or(std::vector<std::string>())) {
        add("warning", warning);
      }
      add_value();
      if (result_.elo) add_games(*result_.elo);
      if (result_.incumbent) {
        add_default(*result_.incumbent);
      } else {
        add_solved();
      }
      if (result_.duels) add_duels(*result_.duels);
      if (pick_->run != kNoRun) add_estimate();
      add_best();
      if (study_.optimisers[0].is_auto()) add("optimiser", result_.algorithm, ", chosen by auto");
      add_agreement();
    }
    // The work is told of a comparison too.
    part_ = Fact::Part::kWork;
    add_evaluations();
    if (result_.limits) add_spending(*result_.limits);
    add_endings(result_.endings);
    add_failures(result_.failures);
    add_remarks();
    return std::move(facts_);
  }

 private:
  template <class Value>
  Fact& add(const char* key, Value value, std::string after = {}) {
    const bool labelled = part_ == Fact::Part::kFinding;
    return facts_.emplace_back(Fact{.part = part_,
                                    .key = key,
                                    .label = labelled ? key : "",
                                    .value = std::move(value),
                                    .after = std::move(after)});
  }

  Fact& add_elo(const char* key, const char* label, const Rating& rating, std::string after) {
    return facts_.emplace_back(elo_fact(key, label, rating, std::move(after)));
  }

  /// Adds a fact of the work that a page shows beside the recommendation too.
  void add_work(const char* key, const std::string& label, std::string value, std::string after) {
    Fact& fact = add(key, std::move(value), std::move(after));
    fact.label = label;
    fact.before = label + ": ";
  }

  /// The space of the study's first objective.
  [[nodiscard]] const SearchSpace& space() const { return objective_.space(); }

  /// True if the recommendation was measured on other instances than it was chosen by.
  [[nodiscard]] bool is_tested() const {
    return !study_.instances.test.empty() && tried(pick_->fresh) > 0;
  }
  /// Fresh evaluations with and without a payoff.
  [[nodiscard]] std::int64_t tried(const SavedMeasurement& fresh) const {
    return tried_evaluations(study_, fresh);
  }
  /// Whether the study recommends the default itself.
  [[nodiscard]] bool is_default() const {
    return result_.incumbent && result_.incumbent->point == pick_->point;
  }

  /// "all 8 fresh evaluations failed (exit status 1)".
  [[nodiscard]] std::string all_failed_text(const SavedMeasurement& fresh) const {
    return fmt::format("all {} failed{}", counted(tried(fresh), "fresh evaluation"),
                       fresh.cause.empty() ? "" : fmt::format(" ({})", fresh.cause));
  }

  /// How many fresh evaluations failed, behind the number of payoffs.
  [[nodiscard]] std::string failed_text(const SavedMeasurement& fresh) const {
    if (fresh.failures == 0) return {};
    return skipped_failures(study_, fresh) > 0
               ? fmt::format("; {} more failed", count_text(fresh.failures))
               : fmt::format(", {} of them failed", count_text(fresh.failures));
  }

  /// Why there is no mean of hold-out evaluations.
  [[nodiscard]] std::string unmeasured_text() const {
    if (study_.plans[0].hold_out == 0) return "not measured (hold_out: 0)";
    if (!result_.is_done()) return "not measured: the hold-out has not been made";
    if (tried(pick_->fresh) > 0) return "not measured: " + all_failed_text(pick_->fresh);
    if (study_.limits.seconds) {
      return "not measured: no time was left for the hold-out; give more `time`";
    }
    return "not measured: nothing of the budget was left for the hold-out; give more `budget`";
  }

  /// The wider interval of instances that are like those that were visited.
  void add_others(const char* key, const std::optional<Interval>& interval) {
    if (!interval) return;
    Fact& fact = add(key, "95 % interval " + score_interval_text(*interval),
                     "  for other instances like these");
    fact.label.clear();
  }

  /// How many fresh evaluations have ended with a solution, beside those of the default.
  void add_solved() {
    const SavedMeasurement& ours = pick_->fresh;
    if (!ours.solved) return;
    const SavedMeasurement* theirs =
        result_.incumbent && result_.incumbent->fresh.solved ? &result_.incumbent->fresh : nullptr;
    const auto beside = [&](const std::string& text) {
      return theirs == nullptr || is_default() ? "" : fmt::format("  (default {})", text);
    };
    add("solved", fmt::format("{} of {}", count_text(*ours.solved), count_text(tried(ours))),
        beside(theirs == nullptr ? ""
                                 : fmt::format("{} of {}", count_text(*theirs->solved),
                                               count_text(tried(*theirs)))));
    // PAR10 is told of times with a cutoff.
    if (!ours.par10) return;
    Fact& fact = add("par10", *ours.par10,
                     beside(theirs == nullptr || !theirs->par10
                                ? ""
                                : score_text(*theirs->par10, result_.shown_interval())));
    fact.label = "PAR10";
    fact.like = result_.shown_interval();
  }

  /// What the value is from, behind it.
  [[nodiscard]] std::string source_text() const {
    const double games = games_per_evaluation(result_);
    const bool several = games > 1.0 && games == std::round(games);
    return fmt::format("  from {}{}{}{}{}", counted(pick_->fresh.measured(), "fresh evaluation"),
                       several ? fmt::format(" of {:.0f} games", games) : "",
                       is_tested() ? " of the test instances" : "", cut_off_text(pick_->fresh),
                       failed_text(pick_->fresh));
  }

  /// How many of the measured evaluations were cut off; empty: none.
  [[nodiscard]] std::string cut_off_text(const SavedMeasurement& fresh) const {
    const std::int64_t cut_off = fresh.hold_out ? fresh.hold_out->cut_off.value_or(0) : 0;
    if (cut_off == 0) return {};
    return fmt::format(", {} of them {}", count_text(cut_off), unsolved_text(study_));
  }

  /// A value that was measured, or is known by definition.
  void add_measured(const char* key, const SavedMeasurement& fresh, const std::string& source) {
    if (fresh.is_level()) {
      add(key, kLevelScore, "  by definition: every match is against it");
    } else {
      Fact& fact = add(key, *fresh.value, source);
      fact.interval = fresh.interval;
      fact.like = result_.incumbent ? result_.incumbent->difference_interval : std::nullopt;
    }
  }

  /// The mean of the hold-out evaluations, and the true value where that is known.
  void add_value() {
    const SavedMeasurement& fresh = pick_->fresh;
    if (fresh.value) {
      add_measured("value", fresh, source_text());
      if (!fresh.is_level() && objective_.unit().is_cost()) facts_.back().label = "cost";
    } else {
      add("value", unmeasured_text());
    }
    facts_.back().unit = unit_text(objective_);
    add_others("value_for_others", fresh.others_interval);
    // With test instances the value in training is told beside the one in test.
    if (is_tested() && pick_->re_evaluation) {
      Fact& trained = add("trained", pick_->re_evaluation->mean,
                          fmt::format("  from {} of the comparison, which chose it",
                                      counted(pick_->re_evaluation->n, "evaluation")));
      trained.label = "trained on";
      trained.like = result_.shown_interval();
    }
    if (!fresh.true_value) return;
    const auto optimum = result_.objectives[0].optimum;
    Fact& truth = add("true_value", *fresh.true_value,
                      optimum ? fmt::format("  (best of the space {})",
                                            score_text(*optimum, result_.shown_interval()))
                              : "");
    truth.label = "true value";
    truth.like = result_.shown_interval();
  }

  /// Elo and normalised Elo of the games, and their pairs.
  void add_games(const SavedElo& elo) {
    const auto& [wins, draws, losses] = elo.games.games;
    add_elo("elo", "Elo", elo.elo,
            fmt::format("  from {}{}: {}, {}, {}", counted(elo.games.games.games(), "game"),
                        elo.from == "comparison" ? " of the comparison, which chose it" : "",
                        counted(wins, "win"), counted(draws, "draw"),
                        losses == 1 ? "1 loss" : count_text(losses) + " losses"));
    if (elo.normalised) {
      add_elo("normalised_elo", "nElo", *elo.normalised, "  (normalised Elo)");
    }
    if (elo.unequal_games) {
      add("games", "count alike",
          "  though evaluations have different numbers of them; the search counts evaluations "
          "alike");
    }
    // Pairs of games have five outcomes.
    if (!elo.games.are_paired()) return;
    add("pairs", fmt::format("{}", fmt::join(elo.games.pairs.counts, " ")),
        "  (of 0, 1/2, 1, 3/2 and 2 points)");
  }

  /// How the recommendation compares with the declared default.
  void add_default(const SavedDefault& other) {
    // The default is compared only where both have fresh evaluations.
    if (is_default()) {
      add("default", "is the recommendation");
    } else if (tried(pick_->fresh) == 0 || tried(other.fresh) == 0) {
      add("default", "not compared: no fresh evaluations of both");
      return;
    } else if (!other.fresh.value) {
      add("default", all_failed_text(other.fresh));
    } else {
      add_measured("default", other.fresh,
                   fmt::format("  from {} with the same seeds{}{}",
                               counted(other.fresh.measured(), "evaluation"),
                               cut_off_text(other.fresh), failed_text(other.fresh)));
      if (other.difference) add_difference(other);
    }
    add_solved();
    add("finding", finding_text(other));
  }

  /// The recommendation less the default, with the probability that it is better.
  void add_difference(const SavedDefault& other) {
    const bool all = other.pairs == 0 || other.pairs == other.fresh.measured();
    Fact& difference =
        add("difference", *other.difference,
            all || other.fresh.is_level()
                ? ""
                : fmt::format("  from the {} that both have", counted(other.pairs, "seed")));
    difference.interval = other.difference_interval;
    difference.digits = Digits::kSigned;
    if (other.constant) {
      difference.after += "  the same in every pair: the ends allow for others, not seen";
    }
    if (other.probability_better) {
      Fact& better = add("better", *other.probability_better);
      better.label = "better than the default";
      better.digits = Digits::kPercent;
      better.before = "  better than the default: ";
      better.continues = true;
    }
    add_others("difference_for_others", other.others_interval);
    if (!other.elo_difference) return;
    add_elo("elo_difference", "Elo", *other.elo_difference, "  above the default").brief = true;
  }

  /// The finding in words, with its reason where it has another than the numbers.
  [[nodiscard]] std::string finding_text(const SavedDefault& other) const {
    std::string reason = standing_reason(other);
    if (reason.empty() && result_.all_cut_off()) {
      reason = "every evaluation was " + all_unsolved_text(study_);
    }
    switch (other.tested ? other.standing() : other.finding.value_or(other.verdict)) {
      case IncumbentFinding::kBetter:
        return "better than the default" + (reason.empty() ? "" : ": " + reason);
      case IncumbentFinding::kKeep:
        if (!reason.empty()) return "keep the default: " + reason;
        return is_default() ? "keep the default: nothing better was found"
                            : "keep the default: the recommendation is not better";
      case IncumbentFinding::kNotShown:
        break;
    }
    if (!reason.empty()) return "not shown to be better: " + reason;
    return "not decided: neither is shown to be better; " + undecided_text(other);
  }

  /// What would decide where the evaluations have not.
  [[nodiscard]] std::string undecided_text(const SavedDefault& other) const {
    const bool has_aggregate =
        !study_.instances.empty() &&
        (!study_.instances.aggregate.is_mean() || objective_.payoffs().exact_on_instances);
    if (has_aggregate) {
      return "a larger `hold_out` tells more, where the aggregate has an interval";
    }
    // A study whose evaluations others make has nothing that `ntune verify` could start.
    const bool asked = is_asked(study_);
    if (!other.evaluations_to_decide) {
      return asked ? "a larger `hold_out` tells more" : "`ntune verify` measures on";
    }
    // Of matches the games are told, as in the first sentence.
    const double games = games_per_evaluation(result_);
    const double count = std::round(*other.evaluations_to_decide * (games > 0.0 ? games : 1.0));
    const std::string noun = games > 0.0 ? "game" : "evaluation";
    return asked ? fmt::format("about {} would decide", counted(count, "fresh " + noun))
                 : fmt::format("`ntune verify` would take about {}", counted(count, noun));
  }

  /// What the matches of the searches say: LOS, Elo by the model.
  void add_duels(const SavedDuels& duels) {
    if (duels.los && !is_default()) {
      add("los", fmt::format("{:.1f} %", 100.0 * *duels.los), "  by the fresh games").label = "LOS";
    }
    if (duels.model_elo) {
      Fact& fact = add_elo("model_elo", "model", *duels.model_elo,
                           fmt::format("  above the default, by all games of run {}", pick_->run));
      fact.before = "Elo ";
      fact.brief = true;
    }
  }

  /// What the model of the run expects.
  void add_estimate() {
    const auto& interval = pick_->estimate_interval;
    Fact& fact = add("estimate", pick_->estimate,
                     fmt::format("  by the model of run {}{}", pick_->run,
                                 !interval     ? " (a ranking, biased as a value)"
                                 : is_tested() ? ", of the instances in training"
                                               : ""));
    fact.interval = interval;
    fact.like = result_.shown_interval();
  }

  /// How sure it is that nothing beside the recommendation is better.
  void add_best() {
    if (!pick_->best_probability) return;
    const std::int64_t among = pick_->best_among.value_or(0);
    Fact& best = add(
        "best", *pick_->best_probability,
        among > 0 ? fmt::format(", of the {} compared", counted(among, "point"))
                  : fmt::format(", of the points that run {} sampled, by its model", pick_->run));
    best.digits = Digits::kProbability;
    best.before = "with probability ";
    if (among == 0 && !pick_->regret) return;
    Fact& regret = add("regret", pick_->regret.value_or(0.0));
    regret.label = "expected regret";
    regret.before = "; expected regret ";
    regret.continues = true;
  }

  /// How far the finished runs agree.
  void add_agreement() {
    std::int64_t finished = 0;
    std::int64_t points = 0;
    for (const SavedCandidate& candidate : result_.candidates) {
      finished += candidate.runs;
      points += candidate.runs > 0 ? 1 : 0;
    }
    if (finished < 2) return;
    const std::int64_t compared = result_.budget.re_evaluation;
    add("runs", finished,
        fmt::format(
            " recommend {}{}", points == 1 ? "one point" : count_text(points) + " different points",
            compared > 0 ? fmt::format(", compared by {}", counted(compared, "evaluation")) : ""));
  }

  /// What the study has spent, by stages.
  void add_evaluations() {
    const SavedBudget& spent = result_.budget;
    const std::string stages =
        fmt::format("{} search, {} re-evaluation, {} hold-out", count_text(spent.search),
                    count_text(spent.re_evaluation), count_text(spent.hold_out));
    const std::int64_t count = result_.is_done() ? result_.evaluations : made_;
    const char* noun = count == 1 ? " evaluation" : " evaluations";
    if (count == result_.evaluations) {
      add("evaluations", count_text(count), fmt::format("{}: {}", noun, stages));
      return;
    }
    // What was made of a stage that did not end is in no result.
    const std::string counted_ones =
        result_.evaluations > 0
            ? fmt::format("the result counts the {} of stages that have ended: {}",
                          count_text(result_.evaluations), stages)
            : std::string("no stage has ended, so that no result counts them yet");
    add("evaluations", count_text(count), fmt::format("{} made; {}", noun, counted_ones));
  }

  /// What was used of the limits, and how to make a study of the same size where nothing is timed.
  void add_spending(const SavedSpending& spending) {
    if (const auto& time = spending.time) {
      add_work("time", "time", duration_text(time->used.value_or(0.0)),
               " of " + exact_duration_text(time->limit));
    }
    if (const auto& cost = spending.cost) {
      add_work("cost", "cost", fmt::format("{:.6g}", cost->used.value_or(0.0)),
               " of " + number_text(cost->limit));
    }
    const RunPlan& plan = spending.plan;
    add("plan",
        fmt::format("another machine makes another number of evaluations; as many are made by "
                    "runs: {}, iterations: {}, re_evaluation: {}, hold_out: {}",
                    plan.runs, plan.iterations, plan.re_evaluation, plan.hold_out));
  }

  /// Why evaluations were ended early, and what that has saved.
  [[nodiscard]] std::string capped_text(const EarlyEndings& endings) const {
    if (endings.capped_cost <= 0.0) {
      return ", ended when their candidates could no longer win; they would have taken at least "
             "the time that is recorded";
    }
    const bool race = result_.algorithm == "racing";
    std::string text = race ? ", ended when their candidates had cost more than the elites of a "
                              "race, or could no longer win"
                            : ", ended at five times the best mean where a point did not lead, or "
                              "when their candidates could no longer win";
    text += fmt::format("; those of the search took {}", duration_text(endings.capped_cost));
    if (endings.saved > 0.0) {
      text += fmt::format(", and would have taken about {} more", duration_text(endings.saved));
    }
    return text;
  }

  /// What was ended early, and what that means.
  void add_endings(const EarlyEndings& endings) {
    if (result_.all_cut_off()) {
      const std::string ended = unsolved_text(study_);
      add_work("cut_off", ended, "every evaluation",
               all_unsolved_text(study_).substr(ended.size()));
    } else if (endings.cut_off > 0) {
      add_work("cut_off", unsolved_text(study_), count_text(endings.cut_off),
               fmt::format(" of {}; each counts with its penalty",
                           counted(result_.evaluations, "evaluation")));
    }
    if (endings.capped > 0) {
      add_work("capped", "capped", counted(endings.capped, "evaluation"), capped_text(endings));
    }
    if (endings.forfeits.games() > 0) {
      add("forfeits", forfeits_text(endings)).label = "lost by a fault";
    }
  }

  /// How many failed, the most frequent causes, and the values that fail clearly more often than
  /// the searches as a whole.
  void add_failures(const SavedFailures& failures) {
    constexpr std::size_t kMost = 5;
    constexpr double kPercent = 100.0;
    if (failures.count == 0) return;
    add("failures", count_text(failures.count), " of them failed");
    for (std::size_t i = 0; i < std::min(kMost, failures.causes.size()); ++i) {
      const auto& [cause, count] = failures.causes[i];
      add("cause", fmt::format("  {:>6}  {}", count_text(count), cause));
    }
    if (failures.causes.size() > kMost) {
      add("cause", "          and " + counted(failures.causes.size() - kMost, "other cause"));
    }
    // Values stand here whose failure rate is clearly above that of all, the surest first.
    std::vector<SavedFailures::ByValue> values = failures.values;
    std::erase_if(values, [](const auto& value) { return !value.least_rate; });
    std::ranges::stable_sort(values, std::ranges::greater(), &SavedFailures::ByValue::least_rate);
    if (values.size() > kMost) values.resize(kMost);
    for (const SavedFailures::ByValue& value : values) {
      add("failing_value", fmt::format("  {} = {}: {} of {} search evaluations failed ({:.0f} %)",
                                       printable(value.label(), 60), printable(value.text(), 60),
                                       count_text(value.failures), count_text(value.evaluations),
                                       kPercent * value.rate));
    }
  }

  /// What else a reader should know of the payoffs.
  void add_remarks() {
    if (result_.set_aside > 0) {
      const bool one = result_.set_aside == 1;
      add("set_aside", counted(result_.set_aside, "payoff"),
          fmt::format(" {} far from all others; the searches counted {} as the most extreme "
                      "ordinary payoff",
                      one ? "lies" : "lie", one ? "it" : "them"));
    }
    if (result_.costs_are_wide) {
      add("wide_costs",
          "costs differ more than tenfold: with `aggregate: geometric_mean` the search models "
          "their logarithms");
    }
  }

  const Study& study_;
  const SavedResult& result_;
  const Objective& objective_;
  std::int64_t made_;  ///< evaluations, those of stages that did not end too
  const SavedRecommendation* pick_ = nullptr;
  Fact::Part part_ = Fact::Part::kFinding;
  Facts facts_;
};

}  // namespace

std::string standing_reason(const SavedDefault& incumbent) {
  if (!incumbent.tested) return incumbent.finding_reason.value_or("");
  const std::string test = tested_text(*incumbent.tested);
  if (incumbent.standing() != IncumbentFinding::kNotShown) return test;
  return fmt::format("by the fresh calls it is {}, but {}",
                     incumbent.tested->better ? "worse" : "better", test);
}

double games_per_evaluation(const SavedResult& result) {
  if (!result.recommendation || !result.elo) return 0.0;
  if (result.elo->from.value_or("hold_out") == "comparison") return 0.0;
  const std::int64_t calls = result.recommendation->fresh.measured();
  return calls > 0
             ? static_cast<double>(result.elo->games.games.games()) / static_cast<double>(calls)
             : 0.0;
}

std::int64_t tried_evaluations(const Study& study, const SavedMeasurement& fresh) {
  return (fresh.is_level() ? 1 : fresh.measured()) + skipped_failures(study, fresh);
}

Facts result_facts(const Study& study, const SavedResult& result, std::int64_t made) {
  return FactList(study, result, made).make();
}

std::string unit_text(const Objective& objective) {
  // Of several goals the values that are shown are those of the first.
  if (const auto goals = objective.goals(); !goals.empty()) return printable(goals[0].name, 24);
  const Payoffs payoffs = objective.payoffs();
  const bool rate = payoffs.two_valued && payoffs.low && payoffs.high &&
                    objective.unit().value_of(*payoffs.low) == 0.0 &&
                    objective.unit().value_of(*payoffs.high) == 1.0;
  return rate                         ? "win rate"
         : payoffs.games              ? "score"
         : objective.unit().is_cost() ? "cost"
                                      : "value";
}

bool is_told_in_percent(const Objective& objective) {
  const std::string unit = unit_text(objective);
  return objective.goals().empty() && (unit == "win rate" || unit == "score");
}

bool are_many_forfeits(const EarlyEndings& endings) {
  constexpr std::int64_t kMany = 20;  // one of so many games is 5 %
  return kMany * endings.forfeits.games() > endings.games;
}

std::string forfeits_text(const EarlyEndings& endings) {
  const Forfeits& forfeits = endings.forfeits;
  const std::int64_t count = forfeits.games();
  if (count == 0) return {};
  // The causes of each player, those that occurred.
  std::vector<std::string> players;
  for (const auto& [player, counts] :
       {std::pair("the player", &forfeits.first), {"the opponent", &forfeits.second}}) {
    std::vector<std::string> causes;
    for (std::size_t i = 0; i < counts->size(); ++i) {
      if ((*counts)[i] == 0) continue;
      causes.push_back(fmt::format("{} {}", count_text((*counts)[i]), Forfeits::kTexts[i]));
    }
    if (!causes.empty()) players.push_back(fmt::format("{} {}", player, list_text(causes, "and")));
  }
  return fmt::format("{} of {} ({:.1f} %) lost by a fault: {}", count_text(count),
                     counted(endings.games, "game"),
                     100.0 * static_cast<double>(count) / static_cast<double>(endings.games),
                     fmt::join(players, "; "));
}

}  // namespace ntune
