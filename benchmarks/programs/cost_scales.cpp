// What a model of logarithms is worth where the noise of a cost grows with the cost: Gaussian
// processes with `scale: auto` and `scale: linear` on bowls and valleys of 2 to 6 parameters, with
// log-normal noise and, to see what it costs, with normal noise. Runs of one number are paired.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/rng.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"

namespace ntune {
namespace {

/// True costs over a grid of ten values a parameter; the least is 1.
struct Landscape {
  std::string name;
  int dimensions;
  std::vector<double> centre;
  std::vector<double> weights;

  Landscape(std::string shape, int d, Rng rng) : name(std::move(shape)), dimensions(d) {
    for (int i = 0; i < d; ++i) {
      centre.push_back(std::floor(10.0 * rng.uniform()));
      weights.push_back(0.2 + rng.uniform());
    }
  }

  [[nodiscard]] double cost(const Point& point) const {
    double sum = 0.0;
    for (int i = 0; i < dimensions; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double x = (point[i] - centre[at]) / 9.0;
      sum += weights[at] * x * x;
      if (name == "valley" && i > 0) {
        const double turned = x - (point[i - 1] - centre[at - 1]) / 9.0;
        sum += 4.0 * turned * turned;
      }
    }
    return name == "exponential" ? std::exp(3.0 * sum) : 1.0 + 5.0 * sum;
  }
};

/// The noise of an observed cost: a factor with the mean 1, or a summand.
struct Noise {
  bool is_lognormal;
  double size;

  [[nodiscard]] double observed(double cost, Rng& rng) const {
    const double z = size * rng.normal();
    return is_lognormal ? cost * std::exp(z - 0.5 * size * size) : cost + z;
  }
};

/// The true cost of what a search recommends after so many evaluations, and its estimate.
std::string measure(const Landscape& landscape, const std::string& settings, const Noise& noise,
                    int budget, const Rng& rng) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < landscape.dimensions; ++i) {
    parameters.push_back(make_integers(fmt::format("x{}", i), 0, 9));
  }
  const SearchSpace space(std::move(parameters));
  const OptimiserPlan plan = plan_optimiser(parse_yaml(settings), space);
  const std::unique_ptr<Optimiser> search = plan.make({.space = &space, .budget = budget});
  Rng asks = rng.stream("asks");
  Rng noises = rng.stream("noise");
  for (int i = 0; i < budget; ++i) {
    const Point point = search->ask(asks).point;
    search->tell(point, -noise.observed(landscape.cost(point), noises));
  }
  const Recommendation best = search->recommend();
  return fmt::format("{:.5f},{:.5f}", landscape.cost(best.point), -best.estimate);
}

struct Plan {
  std::int64_t runs = 30;
  std::string csv = "cost_scales.csv";
  std::vector<std::string> shapes = {"bowl", "valley", "exponential"};
  std::vector<int> dimensions = {2, 4, 6};
  std::vector<int> budgets = {60, 200};
  std::vector<std::string> optimisers = {"gaussian_process",
                                         "{algorithm: gaussian_process, scale: linear}"};
};

/// Adds the rows of one landscape.
void run_landscape(const Plan& plan, const Landscape& landscape, std::int64_t run, const Rng& rng,
                   ResultRows& rows) {
  for (const Noise& noise : {Noise{true, 0.1}, {true, 0.3}, {true, 1.0}, {false, 0.3}}) {
    for (const int budget : plan.budgets) {
      for (const std::string& settings : plan.optimisers) {
        rows.add(fmt::format("{},{},{},{},{},{},\"{}\"", landscape.name, landscape.dimensions,
                             noise.is_lognormal ? "lognormal" : "normal", noise.size, budget, run,
                             settings),
                 [&] { return measure(landscape, settings, noise, budget, rng); });
      }
    }
  }
}

void run_all(const Plan& plan) {
  ResultRows rows(plan.csv, "landscape,dimensions,noise,size,budget,run,optimiser,cost,estimate",
                  2);
  for (std::int64_t run = 0; run < plan.runs; ++run) {
    for (const std::string& shape : plan.shapes) {
      for (const int d : plan.dimensions) {
        const Rng rng = Rng(27).stream(Purpose(shape), run, d);
        run_landscape(plan, Landscape(shape, d, rng.stream("landscape")), run, rng, rows);
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Plan plan;
  CLI::App program("Whether a model of logarithms finds lower costs");
  ntune::add_row_options(program, plan);
  program.add_option("--shape", plan.shapes, "bowl, valley, exponential");
  program.add_option("--dimensions", plan.dimensions, "numbers of parameters");
  program.add_option("--budget", plan.budgets, "evaluations");
  program.add_option("--optimiser", plan.optimisers, "as a study would have them");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(plan); });
}
