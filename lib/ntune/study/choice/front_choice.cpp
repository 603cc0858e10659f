#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "ntune/core/lognormal_mean.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/choice/final_choice.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/streams.h"

namespace ntune {

namespace {

constexpr double kError = 0.05;  // of every claim

/// One of several goals as an objective of its own, for what is said of the means of payoffs.
class OneGoal final : public Objective {
 public:
  OneGoal(const Objective& whole, const Goal& goal) : whole_(whole), goal_(goal) {}

  [[nodiscard]] const SearchSpace& space() const override { return whole_.space(); }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return whole_.evaluate(point, rng);
  }
  [[nodiscard]] std::string description() const override { return goal_.name; }
  [[nodiscard]] Payoffs payoffs() const override { return goal_.payoffs; }
  [[nodiscard]] Unit unit() const override { return goal_.unit; }

 private:
  const Objective& whole_;
  const Goal& goal_;
};

/// Logarithms of the values of two settings by the same calls.
struct LogarithmPairs {
  std::vector<double> own = {};
  std::vector<double> others = {};

  /// Whether the factors between them differ.
  [[nodiscard]] bool vary() const {
    constexpr double kRounding = 1e-12;
    RunningStats differences;
    for (std::size_t i = 0; i < own.size(); ++i) differences.add(own[i] - others[i]);
    return differences.sd() > kRounding;
  }
};

/// A setting with the payoffs of its calls, by call and goal.
struct Measured {
  FrontMember member;
  std::map<std::int64_t, std::vector<double>> rows = {};

  [[nodiscard]] RunningStats payoffs(std::size_t goal) const {
    RunningStats stats;
    for (const auto& [call, row] : rows) stats.add(row[goal]);
    return stats;
  }
  /// The logarithms of the values, which are above 0.
  [[nodiscard]] RunningStats logarithms(std::size_t goal, const Unit& unit) const {
    RunningStats stats;
    for (const auto& [call, row] : rows) stats.add(std::log(unit.value_of(row[goal])));
    return stats;
  }
  /// Beside those of another, over the calls that both have.
  [[nodiscard]] LogarithmPairs logarithms(const Measured& other, std::size_t goal,
                                          const Unit& unit) const {
    LogarithmPairs pairs;
    for (const auto& [call, row] : rows) {
      const auto found = other.rows.find(call);
      if (found == other.rows.end()) continue;
      pairs.own.push_back(std::log(unit.value_of(row[goal])));
      pairs.others.push_back(std::log(unit.value_of(found->second[goal])));
    }
    return pairs;
  }
  /// Less those of another, over the calls that both have.
  [[nodiscard]] RunningStats differences(const Measured& other, std::size_t goal) const {
    RunningStats stats;
    for (const auto& [call, row] : rows) {
      const auto found = other.rows.find(call);
      if (found != other.rows.end()) {
        stats.add(rounded_difference(row[goal], found->second[goal]));
      }
    }
    return stats;
  }
};

class FrontChoice {
 public:
  FrontChoice(Evaluator& evaluator, Parallel& parallel, const Objective& objective,
              std::span<const RunRecord> runs, Pick& pick)
      : evaluator_(evaluator),
        parallel_(parallel),
        study_(evaluator.study()),
        objective_(objective),
        goals_(objective.goals().begin(), objective.goals().end()),
        runs_(runs),
        pick_(pick) {}

  void choose() {
    gather();
    if (settings_.empty() || !measure()) return;
    notice_noise();
    for (const Goal& goal : goals_) views_.emplace_back(objective_, goal);
    for (Measured& setting : settings_) describe(setting);
    for (Measured& setting : settings_) place(setting);
    std::ranges::stable_sort(settings_, {}, [](const Measured& setting) {
      const double first = setting.rows.empty() ? 0.0 : setting.payoffs(0).mean();
      return std::tuple(!setting.member.is_default, setting.rows.empty(), -first);
    });
    GoalFront& front = pick_.front.emplace();
    choose_setting(front);
    for (const Measured& setting : settings_) front.members.push_back(setting.member);
    finish(front);
  }

 private:
  /// What the run has named, or its recommendation; the default beside it.
  void gather() {
    const std::optional<Point>& today = study_.beginning.incumbent;
    const auto add = [&](const Point& point) {
      const bool held = std::ranges::any_of(
          settings_, [&](const Measured& one) { return one.member.point == point; });
      if (!held) settings_.push_back({{.point = point, .is_default = today == point}});
    };
    for (const RunRecord& run : runs_) {
      if (!run.finished) continue;
      if (today) add(*today);
      for (const Recommendation& leader : run.leaders) add(leader.point);
      if (run.leaders.empty()) add(run.point);
    }
    const auto most = static_cast<std::size_t>(study_.plans.front().hold_out);
    if (settings_.size() > most) settings_.resize(most);
  }

  /// False if stopped.
  bool measure() {
    const auto count = std::ssize(settings_);
    const bool noisy = objective_.payoffs().noisy;
    const std::int64_t each =
        noisy ? std::max<std::int64_t>(1, study_.plans.front().hold_out / count) : 1;
    const Rng rng = pick_stream(study_.seed, pick_.repeat);
    const auto setting_of = [&](std::size_t i) { return static_cast<std::int64_t>(i) % count; };
    const auto request = [&](std::size_t i) {
      const std::int64_t setting = setting_of(i);
      const std::int64_t call = static_cast<std::int64_t>(i) / count;
      const FrontMember& member = settings_[static_cast<std::size_t>(setting)].member;
      // There is one run, 0, so that the numbers from 1 on are free.
      const std::int64_t run = member.is_default ? kIncumbentRun : 1 + setting;
      return Request{
          .key = {.stage = Stage::kHoldOut, .repeat = pick_.repeat, .run = run, .index = call},
          .objective = &objective_,
          .point = &member.point,
          .stream = hold_out_stream(rng, static_cast<std::uint64_t>(call))};
    };
    const auto take = [&](std::size_t i, const Evaluated& evaluated) {
      Measured& setting = settings_[static_cast<std::size_t>(setting_of(i))];
      ++pick_.hold_out.evaluations;
      pick_.endings.add(evaluated.ending, evaluated.games);
      if (!evaluated.failed()) {
        setting.rows[static_cast<std::int64_t>(i) / count] = evaluated.goals;
        return;
      }
      ++setting.member.failures;
      ++pick_.failures;
      pick_.failure_causes.add_failure(evaluated.failure);
    };
    return evaluator_.evaluate_all(static_cast<std::size_t>(count * each), request, take,
                                   parallel_);
  }

  /// A goal that was said to be exact is noisy where calls of one setting differ in it.
  void notice_noise() {
    constexpr double kRounding = 1e-12;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      const auto varies = [g](const Measured& setting) {
        const RunningStats payoffs = setting.payoffs(g);
        return payoffs.sd() > kRounding * std::abs(payoffs.mean());
      };
      if (std::ranges::any_of(settings_, varies)) goals_[g].payoffs.noisy = true;
    }
  }

  /// Whether the mean of a goal is judged by the logarithms of its values.
  [[nodiscard]] bool counts_by_factors(std::size_t g) const {
    const Goal& goal = goals_[g];
    return goal.logarithmic && goal.payoffs.noisy && !goal.payoffs.low && !goal.payoffs.high;
  }

  /// The mean of a goal by the logarithms of its values, where factors count and they differ.
  [[nodiscard]] std::optional<LognormalMean> lognormal(const Measured& setting,
                                                       std::size_t g) const {
    if (!counts_by_factors(g)) return std::nullopt;
    const RunningStats logarithms = setting.logarithms(g, goals_[g].unit);
    if (logarithms.count() < 2 || !(logarithms.sd() > 0.0)) return std::nullopt;
    return LognormalMean(logarithms);
  }

  /// Nothing where so few evaluations say nothing of how large the mean may be.
  static std::optional<Interval> known_ends(const LognormalMean& mean) {
    const Interval interval = mean.interval(1.0 - kError);
    return interval.high <= kLargestPayoff ? std::optional(interval) : std::nullopt;
  }

  /// Values with their intervals, against limits and the default.
  void describe(Measured& setting) const {
    setting.member.n = std::ssize(setting.rows);
    if (setting.rows.empty()) return;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      const RunningStats payoffs = setting.payoffs(g);
      const Unit& unit = goals_[g].unit;
      GoalValue& value = setting.member.goals.emplace_back();
      value.goal = goals_[g].name;
      value.mean = unit.value_of(payoffs.mean());
      value.sd = unit.size() * payoffs.sd();
      const std::optional<LognormalMean> by_factors = lognormal(setting, g);
      value.interval = by_factors ? known_ends(*by_factors) : payoff_interval({views_[g]}, payoffs);
      if (goals_[g].limit) value.keeps_limit = keeps_limit(g, payoffs, by_factors);
      const Measured& today = settings_.front();
      if (today.member.is_default && !setting.member.is_default) compare(setting, today, g, value);
    }
  }

  /// One-sided, and all settings together err with the probability kError at most.
  [[nodiscard]] std::optional<bool> keeps_limit(
      std::size_t g, const RunningStats& payoffs,
      const std::optional<LognormalMean>& by_factors) const {
    const Unit& unit = goals_[g].unit;
    const double least = unit.payoff_of(*goals_[g].limit);
    if (!goals_[g].payoffs.noisy) return payoffs.mean() >= least;
    double above = probability_above({views_[g]}, payoffs, least);
    if (by_factors) {
      const double below = by_factors->probability_below(*goals_[g].limit);
      above = unit.is_cost() ? below : 1.0 - below;
    } else if (payoffs.sd() == 0.0 && !goals_[g].payoffs.low) {
      // Values that are all alike may as well lie on the other side next time, as in a sign test.
      RunningStats distances;
      for (std::int64_t i = 0; i < payoffs.count(); ++i) distances.add(payoffs.mean() - least);
      above = payoff_difference({views_[g]}, distances, payoffs, {}).probability_better;
    }
    const double error = kError / static_cast<double>(settings_.size());
    if (above >= 1.0 - error) return true;
    return above <= error ? std::optional(false) : std::nullopt;
  }

  /// What the calls that two settings both have say of the means of a goal.
  struct Comparison {
    RunningStats differences;
    RunningStats own;  ///< payoffs
    RunningStats others;
    bool by_factors = false;                  ///< by the ratio of the means, not by differences
    std::optional<LognormalMean> ratio = {};  ///< of three pairs or more
  };

  [[nodiscard]] Comparison comparison(const Measured& setting, const Measured& other,
                                      std::size_t g) const {
    Comparison result{.differences = setting.differences(other, g),
                      .own = setting.payoffs(g),
                      .others = other.payoffs(g)};
    if (!counts_by_factors(g)) return result;
    const LogarithmPairs pairs = setting.logarithms(other, g, goals_[g].unit);
    result.by_factors = pairs.vary();
    if (result.by_factors && pairs.own.size() >= 3) {
      result.ratio = LognormalMean::ratio(pairs.own, pairs.others);
    }
    return result;
  }

  [[nodiscard]] PayoffDifference difference(const Comparison& comparison, std::size_t g,
                                            double confidence) const {
    return payoff_difference({views_[g]}, comparison.differences, comparison.own, comparison.others,
                             0.0, confidence);
  }

  [[nodiscard]] IncumbentFinding finding(const Comparison& comparison, std::size_t g,
                                         double confidence) const {
    const Unit& unit = goals_[g].unit;
    if (!comparison.by_factors) {
      return finding_of(unit, difference(comparison, g, confidence).interval);
    }
    if (!comparison.ratio) return IncumbentFinding::kNotShown;
    const Interval factors = comparison.ratio->interval(confidence);
    return finding_of(unit, Interval{std::log(factors.low), std::log(factors.high)});
  }

  [[nodiscard]] double probability_better(const Comparison& comparison, std::size_t g) const {
    if (!comparison.by_factors) {
      return difference(comparison, g, 1.0 - kError).probability_better;
    }
    if (!comparison.ratio) return 0.5;
    const double below = comparison.ratio->probability_below(1.0);
    return goals_[g].unit.is_cost() ? below : 1.0 - below;
  }

  void compare(const Measured& setting, const Measured& today, std::size_t g,
               GoalValue& value) const {
    const Comparison found = comparison(setting, today, g);
    if (found.differences.count() == 0) return;
    const PayoffDifference by_values = difference(found, g, 1.0 - kError);
    value.difference = by_values.value;
    if (!found.by_factors) value.difference_interval = by_values.interval;
    if (found.ratio) value.factor_interval = known_ends(*found.ratio);
    const double error = kError / static_cast<double>(settings_.size() - 1);
    value.finding = finding(found, g, 1.0 - error);
    const bool fails_more = setting.member.fails_more_than(today.member);
    if (fails_more && value.finding == IncumbentFinding::kBetter) {
      value.finding = IncumbentFinding::kNotShown;
    }
  }

  [[nodiscard]] bool counts(const Measured& setting) const {
    return setting.member.is_reliable(study_.execution.on_failure.recommended);
  }

  /// Whether a setting is on the front, and whether that is sure.
  void place(Measured& setting) const {
    if (!counts(setting)) return;
    setting.member.on_front = setting.member.is_sure = true;
    for (const Measured& other : settings_) {
      if (&other == &setting || !counts(other)) continue;
      if (is_beaten(setting, other)) setting.member.on_front = false;
      if (!is_shown_apart(setting, other)) setting.member.is_sure = false;
    }
    setting.member.is_sure = setting.member.is_sure && setting.member.on_front;
  }

  /// 0 where the means differ by no more than rounding, as where the same values came in another
  /// order.
  [[nodiscard]] static double mean_difference(const Measured& one, const Measured& other,
                                              std::size_t g) {
    constexpr double kRounding = 32.0 * std::numeric_limits<double>::epsilon();
    const RunningStats ours = one.payoffs(g);
    const RunningStats theirs = other.payoffs(g);
    double largest = 0.0;
    for (const double end : {ours.min(), ours.max(), theirs.min(), theirs.max()}) {
      largest = std::max(largest, std::abs(end));
    }
    const double difference = ours.mean() - theirs.mean();
    return std::abs(difference) <= kRounding * largest ? 0.0 : difference;
  }

  [[nodiscard]] bool is_beaten(const Measured& setting, const Measured& other) const {
    bool worse = false;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      const double more = mean_difference(setting, other, g);
      if (more > 0.0) return false;
      worse = worse || more < 0.0;
    }
    return worse;
  }

  /// Whether a setting is shown to be better than another in a goal. All goals together err with
  /// the probability kError at most. That is so for all others too: a setting is taken for sure
  /// if it is shown apart from each of them.
  [[nodiscard]] bool is_shown_apart(const Measured& setting, const Measured& other) const {
    const double error = kError / static_cast<double>(goals_.size());
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      const Comparison found = comparison(setting, other, g);
      if (found.differences.count() == 0) continue;
      if (probability_better(found, g) >= 1.0 - error) return true;
    }
    return false;
  }

  /// With limits or an order: the setting that is the best in what is sought, of those that keep
  /// the limits and are level with the best in each goal before the last.
  void choose_setting(GoalFront& front) {
    const std::vector<std::size_t> sought = sought_goals(goals_);
    if (sought.empty()) return;
    front.sought = goals_[sought.front()].name;
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < settings_.size(); ++i) {
      if (counts(settings_[i]) && settings_[i].member.keeps_limits(goals_)) left.push_back(i);
    }
    for (std::size_t place = 0; place < sought.size(); ++place) {
      const std::size_t g = sought[place];
      if (place > 0) front.then.push_back(goals_[g].name);
      if (left.empty()) continue;
      front.chosen = best_in(g, left);
      if (place + 1 == sought.size()) break;
      const Measured& best = settings_[*front.chosen];
      std::erase_if(left, [&](std::size_t i) {
        const bool level = &settings_[i] == &best || is_level(settings_[i], best, g);
        settings_[i].member.goals[g].is_level = level;
        return !level;
      });
    }
  }

  /// The best by the mean of a goal; where means are the same, one that nothing beats.
  [[nodiscard]] std::size_t best_in(std::size_t g, std::span<const std::size_t> settings) const {
    return *std::ranges::max_element(settings, [&](std::size_t i, std::size_t j) {
      const double more = mean_difference(settings_[j], settings_[i], g);
      return more > 0.0 ||
             (more == 0.0 && settings_[j].member.on_front && !settings_[i].member.on_front);
    });
  }

  /// Whether a setting is not shown to be worse than the best. All settings together err with the
  /// probability kError at most.
  [[nodiscard]] bool is_level(const Measured& setting, const Measured& best, std::size_t g) const {
    const Comparison found = comparison(best, setting, g);
    if (found.differences.count() == 0) return true;
    const double error = kError / static_cast<double>(settings_.size() - 1);
    return probability_better(found, g) < 1.0 - error;
  }

  void finish(const GoalFront& front) {
    pick_.run = 0;
    const auto first = std::ranges::find_if(
        front.members, [](const FrontMember& member) { return member.on_front; });
    const auto named =
        front.chosen ? front.members.begin() + static_cast<std::ptrdiff_t>(*front.chosen) : first;
    pick_.point = (named == front.members.end() ? front.members.front() : *named).point;
    const auto setting = std::ranges::find(settings_, pick_.point,
                                           [](const Measured& one) { return one.member.point; });
    if (!setting->rows.empty()) {
      pick_.estimate = goals_.front().unit.value_of(setting->payoffs(0).mean());
    }
    pick_.evaluations = pick_.hold_out.evaluations;
    for (const RunRecord& run : runs_) pick_.evaluations += run.evaluations;
    pick_.finished = true;
  }

  Evaluator& evaluator_;
  Parallel& parallel_;
  const Study& study_;
  const Objective& objective_;
  std::vector<Goal> goals_;  ///< with what has shown to be noisy
  std::span<const RunRecord> runs_;
  Pick& pick_;
  std::vector<OneGoal> views_ = {};  ///< by goal
  std::vector<Measured> settings_ = {};
};

}  // namespace

void choose_front(Evaluator& evaluator, Parallel& parallel, const Objective& objective,
                  std::span<const RunRecord> runs, Pick& pick) {
  FrontChoice(evaluator, parallel, objective, runs, pick).choose();
}

}  // namespace ntune
