// Several evaluations of one run in flight: `parallel_evaluations`.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/run/run.h"
#include "study/make.h"
#include "study/scripted.h"

namespace ntune {

using test::arms;
using test::study_of;

namespace {

/// Sleeps for up to 0.3 ms, differently in every process and thread.
void dawdle() {
  thread_local std::minstd_rand random(std::random_device{}());
  std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
}

std::shared_ptr<const Objective> slow_arms() {
  return arms(6, [](const Point& point, Rng& rng) {
    dawdle();
    return 0.3 * point[0] + rng.normal();
  });
}

/// What a run should do, from the definition. It keeps `width` evaluations in flight, but no more
/// than are left, and tells results in the order of the asks.
struct ByHand {
  std::vector<Point> asked;
  std::vector<double> payoffs;
  Recommendation recommendation;

  ByHand(const RunTask& task, std::int64_t width) {
    const Objective& objective = *task.objective;
    const auto optimiser = task.optimiser->make({.space = &objective.space(),
                                                 .budget = task.iterations,
                                                 .payoff_low = objective.payoffs().low,
                                                 .payoff_high = objective.payoffs().high});
    Rng rng = task.stream.stream("optimiser");
    std::deque<Point> in_flight;
    for (std::int64_t told = 0; told < task.iterations; ++told) {
      while (std::ssize(in_flight) < std::min(width, task.iterations - told)) {
        in_flight.push_back(optimiser->ask(rng).point);
        asked.push_back(in_flight.back());
        if (width > 1) optimiser->pending(in_flight.back(), true);
      }
      const Point point = in_flight.front();
      in_flight.pop_front();
      Rng stream = task.stream.stream("evaluation", static_cast<std::uint64_t>(told));
      payoffs.push_back(objective.evaluate(point, stream));
      if (width > 1) optimiser->pending(point, false);
      optimiser->tell(point, payoffs.back());
    }
    recommendation = optimiser->recommend();
  }
};

/// Counts what is in flight.
class CountingBackend final : public LocalBackend {
 public:
  using LocalBackend::LocalBackend;

  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override {
    ++open_;
    most_ = std::max(most_, open_);
    const std::int64_t left = total_ - done_;
    kept_ = kept_ && (total_ == 0 || open_ <= left);
    return std::make_unique<Counted>(*this, LocalBackend::submit(request, std::move(finish)));
  }

  /// At most so many will be waited for.
  void expect(std::int64_t total) { total_ = total; }
  [[nodiscard]] std::int64_t most() const { return most_; }
  [[nodiscard]] bool kept() const { return kept_; }

 private:
  class Counted final : public Ticket {
   public:
    Counted(CountingBackend& backend, std::unique_ptr<Ticket> inner)
        : backend_(backend), inner_(std::move(inner)) {}
    void wait() override {
      inner_->wait();
      --backend_.open_;
      ++backend_.done_;
    }

   private:
    CountingBackend& backend_;
    std::unique_ptr<Ticket> inner_;
  };

  std::int64_t open_ = 0;
  std::int64_t done_ = 0;
  std::int64_t most_ = 0;
  std::int64_t total_ = 0;
  bool kept_ = true;
};

}  // namespace

TEST_CASE("a run asks and tells in the order of its definition") {
  for (const char* algorithm : {"ntbea", "random", "rmhc"}) {
    for (const int width : {1, 2, 4, 9, 100}) {
      const Study study = study_of(
          fmt::format("{{optimiser: {{algorithm: {}}}, iterations: 60, parallel_evaluations: {}, "
                      "threads: 3}}",
                      algorithm, width),
          slow_arms());
      CAPTURE(algorithm, width);
      StudyProgress progress;
      test::MemoryLog log;
      LocalBackend backend(study.execution.threads);
      Evaluator evaluator(study, backend, progress, &log);
      Parallel parallel(1);
      const RunTask task = make_run_task(study, 0, 0, 2);
      const RunRecord record = run_once(task, evaluator, parallel);
      const ByHand expected(task, width);
      const auto evaluations = log.sorted();
      REQUIRE(evaluations.size() == 60);
      for (std::size_t i = 0; i < evaluations.size(); ++i) {
        REQUIRE(evaluations[i].key.index == static_cast<std::int64_t>(i));
        REQUIRE(evaluations[i].point == expected.asked[i]);
        REQUIRE(evaluations[i].outcome.payoff == expected.payoffs[i]);
      }
      CHECK(record.point == expected.recommendation.point);
      CHECK(record.estimate == expected.recommendation.estimate);
      CHECK(record.point_evaluations == expected.recommendation.evaluations);
    }
  }
}

TEST_CASE("results do not depend on how long evaluations take, nor on threads") {
  for (const int width : {2, 5}) {
    Study study =
        study_of(fmt::format("{{runs: 4, iterations: 40, re_evaluation: 30, hold_out: 20, "
                             "parallel_evaluations: {}}}",
                             width),
                 slow_arms());
    study.execution.threads = 1;
    const std::string expected = test::full_outputs(study);
    for (const int threads : {1, 2, 8}) {
      study.execution.threads = threads;
      CHECK((test::full_outputs(study) == expected));
    }
  }
}

TEST_CASE("a comparison with evaluations in flight is the same for every number of threads") {
  Study study = study_of(
      "{runs: 4, iterations: [20, 30], optimisers: [ntbea, random], parallel_evaluations: 3}",
      slow_arms());
  study.execution.threads = 1;
  const std::string expected = test::full_outputs(study);
  for (const int threads : {2, 8}) {
    study.execution.threads = threads;
    CHECK((test::full_outputs(study) == expected));
  }
}

TEST_CASE("the number of evaluations in flight changes what a run asks, but not its streams") {
  const auto search = [](int width) {
    test::MemoryLog log;
    test::run(study_of(fmt::format("{{objective: hartmann6, optimiser: random, runs: 2, "
                                   "iterations: 30, parallel_evaluations: {}}}",
                                   width)),
              &log);
    return log.text();
  };
  // Random search does not learn.
  CHECK(search(1) == search(7));
}

TEST_CASE("never more evaluations are in flight than allowed or left") {
  for (const std::int64_t width : {2, 5, 20}) {
    for (const std::int64_t iterations : {1, 2, 4, 33}) {
      Study study = study_of(fmt::format("{{iterations: {}, parallel_evaluations: {}, threads: 4}}",
                                         iterations, width),
                             slow_arms());
      StudyProgress progress;
      CountingBackend backend(study.execution.threads);
      Evaluator evaluator(study, backend, progress);
      backend.expect(iterations);
      Parallel parallel(1);
      CHECK(run_once(make_run_task(study, 0, 0, 0), evaluator, parallel).finished);
      CHECK(backend.most() == std::min(width, iterations));
      CHECK(backend.kept());
    }
  }
}

TEST_CASE("never more evaluations of a hold-out are in flight than allowed") {
  const Study study = study_of("{parallel_evaluations: 6, threads: 3}", slow_arms());
  StudyProgress progress;
  CountingBackend backend(study.execution.threads);
  Evaluator evaluator(study, backend, progress);
  backend.expect(50);
  Parallel parallel(1);
  const Sample sample = draw_sample(
      evaluator, *study.objectives[0].objective, test::arm(2), 50, {.stage = Stage::kHoldOut},
      [](std::uint64_t i) { return Rng(5).stream("hold-out", i); }, parallel);
  CHECK(sample.payoffs.size() == 50);
  CHECK(backend.most() == 6);
  CHECK(backend.kept());
}

TEST_CASE("evaluations of one run are carried out at once") {
  auto running = std::make_shared<std::atomic<int>>(0);
  auto most = std::make_shared<std::atomic<int>>(0);
  const auto objective = arms(4, [=](const Point&, Rng& rng) {
    const int now = ++*running;
    int seen = *most;
    while (now > seen && !most->compare_exchange_weak(seen, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --*running;
    return rng.uniform();
  });
  test::run(study_of("{runs: 1, iterations: 40, hold_out: 0, parallel_evaluations: 4, threads: 8}",
                     objective));
  CHECK(*most == 4);
}

TEST_CASE("a study with evaluations in flight stops from another thread") {
  StudyProgress progress;
  const Study study =
      study_of("{runs: 8, iterations: 1000000, parallel_evaluations: 4, threads: 3}", slow_arms());
  std::jthread watcher([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    progress.stop = true;
  });
  CHECK(run_study(study, progress).interrupted);
}

TEST_CASE("no evaluation outlives its run") {
  // A call may bring five payoffs: those in flight behind it are not needed.
  Payoffs payoffs;
  payoffs.several = true;
  auto running = std::make_shared<std::atomic<int>>(0);
  const Study study =
      study_of("{iterations: 10, parallel_evaluations: 4, threads: 4}",
               test::scripted(
                   3,
                   [running](const Point&, Rng& rng) {
                     ++*running;
                     dawdle();
                     --*running;
                     return Outcome{.payoff = rng.uniform(), .observations = {0, 1, 2, 3, 4}};
                   },
                   payoffs));
  StudyProgress progress;
  LocalBackend backend(study.execution.threads);
  Evaluator evaluator(study, backend, progress);
  Parallel parallel(1);
  for (int i = 0; i < 20; ++i) {
    const RunRecord record = run_once(make_run_task(study, 0, 0, i), evaluator, parallel);
    CHECK(record.evaluations == 10);
    REQUIRE(*running == 0);
  }
}

TEST_CASE("what a log cannot record ends a study with evaluations in flight") {
  class FullLog final : public StudyLog {
   public:
    explicit FullLog(int room) : room_(room) {}
    [[nodiscard]] std::optional<Outcome> find(const EvaluationKey&, const Point&,
                                              const Point*) const override {
      return std::nullopt;
    }
    void append(const Request&, const Outcome&, Time, Time) override {
      if (--room_ < 0) throw InputError("journal.log: cannot write it: No space left on device");
    }
    [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t, std::int64_t,
                                                    std::int64_t) const override {
      return std::nullopt;
    }
    void append_run(std::uint32_t, const RunRecord&) override {}

   private:
    std::atomic<int> room_;
  };
  for (const int width : {1, 4}) {
    FullLog log(25);
    const Study study = study_of(
        fmt::format("{{runs: 4, iterations: 100, parallel_evaluations: {}}}", width), slow_arms());
    CHECK_THROWS_AS(test::run(study, &log), InputError);
  }
  // Two calls bring ten payoffs: nobody waits for those behind them.
  Payoffs payoffs;
  payoffs.several = true;
  const auto five = [](const Point&, Rng& rng) {
    return Outcome{.payoff = rng.uniform(), .observations = {0, 1, 2, 3, 4}};
  };
  FullLog log(2);
  const Study study = study_of("{iterations: 10, hold_out: 0, parallel_evaluations: 4, threads: 1}",
                               test::scripted(3, five, payoffs));
  CHECK_THROWS_AS(test::run(study, &log), InputError);
}

}  // namespace ntune
