// What `budget: {cost: …, cost_exponent: …}` is worth: studies on landscapes of the arena whose
// evaluations report a cost that varies with the parameters, or by chance alone. Studies of one
// run number have the same streams and costs, whatever their exponent.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/search_space.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace ntune {
namespace {

constexpr double kNoise = 0.3;  ///< of a payoff, on values from 0 to 1

/// How the logarithm of a cost depends on the parameters, and the standard deviation that it has
/// over the grid, and by chance.
struct CostKind {
  std::string name;
  enum class Shape { kLinear, kHills, kNone } shape;
  double scatter = 0.0;
  double chance = 0.0;
};

/// Logarithms of costs as a sum of a function of each parameter, with mean 0: linear in the rank of
/// the value, or a hill or valley at some rank.
class Costs {
 public:
  Costs(const SearchSpace& space, CostKind kind, Rng rng) : kind_(std::move(kind)) {
    double variance = 0.0;
    for (int i = 0; i < space.dimensions(); ++i) {
      const int values = space[i].cardinality();
      const double weight = rng.normal();
      const double top = rng.uniform();
      std::vector<double> list;
      double mean = 0.0;
      for (int v = 0; v < values; ++v) {
        const double rank = values > 1 ? 1.0 * v / (values - 1) : 0.5;
        const bool hills = kind_.shape == CostKind::Shape::kHills;
        list.push_back(weight * (hills ? (rank - top) * (rank - top) : rank));
        mean += list.back() / values;
      }
      for (double& part : list) {
        part -= mean;
        variance += part * part / values;
      }
      parts_.push_back(std::move(list));
    }
    for (auto& list : parts_) {
      for (double& part : list) part *= variance > 0.0 ? kind_.scatter / std::sqrt(variance) : 0.0;
    }
  }

  [[nodiscard]] double cost(const Point& point, Rng& rng) const {
    double sum = kind_.chance * rng.normal();
    for (int i = 0; i < point.size(); ++i) sum += parts_[static_cast<std::size_t>(i)][point[i]];
    return std::exp(sum);
  }

 private:
  CostKind kind_;
  std::vector<std::vector<double>> parts_;
};

/// A landscape with normal noise whose evaluations report their costs.
class CostlyLandscape final : public Objective, public OutsideProgram {
 public:
  CostlyLandscape(std::shared_ptr<const Objective> landscape, Costs costs)
      : landscape_(std::move(landscape)), costs_(std::move(costs)) {}

  [[nodiscard]] const SearchSpace& space() const override { return landscape_->space(); }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return landscape_->known_truth()->true_value(point) + kNoise * rng.normal();
  }
  [[nodiscard]] Outcome observe(const Point& point, Rng& rng,
                                const EvaluationId& /*id*/) const override {
    const double payoff = evaluate(point, rng);
    return {.payoff = payoff, .cost = costs_.cost(point, rng)};
  }
  [[nodiscard]] Rehearsal rehearse(const Point& /*point*/, Rng& /*rng*/,
                                   const EvaluationId& /*id*/) const override {
    return {};
  }
  [[nodiscard]] std::string description() const override { return "costly landscape"; }
  [[nodiscard]] const OutsideProgram* outside_program() const override { return this; }

 private:
  std::shared_ptr<const Objective> landscape_;
  Costs costs_;
};

/// Regret of what a study recommends, and how many evaluations it made.
std::string measure(const std::shared_ptr<const Objective>& landscape, const CostKind& kind,
                    int budget, double exponent, std::int64_t run) {
  const Rng rng = Rng(25).stream("run", static_cast<std::uint64_t>(run));
  const auto objective = std::make_shared<CostlyLandscape>(
      landscape, Costs(landscape->space(), kind, rng.stream("costs")));
  const std::string text = fmt::format(
      "{{budget: {{cost: {}, cost_exponent: {}}}, hold_out: 0, threads: 1, record: none, seed: "
      "{}}}",
      budget, exponent, run + 1);
  const Study study = read_study(parse_yaml(text, "study"), objective);
  StudyProgress progress;
  const StudyResult result = run_study(study, progress);
  const KnownTruth& truth = *landscape->known_truth();
  const double regret = *truth.optimum() - truth.true_value(result.cells[0].picks[0].point);
  return fmt::format("{:.5f},{}", regret, result.search_evaluations);
}

struct Plan {
  std::int64_t runs = 30;
  std::string csv = "gain_per_cost.csv";
  std::vector<std::string> landscapes = {
      "{function: branin}", "{function: hartmann6}",
      "{function: gaussian_landscape, dimensions: 6, values: 5, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}"};
  std::vector<double> exponents = {0.0, 0.25, 0.5, 1.0};
};

void run_all(const Plan& plan) {
  using Shape = CostKind::Shape;
  const std::vector<CostKind> kinds = {{"linear", Shape::kLinear, 1.0, 0.0},
                                       {"linear", Shape::kLinear, 2.0, 0.0},
                                       {"hills", Shape::kHills, 1.0, 0.5},
                                       {"chance", Shape::kNone, 0.0, 1.0},
                                       {"none", Shape::kNone, 0.0, 0.0}};
  ResultRows rows(plan.csv, "landscape,costs,scatter,budget,exponent,run,regret,evaluations", 2);
  for (std::int64_t run = 0; run < plan.runs; ++run) {
    for (const std::string& text : plan.landscapes) {
      const YamlNode node = parse_yaml(text, "landscape");
      const std::shared_ptr<const Objective> landscape = find_objective(node).make(node, nullptr);
      for (const CostKind& kind : kinds) {
        for (const int budget : {50, 150}) {
          for (const double exponent : plan.exponents) {
            rows.add(fmt::format("\"{}\",{},{},{},{},{}", text, kind.name, kind.scatter, budget,
                                 exponent, run),
                     [&] { return measure(landscape, kind, budget, exponent, run); });
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Plan plan;
  CLI::App program("Whether a search that weighs gain against cost finds more for the same cost");
  ntune::add_row_options(program, plan);
  program.add_option("--landscape", plan.landscapes, "objectives, as a study would have them");
  program.add_option("--exponent", plan.exponents, "powers of the cost that divide a promise");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(plan); });
}
