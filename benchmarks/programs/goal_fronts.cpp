// How much of the front of two goals a search has found: hypervolumes on noisy grids.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"

namespace ntune {
namespace {

constexpr int kParameters = 4;
constexpr int kValues = 11;

/// Two goals to be minimised, on a grid from 0 to 1; ZDT1 and ZDT2 (Zitzler, Deb and Thiele 2000).
struct Problem {
  bool concave = false;  ///< ZDT2
  double noise = 0.1;

  [[nodiscard]] std::pair<double, double> truth(const Point& point) const {
    const auto at = [&](int i) { return point[i] / (kValues - 1.0); };
    double sum = 0.0;
    for (int i = 1; i < kParameters; ++i) sum += at(i);
    const double g = 1.0 + 9.0 * sum / (kParameters - 1);
    const double share = at(0) / g;
    return {at(0), g * (1.0 - (concave ? share * share : std::sqrt(share)))};
  }
};

using Front = std::vector<std::pair<double, double>>;

/// The area that costs leave below (1.1, 1.1).
double hypervolume(Front costs) {
  constexpr double kCorner = 1.1;
  std::ranges::sort(costs);
  double area = 0.0;
  double last = kCorner;
  for (const auto& [x, y] : costs) {
    if (x >= kCorner || y >= last) continue;
    area += (kCorner - x) * (last - y);
    last = y;
  }
  return area;
}

/// What the whole grid's front has.
double whole_of(const Problem& problem) {
  Front costs;
  Point point(kParameters);
  for (std::uint16_t i = 0; i < kValues; ++i) {
    point[0] = i;
    costs.push_back(problem.truth(point));
  }
  return hypervolume(costs);
}

/// Payoffs of the points that were evaluated.
struct Seen {
  double first = 0.0;
  double second = 0.0;
  int n = 0;
};
using All = std::map<Point, Seen>;

/// The points whose mean payoffs none has beaten in both goals.
std::vector<Point> best_means(const All& all) {
  std::vector<Point> front;
  for (const auto& [point, seen] : all) {
    const bool beaten = std::ranges::any_of(all, [&, &one = seen](const auto& other) {
      const Seen& two = other.second;
      const double a = two.first / two.n - one.first / one.n;
      const double b = two.second / two.n - one.second / one.n;
      return a >= 0.0 && b >= 0.0 && (a > 0.0 || b > 0.0);
    });
    if (!beaten) front.push_back(point);
  }
  return front;
}

double share_of(const Problem& problem, const std::vector<Point>& points) {
  Front costs;
  for (const Point& point : points) costs.push_back(problem.truth(point));
  return hypervolume(costs) / whole_of(problem);
}

/// "evaluated,reported" for each number of evaluations: shares of the whole front's hypervolume,
/// by true values, of all points that were evaluated and of those that the search would name.
std::map<std::int64_t, std::string> search(const std::string& optimiser, const Problem& problem,
                                           std::uint64_t seed) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < kParameters; ++i) {
    parameters.push_back(make_range(fmt::format("x{}", i), 0.0, 1.0, kValues));
  }
  const SearchSpace space(parameters);
  std::map<std::int64_t, std::string> rows = {{100, ""}, {300, ""}};
  const std::int64_t budget = rows.rbegin()->first;
  OptimiserContext context{.space = &space, .budget = budget};
  context.goals = {{.is_cost = true}, {.is_cost = true}};
  std::unique_ptr<Optimiser> goals;
  if (optimiser != "random") {
    goals = plan_optimiser(parse_yaml(optimiser), space).make(context);
  }
  Rng rng(seed);
  Rng noise = Rng(seed).stream("noise");
  All all;
  for (std::int64_t i = 1; i <= budget; ++i) {
    const Proposal asked = goals ? goals->ask(rng) : Proposal{.point = space.sample(rng)};
    const auto [x, y] = problem.truth(asked.point);
    const double payoffs[] = {-x + problem.noise * noise.normal(),
                              -y + problem.noise * noise.normal()};
    Seen& seen = all[asked.point];
    seen = {seen.first + payoffs[0], seen.second + payoffs[1], seen.n + 1};
    if (goals) goals->tell(asked, {.payoffs = std::span(payoffs, 1), .goals = payoffs});
    const auto row = rows.find(i);
    if (row == rows.end()) continue;
    std::vector<Point> points;
    for (const auto& [point, known] : all) points.push_back(point);
    row->second = fmt::format("{:.4f},{:.4f}", share_of(problem, points),
                              share_of(problem, goals ? goals->front(1000) : best_means(all)));
  }
  return rows;
}

void run(const std::string& file, int runs, double noise, const std::string& options) {
  ResultRows csv(file, "optimiser,problem,noise,run,evaluations,evaluated,reported", 2);
  const std::vector<std::pair<std::string, std::string>> optimisers = {
      {"goals", "{algorithm: goals" + options + "}"},
      {"goals n_tuple", "{algorithm: goals, model: n_tuple" + options + "}"},
      {"random", "random"}};
  for (const bool concave : {false, true}) {
    const Problem problem{.concave = concave, .noise = noise};
    for (const auto& [name, optimiser] : optimisers) {
      for (int seed = 1; seed <= runs; ++seed) {
        const auto rows = search(optimiser, problem, static_cast<std::uint64_t>(seed));
        for (const auto& [evaluations, row] : rows) {
          csv.add(fmt::format("{},{},{},{},{}", name, concave ? "zdt2" : "zdt1", noise, seed,
                              evaluations),
                  [&, &shares = row] { return shares; });
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  CLI::App program("Hypervolumes of searches with two goals on noisy grids.");
  std::string file = "goal_fronts.csv";
  std::string options;
  int runs = 20;
  double noise = 0.1;
  program.add_option("--csv", file, "file of results, to which what is missing is added");
  program.add_option("--runs", runs, "runs of each search");
  program.add_option("--noise", noise, "standard deviation of either goal");
  program.add_option("--options", options, "further options of the optimiser, such as ', k: 1'");
  return ntune::run_experiment(program, argc, argv,
                               [&] { ntune::run(file, runs, noise, options); });
}
