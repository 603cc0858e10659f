// Whether an acquisition that weighs gain against cost finds more for the same cost: landscapes of
// the arena on which the cost of an evaluation varies with the parameters. A wrapper chooses among
// candidates by the model of a Gaussian process: by expected improvement alone, or divided by the
// cost that a second process expects, or by its square root.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/normal.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"

namespace ntune {
namespace {

constexpr double kNoise = 0.3;  ///< of a payoff, on values from 0 to 1

/// The logarithm of the cost is a linear function of the values' ranks, with mean 0 and the given
/// standard deviation over the grid.
class Costs {
 public:
  Costs(const SearchSpace& space, double sd, Rng rng) {
    double variance = 0.0;
    for (int i = 0; i < space.dimensions(); ++i) {
      const int values = space[i].cardinality();
      const double weight = rng.normal();
      auto& list = parts_.emplace_back();
      for (int v = 0; v < values; ++v) {
        list.push_back(weight * (values > 1 ? 2.0 * v / (values - 1) - 1.0 : 0.0));
      }
      for (const double part : list) variance += part * part / values;
    }
    for (auto& list : parts_) {
      for (double& part : list) part *= sd / std::sqrt(variance);
    }
  }

  [[nodiscard]] double log_cost(const Point& point) const {
    double sum = 0.0;
    for (int i = 0; i < point.size(); ++i) sum += parts_[static_cast<std::size_t>(i)][point[i]];
    return sum;
  }

 private:
  std::vector<std::vector<double>> parts_;
};

/// A search that knows the cost of what it has evaluated.
class Search {
 public:
  /// `power` of the cost that divides the gain; nothing: the Gaussian process chooses by itself.
  Search(const SearchSpace& space, std::int64_t evaluations, std::optional<double> power, Rng rng)
      : space_(space), power_(power), rng_(rng) {
    const OptimiserContext context{.space = &space, .budget = evaluations};
    model_ = plan_optimiser(parse_yaml("gaussian_process", "optimiser"), space).make(context);
    costs_ = plan_optimiser(parse_yaml("gaussian_process", "optimiser"), space).make(context);
  }

  Point ask() {
    const Point asked = model_->ask(rng_);
    if (!power_ || points_.empty() || !model_->belief(asked)) return asked;
    if (*power_ > 0.0 && !costs_->belief(asked)) return asked;
    constexpr int kMutants = 20;
    constexpr std::int64_t kRefresh = 8;  // asks with the same parents
    if (asked_++ % kRefresh == 0) parents_ = best_points(3);
    std::vector<Point> candidates = parents_;
    candidates.push_back(asked);
    for (int i = 0; i < kMutants; ++i) {
      candidates.push_back(space_.sample(rng_));
      Point mutant = parents_[rng_.below(static_cast<std::uint32_t>(parents_.size()))];
      const int parameter = static_cast<int>(rng_.below(static_cast<std::uint32_t>(mutant.size())));
      mutant[parameter] = candidates.back()[parameter];
      candidates.push_back(mutant);
    }
    const double best = model_->belief(parents_[0])->mean;
    std::vector<double> worth;
    for (const Point& candidate : candidates) worth.push_back(worth_of(candidate, best));
    const auto highest = std::ranges::max_element(worth) - worth.begin();
    return candidates[static_cast<std::size_t>(highest)];
  }
  void tell(const Point& point, double payoff, double log_cost) {
    model_->tell(point, payoff);
    if (power_.value_or(0.0) > 0.0) costs_->tell(point, -log_cost);
    if (known_.insert(point).second) points_.push_back(point);
  }
  [[nodiscard]] Point recommend() const { return model_->recommend().point; }

 private:
  [[nodiscard]] std::vector<Point> best_points(std::size_t count) const {
    std::vector<std::pair<double, Point>> best;
    for (const Point& point : points_) best.emplace_back(-model_->belief(point)->mean, point);
    std::ranges::sort(best);
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(count, best.size()); ++i) points.push_back(best[i].second);
    return points;
  }
  /// Expected improvement over `best`, per cost (Jones, Schonlau and Welch 1998, eq. 15; Snoek,
  /// Larochelle and Adams 2012, section 3.2).
  [[nodiscard]] double worth_of(const Point& point, double best) const {
    const Belief belief = *model_->belief(point);
    const double sd = std::max(1e-12, belief.sd.value_or(0.0));
    const double z = (belief.mean - best) / sd;
    const double gain = sd * (z * normal_below(z) + normal_density(z));
    const double log_cost = *power_ > 0.0 ? -costs_->belief(point)->mean : 0.0;
    return std::log(std::max(gain, 1e-300)) - *power_ * log_cost;
  }

  const SearchSpace& space_;
  std::optional<double> power_;
  Rng rng_;
  std::unique_ptr<Optimiser> model_;
  std::unique_ptr<Optimiser> costs_;
  std::vector<Point> points_;
  std::set<Point> known_;
  std::vector<Point> parents_;
  std::int64_t asked_ = 0;
};

struct Method {
  std::string name;
  std::optional<double> power;
};

double regret_of(const Objective& landscape, const Costs& costs, double budget,
                 const Method& method, const Rng& rng) {
  constexpr double kLongest = 4.0;  // evaluations planned for, in mean costs
  const KnownTruth& truth = *landscape.known_truth();
  Search search(landscape.space(), static_cast<std::int64_t>(kLongest * budget), method.power,
                rng.stream("search"));
  double spent = 0.0;
  for (std::uint64_t i = 0; spent < budget && i < static_cast<std::uint64_t>(kLongest * budget);
       ++i) {
    const Point point = search.ask();
    Rng stream = rng.stream("evaluation", i);
    const double log_cost = costs.log_cost(point);
    spent += std::exp(log_cost);
    search.tell(point, truth.true_value(point) + kNoise * stream.normal(), log_cost);
  }
  return *truth.optimum() - truth.true_value(search.recommend());
}

void run_all(std::int64_t runs, const std::string& csv) {
  const std::vector<std::string> landscapes = {
      "{function: branin}", "{function: hartmann6}",
      "{function: gaussian_landscape, dimensions: 6, values: 5, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}"};
  const std::vector<Method> methods = {{"gaussian_process", {}},
                                       {"gain", 0.0},
                                       {"gain per root of cost", 0.5},
                                       {"gain per cost", 1.0}};
  ResultRows rows(csv, "landscape,sd_log_cost,budget,method,run,regret", 1);
  for (std::int64_t run = 0; run < runs; ++run) {
    for (const std::string& text : landscapes) {
      const YamlNode node = parse_yaml(text, "landscape");
      const std::unique_ptr<Objective> landscape = find_objective(node).make(node, nullptr);
      for (const double sd : {1.0, 2.0}) {
        for (const int budget : {50, 150}) {
          for (const Method& method : methods) {
            rows.add(fmt::format("\"{}\",{},{},{},{}", text, sd, budget, method.name, run), [&] {
              const Rng rng = Rng(25).stream("run", static_cast<std::uint64_t>(run));
              const Costs costs(landscape->space(), sd, rng.stream("costs"));
              return fmt::format("{:.5f}", regret_of(*landscape, costs, budget, method, rng));
            });
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  std::int64_t runs = 30;
  std::string csv = "gain_per_cost.csv";
  CLI::App program("Whether a search that weighs gain against cost finds more for the same cost");
  program.add_option("--runs", runs, "runs of each row");
  program.add_option("--csv", csv, "file to which missing rows are added");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(runs, csv); });
}
