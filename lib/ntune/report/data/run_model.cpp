#include "ntune/report/data/run_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/core/normal.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/claims/point_claims.h"
#include "ntune/report/data/run_log.h"
#include "ntune/study/evaluation/carry_out.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/search_trace.h"
#include "ntune/study/run/stage_search.h"

namespace ntune {

namespace {

constexpr std::int64_t kLongestRun = 2000;  // evaluations

/// The evaluations of one run's search, in their order.
std::vector<Answer> answers_of(const StudyFolder& folder, const RunTask& task) {
  std::vector<Answer> answers;
  const Study& study = folder.study;
  const auto take = [&](std::size_t index, const Point& point, Outcome outcome) -> Answer& {
    if (index >= answers.size()) answers.resize(index + 1);
    Answer& answer = answers[index];
    answer = {.asked = {.point = point}, .point = point};
    answer.evaluated = rate(study.execution.on_failure, task.objective->unit(), std::move(outcome));
    return answer;
  };
  // A journal of evaluations has them line by line, one of runs in the trace of the run.
  const bool each = study.execution.record == Recording::kEvaluations;
  folder.journal->scan([&](const JournalLine& line) {
    const EvaluationKey& key = line.key;
    if (key.cell != task.cell || key.repeat != task.repeat || key.run != task.run) return;
    if (!each && line.kind == JournalLine::Kind::kRun) {
      answers.clear();
      const auto trace = SearchTrace::unpacked(line.run.trace, task.objective->space());
      if (!trace || std::ssize(trace->checkpoints()) == 0) return;
      trace->visit([&](const SearchTrace::Evaluation& one) {
        Outcome outcome{.payoff = stats_of(one.payoffs).mean()};
        if (one.payoffs.size() > 1) outcome.observations = one.payoffs;
        if (one.end == SearchTrace::End::kFailed) outcome.failure = "recorded as failed";
        if (one.end == SearchTrace::End::kCapped) outcome.ending = Ending::kCapped;
        take(answers.size(), one.point, std::move(outcome));
      });
    }
    if (!each || !line.has_outcome() || key.stage != Stage::kSearch) return;
    Answer& answer =
        take(static_cast<std::size_t>(key.index), Point(line.point), recorded_outcome(line));
    answer.asked.block = line.block;
    if (!line.against.empty()) answer.opponent = answer.asked.opponent = Point(line.against);
  });
  // Those behind a gap are of evaluations in flight when the study was ended.
  const auto gap =
      std::ranges::find_if(answers, [](const Answer& one) { return one.point.size() == 0; });
  answers.erase(gap, answers.end());
  return answers;
}

/// The optimiser of a run, made again.
class ModelAgain {
 public:
  ModelAgain(const Study& study, const RunTask& task)
      : study_(study),
        task_(task),
        search_(make_search(task, {.iterations = task.iterations}, 0, study)),
        rng_(task.stream.stream("optimiser")) {}

  /// Tells the optimiser the answer to its evaluation of this number.
  void tell(const Answer& answer, std::int64_t index) {
    const std::int64_t left = std::max<std::int64_t>(1, task_.iterations - told_);
    std::vector<double> payoffs;
    Report report = answer.report(study_, left, payoffs);
    if (search_.instance_aware != nullptr) {
      report.instance = study_.instances.index_of(study_.seed, task_.key(index));
    }
    // The optimiser has not asked for the point; adopting it moves its state as asking did.
    search_.optimiser->adopt(answer.asked.point, rng_);
    search_.optimiser->tell(answer.asked, report);
    told_ += std::max<std::int64_t>(1, std::ssize(payoffs));
    payoffs_ += std::ssize(payoffs);
  }
  /// Evaluations that it was told.
  [[nodiscard]] std::int64_t told() const { return told_; }
  /// Whether a model can say anything.
  [[nodiscard]] bool has_payoffs() const { return payoffs_ > 1; }

  /// What it says of the setting that leads.
  [[nodiscard]] std::optional<Interval> leader() const {
    const Optimiser& optimiser = *search_.optimiser;
    std::optional<Certainty> certainty = optimiser.certainty();
    // An optimiser without a certainty of its own gets that of a model of its points.
    if (!certainty) {
      const Objective& objective = *task_.objective;
      certainty =
          certainty_of(optimiser, objective.space(),
                       {.range = payoff_range(objective), .noisy = objective.payoffs().noisy});
    }
    if (!certainty) return std::nullopt;
    if (certainty->claim) return in_unit({certainty->claim->low, certainty->claim->high});
    return around({.mean = optimiser.recommend().estimate, .sd = certainty->sd});
  }

  /// What it says of a point, if it also says how sure it is.
  [[nodiscard]] std::optional<std::pair<double, Interval>> at(const Point& point) const {
    const std::optional<Belief> belief = search_.optimiser->belief(point);
    if (!belief || !belief->sd || !std::isfinite(belief->mean) || !std::isfinite(*belief->sd)) {
      return std::nullopt;
    }
    return std::pair(task_.objective->unit().value_of(belief->mean), around(*belief));
  }

 private:
  /// 95 % of a normal belief, in the reported unit.
  [[nodiscard]] Interval around(const Belief& belief) const {
    const double half = kNormal95 * belief.sd.value_or(0.0);
    return in_unit({belief.mean - half, belief.mean + half});
  }
  /// Within the range that values can have, where that is known.
  [[nodiscard]] Interval in_unit(Interval payoffs) const {
    const PossibleValues range = payoff_range(*task_.objective);
    if (range.is_known()) {
      payoffs.low = std::clamp(payoffs.low, *range.low, *range.high);
      payoffs.high = std::clamp(payoffs.high, *range.low, *range.high);
    }
    const Unit unit = task_.objective->unit();
    const auto [low, high] = std::minmax({unit.value_of(payoffs.low), unit.value_of(payoffs.high)});
    return {low, high};
  }

  const Study& study_;
  const RunTask& task_;
  StageSearch search_;
  Rng rng_;
  std::int64_t told_ = 0;
  std::int64_t payoffs_ = 0;
};

/// The values of a parameter that a slice goes through: all, or some with both ends and these two.
std::vector<int> values_of_slice(const Parameter& parameter, int found, int today) {
  constexpr int kMost = 33;
  const int last = parameter.cardinality() - 1;
  std::vector<int> values;
  // Of many values 33 in even steps, both ends among them.
  for (int i = 0; i < std::min(kMost, last + 1); ++i) {
    values.push_back(
        last < kMost ? i : static_cast<int>(std::lround(double{1} * i * last / (kMost - 1))));
  }
  for (const int value : {found, today}) {
    if (value >= 0 && value <= last && !std::ranges::binary_search(values, value)) {
      values.insert(std::ranges::lower_bound(values, value), value);
    }
  }
  return values;
}

/// Numbers of evaluations, rising, at which the model is asked: the fewer the longer that takes.
std::vector<std::int64_t> steps_until(std::int64_t last) {
  constexpr double kCloser = 0.75;
  constexpr double kFirst = 4.0;
  std::vector<std::int64_t> steps;
  for (auto at = static_cast<double>(last); at >= kFirst; at *= kCloser) {
    steps.push_back(std::lround(at));
  }
  std::ranges::reverse(steps);
  return steps;
}

/// A slice for every parameter that varies; none where the model does not say how sure it is.
std::vector<RunModel::Slice> slices_of(const ModelAgain& model, const SearchSpace& space,
                                       const Point& found, const std::optional<Point>& today) {
  std::vector<RunModel::Slice> slices;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    RunModel::Slice slice{.parameter = i};
    for (const int value : values_of_slice(space[i], found[i], today ? (*today)[i] : -1)) {
      Point point = found;
      point[i] = static_cast<std::uint16_t>(value);
      // A forbidden setting has no worth.
      if (!space.is_allowed(point)) continue;
      const auto said = model.at(point);
      if (!said) return {};
      slice.values.push_back({.value = value, .mean = said->first, .interval = said->second});
    }
    slices.push_back(std::move(slice));
  }
  return slices;
}

}  // namespace

const RunModel::Slice* RunModel::slice_of(int parameter) const {
  const auto found = std::ranges::find(slices, parameter, &Slice::parameter);
  return found == slices.end() || found->values.size() < 2 ? nullptr : &*found;
}

std::optional<RunModel> run_model_of(const StudyFolder& study, const Traces& traces,
                                     const Point& found) {
  if (study.study.is_comparison() || !study.study.earlier.empty() || !study.journal)
    return std::nullopt;
  // The first run whose last recommendation is the point.
  const auto trace = std::ranges::find_if(traces.runs, [&](const RunTrace& one) {
    return !one.checkpoints.empty() && one.checkpoints.back().point == found;
  });
  if (trace == traces.runs.end()) return std::nullopt;
  const std::int64_t last = trace->checkpoints.back().evaluations;
  if (last > kLongestRun) return std::nullopt;
  RunModel said{.cell = trace->cell, .repeat = trace->repeat, .run = trace->run};
  const RunTask task =
      make_run_task(study.study, static_cast<std::uint32_t>(said.cell), said.repeat, said.run);
  // The optimiser is told the answers in their order, and asked at growing steps what it believes.
  const std::vector<Answer> answers = answers_of(study, task);
  ModelAgain model(study.study, task);
  std::vector<std::int64_t> steps = steps_until(last);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    model.tell(answers[i], static_cast<std::int64_t>(i));
    const auto reached = std::ranges::upper_bound(steps, model.told());
    if (reached == steps.begin() || !model.has_payoffs()) continue;
    steps.erase(steps.begin(), reached);
    if (const auto interval = model.leader()) said.course.push_back({model.told(), *interval});
  }
  // At the end it is asked of every setting that differs in one parameter from what was found.
  if (model.has_payoffs()) {
    const SearchSpace& space = task.objective->space();
    said.slices = slices_of(model, space, found, study.study.beginning.incumbent);
  }
  return said;
}

}  // namespace ntune
