#include "ntune/study/followup/deviations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"

namespace ntune {

namespace {

constexpr double kConfidence = 0.95;  ///< of all intervals together
constexpr std::int64_t kFirst = 16;   ///< evaluations of each in the first round

/// Successive elimination: rounds of evaluations, after each of which some deviations drop out.
class Tester {
 public:
  Tester(const Study& study, const Point& point, std::vector<Deviation> deviations,
         const DeviationOptions& options, StudyProgress& progress, StudyLog* log)
      : objective_(*study.objectives.front().objective),
        options_(options),
        progress_(progress),
        backend_(study.execution.threads),
        evaluator_(study, backend_, progress, log),
        parallel_(study.execution.threads),
        stream_(Rng(study.seed).stream("deviations")) {
    result_.point = point;
    result_.tested = std::move(deviations);
    differences_.resize(result_.tested.size());
    payoffs_.resize(result_.tested.size());
    // As many deviations as can have a first round are tested, and the error is shared by all
    // looks.
    first_ = objective_.payoffs().noisy ? kFirst : 1;
    const auto affordable = std::max<std::int64_t>(0, options.evaluations / first_ - 1);
    const auto all = static_cast<std::int64_t>(result_.tested.size());
    for (std::int64_t i = 0; i < std::min(all, affordable); ++i) {
      active_.push_back(static_cast<std::size_t>(i));
    }
    confidence_ =
        1.0 - (1.0 - kConfidence) / static_cast<double>(std::max<std::size_t>(1, active_.size()) *
                                                        static_cast<std::size_t>(most_looks()));
    progress_.total_evaluations = options.evaluations;
  }

  Deviations run() {
    // Every round doubles what has been made, as far as the evaluations go.
    std::int64_t done = 0;
    while (!active_.empty() && !progress_.stop) {
      const auto each = static_cast<std::int64_t>(active_.size() + 1);
      const std::int64_t left = (options_.evaluations - result_.evaluations) / each;
      const std::int64_t wanted = done == 0 ? first_ : done;
      const std::int64_t round = std::min(wanted, left);
      if (round == 0 || !play_round(done, round)) break;
      done += round;
      look();
      if (round < wanted || !objective_.payoffs().noisy) break;
    }
    evaluator_.recorder().check();
    result_.stopped = progress_.stop;
    return std::move(result_);
  }

 private:
  /// An upper bound: each round doubles the evaluations of a deviation, the last one may be
  /// smaller.
  [[nodiscard]] int most_looks() const {
    const double share =
        static_cast<double>(options_.evaluations) / static_cast<double>(2 * first_);
    return 2 + static_cast<int>(std::ceil(std::log2(std::max(1.0, share))));
  }

  /// Evaluates the point and all active deviations on the streams from `begin` on.
  bool play_round(std::int64_t begin, std::int64_t count) {
    // Evaluations stand stream by stream, the point first: a row is complete with its last one.
    const std::size_t width = active_.size() + 1;
    std::vector<std::optional<double>> payoffs(width);
    const auto request = [&](std::size_t i) {
      const auto index = begin + static_cast<std::int64_t>(i / width);
      const std::size_t which = i % width;
      return Request{
          .key = {.stage = Stage::kHoldOut, .run = -1, .index = index},
          .objective = &objective_,
          .point = which == 0 ? &result_.point : &result_.tested[active_[which - 1]].point,
          .stream = stream_.stream("pair", index)};
    };
    const auto sink = [&](std::size_t i, const Evaluated& evaluated) {
      if (evaluated.failed()) ++result_.failures;
      result_.endings.add(evaluated.ending, evaluated.games);
      if (limit_.add(evaluated.failed())) {
        evaluator_.recorder().end_study(limit_, request(i), evaluated);
      }
      if (i % width == 0) games_.add(evaluated.games);
      payoffs[i % width] =
          evaluated.skipped ? std::nullopt : std::optional<double>(evaluated.payoff);
      if (i % width == width - 1) add(payoffs, request(i).key);
    };
    const std::size_t all = width * static_cast<std::size_t>(count);
    if (!evaluator_.evaluate_all(all, request, sink, parallel_)) return false;
    result_.evaluations += static_cast<std::int64_t>(all);
    return true;
  }

  void add(const std::vector<std::optional<double>>& payoffs, const EvaluationKey& key) {
    for (std::size_t i = 0; i < active_.size(); ++i) {
      ++result_.tested[active_[i]].tried;
      if (!payoffs[i + 1]) ++result_.tested[active_[i]].failed;
    }
    // Without a payoff of the point there is nothing to subtract.
    if (!payoffs[0]) {
      ++result_.failed;
      return;
    }
    result_.payoffs.add(*payoffs[0]);
    const Study& study = evaluator_.study();
    const std::size_t instance =
        study.instances.empty() ? 0 : study.instances.index_of(study.seed, key);
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (!payoffs[i + 1]) continue;
      std::vector<RunningStats>& by_instance = differences_[active_[i]];
      by_instance.resize(std::max(by_instance.size(), instance + 1));
      by_instance[instance].add(rounded_difference(*payoffs[i + 1], *payoffs[0]));
      payoffs_[active_[i]].add(*payoffs[i + 1]);
    }
  }

  void look() {
    ++result_.looks;
    for (const std::size_t i : active_) judge(result_.tested[i], differences_[i], payoffs_[i]);
    std::erase_if(active_, [this](std::size_t i) {
      return result_.tested[i].verdict != DeviationVerdict::kUndecided;
    });
  }

  /// Differences of instances count by the weights of these, however often each was visited. No
  /// verdict is for the point that failed more often: nobody has said what a failure costs.
  void judge(Deviation& deviation, const std::vector<RunningStats>& by_instance,
             const RunningStats& payoffs) const {
    const Instances& instances = evaluator_.study().instances;
    // No stream gave both a payoff: then failures alone speak.
    if (by_instance.empty()) {
      deviation.verdict = fails_more(deviation) ? DeviationVerdict::kWorse  //
                                                : DeviationVerdict::kUndecided;
      return;
    }
    const MeanSample sample = instances.empty()
                                  ? MeanSample(by_instance.front())
                                  : weighted_difference(instances.held_out(), by_instance);
    deviation.difference = without_rounding(sample.mean);
    deviation.pairs = sample.values.count();
    deviation.interval = interval_of(sample, payoffs);
    deviation.verdict = DeviationVerdict::kUndecided;
    if (!deviation.interval) return;
    // Rates of failures are compared by cross-multiplying.
    const std::int64_t ours = result_.failed * deviation.tried;
    const std::int64_t theirs = deviation.failed * tried();
    if (deviation.interval->low > 0.0 && theirs <= ours) {
      deviation.verdict = DeviationVerdict::kBetter;
    }
    if (deviation.interval->high < 0.0 && ours <= theirs) {
      deviation.verdict = DeviationVerdict::kWorse;
    }
  }

  /// How often the point itself was.
  [[nodiscard]] std::int64_t tried() const { return result_.payoffs.count() + result_.failed; }

  /// Whether it fails more often, by the 95 % intervals of the two rates.
  [[nodiscard]] bool fails_more(const Deviation& deviation) const {
    return failure_interval(objective_, deviation.failed, deviation.tried).low >
           failure_interval(objective_, result_.failed, tried()).high;
  }

  /// Payoffs that count alike, unless they are of instances.
  [[nodiscard]] MeanSample sample_of(const RunningStats& payoffs) const {
    MeanSample sample = payoffs;
    if (!evaluator_.study().instances.empty()) sample.mean = {};
    return sample;
  }

  /// The interval of a difference, in payoffs. `payoffs`: those of the setting beside the point's.
  [[nodiscard]] std::optional<Interval> interval_of(const MeanSample& sample,
                                                    const RunningStats& payoffs) const {
    const double games = games_.games_each(result_.payoffs.count());
    const auto interval =
        payoff_difference(source_in(evaluator_.study(), objective_), sample, sample_of(payoffs),
                          sample_of(result_.payoffs), games, confidence_)
            .interval;
    if (!interval) return std::nullopt;
    // The interval is in the reported unit, whose direction may be the other.
    const double slope = objective_.unit().slope;
    const auto [low, high] = std::minmax({interval->low / slope, interval->high / slope});
    return Interval{low, high};
  }

  const Objective& objective_;
  DeviationOptions options_;
  StudyProgress& progress_;
  LocalBackend backend_;
  Evaluator evaluator_;
  FailureLimit limit_ = evaluator_.recorder().failure_limit();
  Parallel parallel_;
  Rng stream_;
  std::int64_t first_ = kFirst;
  double confidence_ = kConfidence;
  std::vector<std::vector<RunningStats>> differences_;  ///< of each tested, by instance
  std::vector<RunningStats> payoffs_;                   ///< of each tested
  GameCounts games_;                 ///< of the point, where its evaluations are games
  std::vector<std::size_t> active_;  ///< tested and not decided
  Deviations result_;
};

/// The point with another value of a parameter. Parameters that become active take their defaults,
/// or else their first values.
Point deviate(const SearchSpace& space, const Point& from, int parameter, std::uint16_t value,
              const Point* defaults) {
  Point point = from;
  point[parameter] = value;
  for (int i = parameter + 1; i < space.dimensions(); ++i) {
    if (space.is_active(from, i) || !space.is_active(point, i)) continue;
    point[i] = defaults != nullptr && space.is_active(*defaults, i)
                   ? (*defaults)[i]
                   : space[i].default_index.value_or(0);
  }
  space.canonicalise(point);
  return point;
}

/// Steps between two values of an ordered parameter; off the grid one more than from the nearest.
int steps_between(const Parameter& parameter, int a, int b) {
  if (!parameter.ordered) return 1;
  const int steps = std::abs(parameter.nearest_on_grid(a) - parameter.nearest_on_grid(b));
  return std::max(a, b) == parameter.cardinality() ? steps + 1 : steps;
}

}  // namespace

const char* verdict_name(DeviationVerdict verdict) {
  constexpr std::array kNames = {"worse", "better", "undecided", "untested"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::vector<Deviation> one_step_deviations(const SearchSpace& space, const Point& point,
                                           const Point* defaults) {
  // Every other value of each active parameter that the space allows.
  std::vector<std::pair<int, Deviation>> ranked;  // by steps; a default counts as one
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!space.is_active(point, i)) continue;
    for (int value = 0; value < space[i].known_values(); ++value) {
      if (value == point[i]) continue;
      const auto index = static_cast<std::uint16_t>(value);
      Deviation deviation{
          .parameter = i, .value = index, .point = deviate(space, point, i, index, defaults)};
      if (!space.can_be_evaluated(deviation.point)) continue;
      const int steps = steps_between(space[i], value, point[i]);
      deviation.is_neighbour = steps == 1;
      // The default is worth a look wherever it lies.
      deviation.is_default =
          defaults != nullptr && space.is_active(*defaults, i) && (*defaults)[i] == index;
      ranked.emplace_back(deviation.is_default ? 1 : steps, std::move(deviation));
    }
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<int, Deviation>::first);
  std::vector<Deviation> sorted;
  for (auto& [rank, deviation] : ranked) sorted.push_back(std::move(deviation));
  return sorted;
}

Deviations test_deviations(const Study& study, const Point& point,
                           std::vector<Deviation> deviations, const DeviationOptions& options,
                           StudyProgress& progress, StudyLog* log) {
  return Tester(study, point, std::move(deviations), options, progress, log).run();
}

}  // namespace ntune
