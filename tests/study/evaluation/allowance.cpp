// How many evaluations fit into what is left of a time or a cost.

#include "ntune/study/evaluation/allowance.h"

#include <vector>

#include "catch.h"
#include "ntune/study/evaluation/evaluation_recorder.h"
#include "study/make.h"
#include "study/scripted.h"

namespace ntune {

namespace {

/// A log in which an interrupted study has used some seconds.
class Used final : public StudyLog {
 public:
  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey&, const Point&,
                                            const Point*) const override {
    return std::nullopt;
  }
  void append(const Request&, const Outcome&, Time, Time) override {}
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t, std::int64_t,
                                                  std::int64_t) const override {
    return std::nullopt;
  }
  void append_run(std::uint32_t, const RunRecord&) override {}
  void append_planned(const PlannedStep& step) override { steps.push_back(step); }

  std::vector<PlannedStep> steps;
  [[nodiscard]] std::optional<double> used() const override { return 40.0; }
};

/// The next evaluations of two points, of 1000 at most, that follow these searches.
std::int64_t next_of_two(const Study& study, const RunUsage& searches, double spent,
                         std::int64_t reserve) {
  StudyProgress progress;
  Used log;
  EvaluationRecorder recorder(study.execution.on_failure, progress.stop, &log);
  Allowance allowance(study, recorder, progress, 4, 1);
  allowance.add_run(searches);
  FreshAllowance fresh(allowance, {.stage = Stage::kHoldOut}, 2);
  return fresh.next(1000, spent, searches.mean_cost(), reserve);
}

}  // namespace

TEST_CASE("a time is left for rounds of evaluations, each as long as one takes") {
  // 60 of 100 s are left. One of 4 s takes 15 rounds of 4: 60 evaluations, less those kept.
  const Study study = test::study_of("{time: 100 s}", test::coins({0.2, 0.5}));
  const RunUsage searches{.evaluations = 10, .carried_out = 10, .seconds = 40.0};
  CHECK(next_of_two(study, searches, 0.0, 0) == 30);
  CHECK(next_of_two(study, searches, 0.0, 10) == 25);
  CHECK(next_of_two(study, {.evaluations = 10, .carried_out = 10, .seconds = 700.0}, 0.0, 0) == 0);
}

TEST_CASE("a cost is left for evaluations of each point, less those that are kept") {
  // 60 of 100 are left, one costs 2: 30 evaluations.
  const Study study = test::study_of("{budget: {cost: 100}}", test::coins({0.2, 0.5}));
  const RunUsage searches{.evaluations = 10, .cost = 20.0};
  CHECK(next_of_two(study, searches, 40.0, 0) == 15);
  CHECK(next_of_two(study, searches, 40.0, 6) == 12);
  CHECK(next_of_two(study, searches, 99.0, 0) == 0);
}

TEST_CASE("the cost that is shown begins at 0") {
  const Study study = test::study_of("{budget: {cost: 100}}", test::coins({0.2, 0.5}));
  StudyProgress progress;
  EvaluationRecorder recorder(study.execution.on_failure, progress.stop, nullptr);
  Allowance allowance(study, recorder, progress, 1, 1);
  CHECK(progress.cost_used == 0.0);
  allowance.show(2.5);
  CHECK(progress.cost_used == 2.5);
}

TEST_CASE("a search whose evaluations cost what was expected keeps to its first plan") {
  // A search begins as one of four fifths of what the cost allows, 88.
  const Study study =
      test::study_of("{budget: {cost: 110}, runs: 1, threads: 1}",
                     test::scripted(6, [](const Point& point, Rng& rng) {
                       return Outcome{.payoff = 0.3 * point[0] + rng.normal(), .cost = 1.0};
                     }));
  Used log;
  test::run(study, &log);
  REQUIRE_FALSE(log.steps.empty());
  for (const PlannedStep& step : log.steps) {
    if (step.key.stage == Stage::kSearch) CHECK(step.evaluations > 80);
  }
}

}  // namespace ntune
