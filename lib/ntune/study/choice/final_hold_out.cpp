#include "ntune/study/choice/final_hold_out.h"

#include <algorithm>

#include "ntune/objective/capabilities.h"
#include "ntune/study/choice/incumbent_findings.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/streams.h"

namespace ntune {

namespace {

/// The first interval, with what the second holds beside it: what is said of other instances is no
/// surer than what is said of these. Nothing where it is the second.
std::optional<Interval> wider(std::optional<Interval> interval,
                              const std::optional<Interval>& other) {
  if (!interval || !other) return interval;
  const Interval both{std::min(interval->low, other->low), std::max(interval->high, other->high)};
  const bool same = both.low == other->low && both.high == other->high;
  return same ? std::nullopt : std::optional(both);
}

class FinalHoldOut {
 public:
  FinalHoldOut(const FreshSetting& setting, Pick& pick)
      : study_(setting.evaluator.study()),
        allowance_(setting.evaluator.allowance()),
        objective_(setting.objective),
        setting_(setting),
        key_(setting.key),
        pick_(pick) {
    key_.stage = Stage::kHoldOut;
  }

  std::int64_t hold_out(std::int64_t most) {
    const std::int64_t done = draw_both(most);
    measure(sample_, pick_.hold_out);
    if (is_opponent(objective_, pick_.point)) {
      pick_.hold_out.interval = Interval{kLevelScore, kLevelScore};  // no game was played
    }
    if (study_.beginning.incumbent && !sample_.stopped) compare();
    return done;
  }

 private:
  [[nodiscard]] bool is_beside() const {
    return study_.holds_out_incumbent() && pick_.point != *study_.beginning.incumbent;
  }

  /// Within limits bit by bit, so that both are held out as often as is left for. The first
  /// evaluations show what the others cost.
  std::int64_t draw_both(std::int64_t most) {
    constexpr std::int64_t kParts = 4;
    const bool beside = is_beside();
    FreshAllowance allowance(allowance_, key_, beside ? 2 : 1);
    // A part visits every instance, where there is enough for that.
    const bool is_open = study_.limited && !study_.limited->request.hold_out;
    const std::int64_t instances = is_open ? study_.limited->request.held_out_instances : 0;
    const bool whole = instances > 1 && most >= instances;
    std::int64_t part = allowance_.is_limited() ? (most + kParts - 1) / kParts : most;
    if (study_.limits.seconds) part = std::max(part, allowance_.at_once());
    if (whole) part = instances * std::max<std::int64_t>(1, part / instances);
    EvaluationKey other_key = key_;
    other_key.run = kIncumbentRun;
    std::int64_t done = 0;
    while (done < most && !setting_.evaluator.progress().stop) {
      const RunUsage& searches = setting_.searches;
      const double seen = as_double(sample_.evaluations + other_.evaluations);
      const double each = seen > 0.0 ? (sample_.cost + other_.cost) / seen : searches.fresh_cost();
      std::int64_t wanted = study_.limits.cost && done == 0 ? 1 : part;
      if (whole && done % instances > 0) wanted = instances - done % instances;
      const std::int64_t count =
          allowance.next(std::min(wanted, most - done), pick_.cost + searches.cost, each);
      // Once all instances were visited, a part of them would weigh more than the others.
      if (count == 0 || (whole && done >= instances && count < std::min(wanted, most - done)))
        break;
      draw(pick_.point, key_, count, sample_);
      if (beside && !sample_.stopped) draw(*study_.beginning.incumbent, other_key, count, other_);
      done += count;
    }
    return done;
  }

  /// So many fresh evaluations of a point more; call i of every point has the same stream. A value
  /// that is known by definition is no call.
  void draw(const Point& point, EvaluationKey key, std::int64_t count, Sample& sample) {
    if (is_opponent(objective_, point)) return add_level(count, sample);
    key.index = sample.calls;
    const double cost = sample.cost;
    sample.append(draw_sample(
        setting_.evaluator, objective_, point, count, key,
        [&](std::uint64_t i) { return hold_out_stream(setting_.rng, i); }, setting_.parallel));
    pick_.cost += sample.cost - cost;
  }

  void measure(const Sample& sample, HoldOut& held_out) {
    held_out.payoffs = stats_of(sample.payoffs);
    held_out.evaluations = sample.evaluations;
    held_out.games = sample.games;
    held_out.endings = sample.endings;
    if (study_.instances.empty()) {
      held_out.by_games = sample.by_games();
      measure_games(objective_.unit(), held_out);
    }
    held_out.interval = payoff_interval(source_in(study_, objective_), held_out.sample(),
                                        held_out.games_of_sample());
    held_out.failures = sample.fresh_failures();
    measure_instances(study_, objective_, key_, sample, held_out);
    held_out.others_interval =
        wider(interval_for_others(study_, objective_, key_, sample), held_out.interval);
    pick_.failures += sample.failures;
    pick_.endings.merge(sample.endings);
    pick_.failure_causes.merge(sample.failure_causes);
  }

  void compare() {
    IncumbentComparison comparison =
        incumbent_beside(objective_, *study_.beginning.incumbent, pick_.point);
    const bool level = !comparison.recommended && !study_.holds_out_incumbent();
    if (comparison.recommended) {
      comparison.hold_out = pick_.hold_out;
      comparison.hold_out.evaluations = 0;
    } else {
      if (level) other_ = level_sample();
      measure(other_, comparison.hold_out);
    }
    comparison.differences = paired_differences(study_, key_, sample_, other_);
    comparison.games = sample_.games.games_each(std::ssize(sample_.by_call()));
    conclude(source_in(study_, objective_), pick_.hold_out, comparison);
    if (!comparison.recommended && has_aggregate(study_, objective_, key_, sample_)) {
      conclude_by_aggregate(study_, objective_, key_, sample_, other_, comparison);
    }
    if (!comparison.recommended && !level) {
      comparison.others_interval = wider(
          interval_for_others(study_, objective_, key_, sample_, other_), comparison.interval);
    }
    if (level) conclude_level(objective_, pick_.hold_out, comparison);
    if (!level) weigh_failures(objective_, pick_.hold_out, comparison);
    pick_.incumbent = comparison;
  }

  /// So many calls of the opponent against itself: 1/2 each.
  void add_level(std::int64_t count, Sample& sample) const {
    for (; count > 0; --count) {
      sample.payoffs.push_back(objective_.unit().payoff_of(kLevelScore));
      sample.call_of.push_back(sample.calls++);
    }
  }
  /// What the games of the pick would be against itself: 1/2 in every call, by definition.
  [[nodiscard]] Sample level_sample() const {
    Sample level;
    for (const auto& [call, payoffs] : sample_.by_call()) {
      level.payoffs.push_back(objective_.unit().payoff_of(kLevelScore));
      level.call_of.push_back(call);
    }
    return level;
  }

  const Study& study_;
  Allowance& allowance_;
  const Objective& objective_;
  const FreshSetting& setting_;
  EvaluationKey key_;
  Pick& pick_;
  Sample sample_;  ///< of the pick
  Sample other_;   ///< of the default
};

}  // namespace

std::int64_t hold_out_pick(const FreshSetting& setting, std::int64_t most, Pick& pick) {
  return FinalHoldOut(setting, pick).hold_out(most);
}

IncumbentComparison incumbent_beside(const Objective& objective, const Point& incumbent,
                                     const Point& recommended) {
  return {.point = incumbent,
          .recommended = recommended == incumbent,
          .true_value = true_value_of(objective, incumbent)};
}

}  // namespace ntune
