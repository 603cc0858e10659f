// What adaptive capping saves in a comparison of candidates by their run times, and that it changes
// no choice: the same comparison with and without it, on log-normal times of simulated programs.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/study/choice/re_evaluation.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/evaluator.h"
#include "tests/study/timed.h"

namespace ntune {
namespace {

struct Times {
  double sd = 1.0;      ///< of the logarithm, over instances
  double cutoff = 0.0;  ///< in medians of the best candidate; 0: none
};

/// Seconds of a simulated program. Half the variance of the logarithm goes with the random stream,
/// as with the instance that all candidates meet.
double draw_time(const Times& times, const Point& point, Rng& rng) {
  constexpr double kStep = 0.1;  // between the logarithms of neighbours
  const double half = times.sd / std::sqrt(2.0);
  const double instance = rng.normal();
  Rng own = rng.stream("own", point[0]);
  return std::exp(kStep * point[0] + half * instance + half * own.normal());
}

struct Compared {
  std::size_t winner = 0;
  double seconds = 0.0;
  std::int64_t evaluations = 0;
};

Compared compare(int count, const Times& times, ReEvaluationMethod method, bool capping,
                 std::uint64_t seed) {
  constexpr std::int64_t kEvaluationsEach = 40;
  const auto draw = [&](const Point& point, Rng& rng) { return draw_time(times, point, rng); };
  const test::Timed solver(count, draw, times.cutoff > 0.0 ? times.cutoff : 1e300);
  Study study;
  study.re_evaluation = {.method = method, .common_random_numbers = true, .capping = capping};
  study.execution.threads = 1;
  StudyProgress progress;
  LocalBackend backend(1);
  Evaluator evaluator(study, backend, progress);
  Parallel parallel(1);
  std::vector<Candidate> candidates;
  Rng rng(seed);
  for (int i = 0; i < count; ++i) {
    Point point(1);
    point[0] = static_cast<std::uint16_t>(i);
    // A search knows the order roughly.
    candidates.push_back({.point = point, .estimate = -0.1 * i + 0.2 * rng.normal(), .run = i});
  }
  Compared compared;
  compared.winner = re_evaluate(evaluator, solver, candidates, kEvaluationsEach * count, {},
                                rng.stream("comparison"), parallel);
  compared.seconds = solver.spent();
  for (const Candidate& candidate : candidates) compared.evaluations += candidate.evaluations;
  return compared;
}

struct Row {
  std::int64_t n = 0;
  std::int64_t same = 0;
  RunningStats share = {};  ///< of the seconds without capping
  RunningStats evaluations = {};
};

Row measure(int count, const Times& times, ReEvaluationMethod method, std::int64_t n) {
  Row row{.n = n};
  for (std::int64_t i = 0; i < n; ++i) {
    const auto seed = static_cast<std::uint64_t>(i) + 1;
    const Compared whole = compare(count, times, method, false, seed);
    const Compared capped = compare(count, times, method, true, seed);
    row.same += whole.winner == capped.winner ? 1 : 0;
    row.share.add(capped.seconds / whole.seconds);
    row.evaluations.add(static_cast<double>(capped.evaluations) /
                        static_cast<double>(whole.evaluations));
  }
  return row;
}

void run(std::int64_t n, const std::string& csv) {
  std::string text =
      "method,candidates,sd_log,cutoff,n,same_choice,time_share,low,high,evaluations_share\n";
  for (const auto& [name, method] :
       {std::pair("sequential_halving", ReEvaluationMethod::kSequentialHalving),
        {"repeats", ReEvaluationMethod::kRepeats}}) {
    for (const Times& times :
         {Times{.sd = 0.5}, {.sd = 1.0}, {.sd = 2.0}, {.sd = 2.0, .cutoff = 20.0}}) {
      for (const int count : {2, 4, 8, 16}) {
        const Row row = measure(count, times, method, n);
        // Not kNormal95: the recorded tables have 1.96.
        const double half = 1.96 * row.share.sd() / std::sqrt(static_cast<double>(n));
        text +=
            fmt::format("{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f}\n", name, count, times.sd,
                        times.cutoff, n, row.same, row.share.mean(), row.share.mean() - half,
                        row.share.mean() + half, row.evaluations.mean());
      }
    }
  }
  std::fputs(text.c_str(), stdout);
  if (!csv.empty()) std::ofstream(csv) << text;
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  std::string csv;
  CLI::App program("What adaptive capping saves in a comparison of candidates by their run times");
  program.add_option("--csv", csv, "file of results, beside standard output");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(1000, csv); });
}
