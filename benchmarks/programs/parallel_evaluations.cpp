// What several evaluations in flight cost in quality: the true value of what a run recommends, for
// 1, 2, 4, 8 and 16 at a time. The window is simulated in one thread: a result is told q asks after
// its own, in the order of the asks, as a study does it. Run r has the same seed for every q.

#include <cstdint>
#include <deque>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/error.h"
#include "ntune/core/parallel.h"
#include "ntune/core/statistics.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/functions/function_objective.h"
#include "ntune/objective/functions/functions.h"
#include "ntune/optim/optimisers.h"

namespace ntune {
namespace {

constexpr std::size_t kInFlight[] = {1, 2, 4, 8, 16};

struct Arguments {
  std::int64_t runs = 1000;
  std::int64_t iterations = 1000;
  std::uint64_t seed = 2020;
  std::string optimiser = "ntbea";
  bool marks = true;
  std::string csv;
};

struct Named {
  std::string name;
  std::unique_ptr<FunctionObjective> objective;
};

std::vector<Named> make_objectives() {
  std::vector<Named> list;
  const auto add = [&](const char* name, BenchmarkFunction function) {
    list.push_back({name, std::make_unique<FunctionObjective>(std::move(function))});
  };
  add("hartmann3", make_hartmann3());
  add("hartmann6", make_hartmann6());
  add("branin", make_branin());
  add("goldstein_price", make_goldstein_price());
  return list;
}

/// One run with `in_flight` evaluations at a time; the true value of its recommendation.
double run(const FunctionObjective& objective, const OptimiserPlan& plan,
           const Arguments& arguments, std::size_t in_flight, const Rng& rng) {
  const auto optimiser = plan.make({.space = &objective.space(),
                                    .budget = arguments.iterations,
                                    .payoff_low = objective.payoffs().low,
                                    .payoff_high = objective.payoffs().high});
  const bool mark = arguments.marks && in_flight > 1;
  Rng own = rng.stream("optimiser");
  std::deque<Point> window;
  std::int64_t asked = 0;
  for (std::int64_t told = 0; told < arguments.iterations; ++told) {
    for (; window.size() < in_flight && asked < arguments.iterations; ++asked) {
      window.push_back(optimiser->ask(own).point);
      if (mark) optimiser->pending(window.back(), true);
    }
    Rng stream = rng.stream("evaluation", static_cast<std::uint64_t>(told));
    if (mark) optimiser->pending(window.front(), false);
    optimiser->tell(window.front(), objective.evaluate(window.front(), stream));
    window.pop_front();
  }
  return *true_value_of(objective, optimiser->recommend().point);
}

std::vector<double> run_all(const FunctionObjective& objective, const Arguments& arguments,
                            std::size_t in_flight) {
  const YamlNode study = parse_yaml("optimiser: " + arguments.optimiser, "--optimiser");
  const OptimiserPlan plan = plan_optimiser(*study.find("optimiser"), objective.space());
  std::vector<double> values(static_cast<std::size_t>(arguments.runs));
  Parallel().for_each(values.size(), [&](std::size_t r) {
    const Rng rng = Rng(arguments.seed).stream("run", r);
    values[r] = run(objective, plan, arguments, in_flight, rng);
  });
  return values;
}

/// Prints the rows of one objective and returns them as lines of CSV.
std::string compare(const Named& named, const Arguments& arguments) {
  std::string csv;
  std::vector<double> sequential;
  for (const std::size_t in_flight : kInFlight) {
    const std::vector<double> values = run_all(*named.objective, arguments, in_flight);
    if (sequential.empty()) sequential = values;
    RunningStats differences;
    for (std::size_t r = 0; r < values.size(); ++r) differences.add(values[r] - sequential[r]);
    const RunningStats sample = stats_of(values);
    const Interval mean = student_interval(sample);
    const Interval difference = student_interval(differences);
    const double loss = 0.0 - 100.0 * differences.mean() / stats_of(sequential).mean();
    fmt::print(
        "{:<16} {:>3} {:>6} {:>8.4f} {:>7.4f}  [{:.4f}, {:.4f}] {:>+8.4f}  [{:+.4f}, "
        "{:+.4f}] {:>+6.2f} %\n",
        named.name, in_flight, sample.count(), sample.mean(), sample.sd(), mean.low, mean.high,
        differences.mean(), difference.low, difference.high, loss);
    csv += fmt::format("{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.3f}\n",
                       named.name, arguments.iterations, in_flight, sample.count(), sample.mean(),
                       sample.sd(), mean.low, mean.high, differences.mean(), difference.low,
                       difference.high, loss);
  }
  return csv;
}

void compare_all(const Arguments& arguments) {
  fmt::print("{:<16} {:>3} {:>6} {:>8} {:>7}  {:<16} {:>8}  {:<18} {:>8}\n", "objective", "q",
             "runs", "mean", "sd", "95 %", "to q = 1", "95 %", "loss");
  std::string csv =
      "objective,iterations,in_flight,runs,mean,sd,low,high,difference,difference_low,"
      "difference_high,loss_percent\n";
  for (const Named& named : make_objectives()) csv += compare(named, arguments);
  if (arguments.csv.empty()) return;
  std::ofstream file(arguments.csv);
  if (!(file << csv).flush()) throw InputError(arguments.csv + ": cannot be written");
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program("What a search loses that has several evaluations in flight");
  program.add_option("--runs", arguments.runs, "runs of each row")->check(CLI::PositiveNumber);
  program.add_option("--iterations", arguments.iterations, "evaluations of a run")
      ->check(CLI::PositiveNumber);
  program.add_option("--seed", arguments.seed, "seed of all runs");
  program.add_option("--optimiser", arguments.optimiser, "a name, or a map as in YAML");
  program.add_flag("!--unmarked", arguments.marks, "without marks at what is in flight");
  program.add_option("--csv", arguments.csv, "file of results");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::compare_all(arguments); });
}
