// What a search claims of the point that it recommends, beside the truth: the estimate, its 95 %
// interval and the probability that no sampled point is better. A row a run, on the objectives of a
// study with known true values, or with --rates on games whose rates of wins are near 0 and 1. Run
// r of an objective and budget has the same streams for every optimiser.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/claims/point_claims.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run/run.h"

namespace ntune {
namespace {

struct Arguments {
  std::string study = "configs/papers/arena.yaml";
  std::vector<std::size_t> objectives = {};
  std::vector<std::int64_t> budgets = {100, 300};
  std::vector<std::string> optimisers = {"auto"};
  std::int64_t runs = 100;
  std::int64_t seed = 26;
  std::string csv = "estimate_coverage.csv";
  bool rates = false;
};

/// An objective of the study, by its place in the list.
struct Landscape {
  std::size_t place = 0;
  std::unique_ptr<Objective> objective;
};

/// Rates of wins that a run draws for each of its points: evenly by the logarithm of the distance
/// to the nearer end, from 0 or 1.
struct RateCell {
  double low;
  double high;
  int points;
};
constexpr std::array kRateCells = {
    RateCell{0.005, 0.1, 4},  RateCell{0.005, 0.1, 20}, RateCell{0.02, 0.02, 4},
    RateCell{0.1, 0.1, 4},    RateCell{0.3, 0.7, 4},    RateCell{0.3, 0.7, 20},
    RateCell{0.9, 0.9, 4},    RateCell{0.95, 0.95, 4},  RateCell{0.95, 0.99, 4},
    RateCell{0.95, 0.99, 20}, RateCell{0.98, 0.98, 4},  RateCell{0.99, 0.99, 4}};

/// Games that are won or lost by such rates, at values without an order.
class Rates final : public Objective, public KnownTruth {
 public:
  Rates(const RateCell& cell, Rng rng) : space_({make_choices("a", words(cell.points))}) {
    for (int i = 0; i < cell.points; ++i) rates_.push_back(draw(cell, rng.uniform()));
  }
  [[nodiscard]] const SearchSpace& space() const override { return space_; }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override {
    return rng.bernoulli(true_value(point)) ? 1.0 : 0.0;
  }
  [[nodiscard]] std::string description() const override { return "rates"; }
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = 0.0, .high = 1.0, .two_valued = true};
  }
  [[nodiscard]] const KnownTruth* known_truth() const override { return this; }
  [[nodiscard]] double true_value(const Point& point) const override { return rates_[point[0]]; }
  [[nodiscard]] std::optional<double> optimum() const override {
    return *std::ranges::max_element(rates_);
  }

 private:
  static std::vector<Value> words(int count) {
    std::vector<Value> words;
    for (int i = 0; i < count; ++i) words.emplace_back(fmt::format("player {}", i + 1));
    return words;
  }
  static double draw(const RateCell& cell, double share) {
    const bool high = cell.low > 0.5;
    const double from = high ? 1.0 - cell.high : cell.low;
    const double to = high ? 1.0 - cell.low : cell.high;
    const double distance = from * std::pow(to / from, share);
    return high ? 1.0 - distance : distance;
  }

  SearchSpace space_;
  std::vector<double> rates_;
};

/// One search: what it is told, and the best true value of what it has asked for.
struct SearchMade {
  std::unique_ptr<Optimiser> optimiser;
  double best = -std::numeric_limits<double>::infinity();
};

SearchMade search(const Objective& objective, const std::string& algorithm, std::int64_t budget,
                  const Rng& rng) {
  const Payoffs payoffs = objective.payoffs();
  const OptimiserContext context{.space = &objective.space(),
                                 .budget = budget,
                                 .payoff_low = payoffs.low,
                                 .payoff_high = payoffs.high,
                                 .noisy = payoffs.noisy};
  SearchMade made{
      .optimiser =
          plan_optimiser(parse_yaml(algorithm, "optimisers"), objective.space()).make(context)};
  Rng asks = rng.stream("search");
  for (std::int64_t i = 0; i < budget; ++i) {
    const Point point = made.optimiser->ask(asks).point;
    Rng evaluation = rng.stream("evaluation", static_cast<std::uint64_t>(i));
    const double payoff = objective.evaluate(point, evaluation);
    made.optimiser->tell(point, payoff);
    made.best = std::max(made.best, objective.known_truth()->true_value(point));
  }
  return made;
}

/// The columns that are measured.
std::string claims(const Objective& objective, const SearchMade& made) {
  const Unit unit = objective.unit();
  const Payoffs payoffs = objective.payoffs();
  const Recommendation recommendation = made.optimiser->recommend();
  const double truth = objective.known_truth()->true_value(recommendation.point);
  Pick pick;
  pick.estimate = unit.value_of(recommendation.estimate);
  pick.certainty = certainty_of(*made.optimiser, objective.space(),
                                {.range = {payoffs.low, payoffs.high}, .noisy = payoffs.noisy});
  std::string certain = ",,,";
  if (pick.certainty) {
    to_reported(unit, *pick.certainty);
    if (pick.certainty->claim) pick.estimate = pick.certainty->claim->mean;
    const Interval held = estimate_interval(objective, pick);
    const std::optional<double> regret = best_probability(objective, pick)->regret;
    certain = fmt::format("{:.5f},{:.5f},{:.3f},{}", held.low, held.high,
                          pick.certainty->best_probability.value(),
                          regret ? fmt::format("{:.5f}", *regret) : "");
  }
  return fmt::format("{:.5f},{},{:.5f},{:.5f},{}", pick.estimate, certain, truth, made.best - truth,
                     recommendation.evaluations);
}

std::vector<Landscape> landscapes(const Arguments& arguments) {
  const YamlNode study = read_yaml(arguments.study);
  const YamlNode* objectives = study.find("objectives");
  if (objectives == nullptr) study.fail("has no objectives");
  std::vector<Landscape> found;
  for (std::size_t i = 0; i < objectives->children().size(); ++i) {
    const bool wanted = arguments.objectives.empty() ||
                        std::ranges::find(arguments.objectives, i) != arguments.objectives.end();
    const YamlNode& node = objectives->children()[i];
    if (!wanted) continue;
    Landscape landscape{.place = i, .objective = find_objective(node).make(node, nullptr)};
    if (landscape.objective->known_truth() == nullptr) node.fail("has no known true values");
    found.push_back(std::move(landscape));
  }
  return found;
}

void run_rates(const Arguments& arguments, ResultRows& rows) {
  for (std::int64_t run = 0; run < arguments.runs; ++run) {
    for (const std::int64_t budget : arguments.budgets) {
      for (const RateCell& cell : kRateCells) {
        const std::string name =
            fmt::format("rates {} to {} at {} points", cell.low, cell.high, cell.points);
        const Rng rng = Rng(static_cast<std::uint64_t>(arguments.seed))
                            .stream("rates", Purpose(name).hash, static_cast<std::uint64_t>(budget),
                                    static_cast<std::uint64_t>(run));
        const Rates objective(cell, rng.stream("draw"));
        for (const std::string& optimiser : arguments.optimisers) {
          rows.add(fmt::format("{},{},{},{}", name, budget, optimiser, run),
                   [&] { return claims(objective, search(objective, optimiser, budget, rng)); });
        }
      }
    }
  }
}

void run_all(const Arguments& arguments) {
  ResultRows rows(arguments.csv,
                  "objective,budget,optimiser,run,estimate,low,high,best_probability,"
                  "expected_regret,true_value,regret,evaluations",
                  8);
  if (arguments.rates) return run_rates(arguments, rows);
  const std::vector<Landscape> all = landscapes(arguments);
  for (std::int64_t run = 0; run < arguments.runs; ++run) {
    for (const std::int64_t budget : arguments.budgets) {
      for (const Landscape& landscape : all) {
        const Rng rng = Rng(static_cast<std::uint64_t>(arguments.seed))
                            .stream("run", landscape.place, static_cast<std::uint64_t>(budget),
                                    static_cast<std::uint64_t>(run));
        for (const std::string& optimiser : arguments.optimisers) {
          rows.add(fmt::format("{},{},{},{}", landscape.place, budget, optimiser, run), [&] {
            return claims(*landscape.objective,
                          search(*landscape.objective, optimiser, budget, rng));
          });
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program("What searches claim of their recommendations, beside the truth");
  program.add_option("--study", arguments.study, "study file whose objectives are searched");
  program
      .add_option("--objectives", arguments.objectives,
                  "their places from 0, by commas; default: all")
      ->delimiter(',');
  program.add_option("--budgets", arguments.budgets, "evaluations, by commas")->delimiter(',');
  program.add_option("--optimisers", arguments.optimisers, "names, by commas")->delimiter(',');
  ntune::add_row_options(program, arguments);
  program.add_option("--seed", arguments.seed, "seed of all runs");
  program.add_flag("--rates", arguments.rates,
                   "games with rates near 0 and 1, not the study's objectives");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(arguments); });
}
