// Whether cheaper, possibly biased looks at a setting help a search: recorded games with fewer
// repeats per evaluation, and Rolling Horizon Evolution with fewer ticks. All methods spend the
// same cost, counted in whole evaluations. Run r of a case has the same streams for every method.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/statistics.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"

namespace ntune {
namespace {

/// A level of fidelity: what one evaluation is, and its cost as a share of a whole one.
struct Level {
  const Objective* objective = nullptr;
  int games = 1;  ///< per evaluation
  double cost = 1.0;
};

/// A tuning problem at two levels.
struct Case {
  std::string name;
  Level low;
  Level full;
  std::vector<std::int64_t> budgets;  ///< whole evaluations
};

/// Evaluations of one run, which count their cost.
class Account {
 public:
  Account(const Case& of, std::int64_t budget, const Rng& rng)
      : case_(of), left_(static_cast<double>(budget)), rng_(rng) {}

  [[nodiscard]] const Case& problem() const { return case_; }
  [[nodiscard]] const SearchSpace& space() const { return case_.full.objective->space(); }
  [[nodiscard]] const Level& level(bool whole) const { return whole ? case_.full : case_.low; }
  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] bool affords(bool whole) const { return level(whole).cost <= left_ + 1e-9; }
  /// Evaluations of a level that a cost buys.
  [[nodiscard]] std::int64_t count(bool whole, double cost) const {
    return static_cast<std::int64_t>(std::floor(cost / level(whole).cost + 1e-9));
  }
  /// The payoffs of single games.
  std::vector<double> look(const Point& point, bool whole) {
    const Level& of = level(whole);
    left_ -= of.cost;
    Rng stream = rng_.stream("evaluation", evaluations_++);
    std::vector<double> games;
    for (int i = 0; i < of.games; ++i) games.push_back(of.objective->evaluate(point, stream));
    return games;
  }
  double mean_of_look(const Point& point, bool whole) {
    const std::vector<double> games = look(point, whole);
    return std::accumulate(games.begin(), games.end(), 0.0) / static_cast<double>(games.size());
  }
  [[nodiscard]] OptimiserContext context(std::int64_t budget) const {
    const Payoffs payoffs = case_.full.objective->payoffs();
    return {.space = &space(),
            .budget = std::max<std::int64_t>(1, budget),
            .payoff_low = payoffs.low,
            .payoff_high = payoffs.high};
  }
  [[nodiscard]] Rng rng(Purpose purpose) const { return rng_.stream(purpose); }

 private:
  const Case& case_;
  double left_;
  Rng rng_;
  std::uint64_t evaluations_ = 0;
};

struct Search {
  std::unique_ptr<Optimiser> optimiser;
  std::vector<PriorPayoff> told = {};
};

std::unique_ptr<Optimiser> make(const std::string& algorithm, const OptimiserContext& context) {
  return plan_optimiser(parse_yaml(algorithm, "optimiser"), *context.space).make(context);
}

/// A search at one level for a part of the cost.
Search search(Account& account, const std::string& algorithm, bool whole, double cost,
              std::shared_ptr<const std::vector<PriorPayoff>> prior = {}) {
  const std::int64_t evaluations = account.count(whole, cost);
  OptimiserContext context = account.context(evaluations);
  context.prior = std::move(prior);
  Search search{.optimiser = make(algorithm, context)};
  Rng rng = account.rng(whole ? "whole" : "low");
  for (std::int64_t i = 0; i < evaluations; ++i) {
    const Point point = search.optimiser->ask(rng).point;
    const double payoff = account.mean_of_look(point, whole);
    search.optimiser->tell(point, payoff);
    search.told.push_back({point, payoff});
  }
  return search;
}

Point one_level(Account& account, const std::string& algorithm, bool whole) {
  return search(account, algorithm, whole, account.left()).optimiser->recommend().point;
}

/// A third of the cost at the low level, whose payoffs are the prior of a search of the full one.
Point as_prior(Account& account) {
  Search low = search(account, "auto", false, account.left() / 3.0);
  auto prior = std::make_shared<const std::vector<PriorPayoff>>(std::move(low.told));
  return search(account, "auto", true, account.left(), prior).optimiser->recommend().point;
}

/// Most of the cost at the low level, and a comparison of its best points by sequential halving.
Point compared(Account& account) {
  constexpr double kShare = 0.6;
  constexpr std::size_t kCandidates = 8;
  const Search low = search(account, "auto", false, kShare * account.left());
  std::vector<std::pair<double, Point>> best;
  std::set<Point> seen;
  for (const PriorPayoff& told : low.told) {
    if (!seen.insert(told.point).second) continue;
    const std::optional<Belief> belief = low.optimiser->belief(told.point);
    if (!belief) return low.optimiser->recommend().point;
    best.emplace_back(-belief->mean, told.point);
  }
  std::ranges::sort(best);
  std::vector<std::pair<Point, RunningStats>> kept;
  for (const auto& [mean, point] : best) {
    if (kept.size() < kCandidates) kept.emplace_back(point, RunningStats());
  }
  for (int rounds = 3; rounds > 0; --rounds) {
    const std::int64_t each =
        account.count(true, account.left()) / rounds / static_cast<std::int64_t>(kept.size());
    for (auto& [point, payoffs] : kept) {
      for (std::int64_t i = 0; i < each; ++i) payoffs.add(account.mean_of_look(point, true));
    }
    std::ranges::stable_sort(kept, std::ranges::greater(),
                             [](const auto& candidate) { return candidate.second.mean(); });
    kept.resize((kept.size() + 1) / 2);
  }
  return kept.front().first;
}

/// A search whose model has the level as one more parameter, so that it learns the bias of the low
/// one. It takes the point with the highest upper bound at the full level. It looks at it cheaply
/// as long as the low value is not known `promotion` times as well as the full one.
class Aware {
 public:
  Aware(Account& account, std::string algorithm, double promotion)
      : account_(account),
        promotion_(promotion),
        space_(levels(account.space())),
        rng_(account.rng("aware")) {
    OptimiserContext context = account.context(account.count(false, account.left()));
    context.space = &space_;
    model_ = make(algorithm, context);
  }

  Point run() {
    while (account_.affords(false)) {
      const Point point = choose();
      const bool whole = account_.affords(true) && promoted(point);
      const Point asked = at(point, whole);
      const std::vector<double> payoffs = account_.look(point, whole);
      const std::vector<Point> points(payoffs.size(), asked);
      model_->tell_all(points, payoffs);
      if (known_.insert(point).second) points_.push_back(point);
    }
    return best_points(1).front();
  }

 private:
  static SearchSpace levels(const SearchSpace& space) {
    std::vector<Parameter> parameters(space.parameters().begin(), space.parameters().end());
    parameters.push_back(make_integers("fidelity", 0, 1));
    return SearchSpace(std::move(parameters));
  }
  [[nodiscard]] Point at(const Point& point, bool whole) const {
    Point with(point.size() + 1);
    for (int i = 0; i < point.size(); ++i) with[i] = point[i];
    with[point.size()] = whole ? 1 : 0;
    return with;
  }
  static Point without(const Point& with) {
    Point point(with.size() - 1);
    for (int i = 0; i < point.size(); ++i) point[i] = with[i];
    return point;
  }
  [[nodiscard]] double bound(const Point& point) const {
    constexpr double kDeviations = 3.0;
    const std::optional<Belief> belief = model_->belief(at(point, true));
    return belief ? belief->mean + kDeviations * belief->sd.value_or(0.0) : 0.0;
  }
  [[nodiscard]] bool promoted(const Point& point) const {
    const std::optional<Belief> whole = model_->belief(at(point, true));
    const std::optional<Belief> low = model_->belief(at(point, false));
    return whole && low && low->sd.value_or(0.0) < promotion_ * whole->sd.value_or(0.0);
  }
  [[nodiscard]] std::vector<Point> best_points(std::size_t count) const {
    std::vector<std::pair<double, Point>> best;
    for (const Point& point : points_) {
      const std::optional<Belief> belief = model_->belief(at(point, true));
      best.emplace_back(belief ? -belief->mean : 0.0, point);
    }
    std::ranges::sort(best);
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(count, best.size()); ++i) points.push_back(best[i].second);
    return points;
  }
  Point choose() {
    constexpr int kMutants = 20;
    constexpr std::int64_t kRefresh = 8;  // choices with the same parents
    const SearchSpace& space = account_.space();
    const Point asked = without(model_->ask(rng_).point);
    if (points_.empty() || !model_->belief(at(asked, true))) return space.sample(rng_);
    if (chosen_++ % kRefresh == 0) parents_ = best_points(3);
    std::vector<Point> candidates = parents_;
    candidates.push_back(asked);
    for (int i = 0; i < kMutants; ++i) {
      candidates.push_back(space.sample(rng_));
      Point mutant = parents_[rng_.below(static_cast<std::uint32_t>(parents_.size()))];
      const int parameter = static_cast<int>(rng_.below(static_cast<std::uint32_t>(mutant.size())));
      mutant[parameter] = candidates.back()[parameter];
      candidates.push_back(mutant);
    }
    std::vector<double> bounds;
    for (const Point& candidate : candidates) bounds.push_back(bound(candidate));
    const auto highest = std::ranges::max_element(bounds) - bounds.begin();
    return candidates[static_cast<std::size_t>(highest)];
  }

  Account& account_;
  double promotion_;
  SearchSpace space_;
  Rng rng_;
  std::unique_ptr<Optimiser> model_;
  std::vector<Point> points_;  ///< looked at, at any level
  std::set<Point> known_;      ///< the same
  std::vector<Point> parents_;
  std::int64_t chosen_ = 0;
};

Point carry_out(const std::string& method, Account& account) {
  if (method == "full_ntbea") return one_level(account, "ntbea", true);
  if (method == "full_auto") return one_level(account, "auto", true);
  if (method == "low_ntbea") return one_level(account, "ntbea", false);
  if (method == "low_auto") return one_level(account, "auto", false);
  if (method == "prior") return as_prior(account);
  if (method == "compared") return compared(account);
  if (method == "aware") return Aware(account, "gaussian_process", 0.7).run();
  throw InputError(fmt::format("there is no method {}", method));
}

struct Arguments {
  std::int64_t runs = 30;
  std::vector<std::string> cases = {"repeats", "thought", "short"};
  std::vector<std::string> methods = {"full_ntbea", "full_auto", "low_ntbea", "low_auto",
                                      "prior",      "compared",  "aware"};
  std::vector<std::int64_t> budgets = {10, 30, 100};  ///< a case has two of them
  std::string tables = "benchmarks/results";
  std::string csv = "fidelity.csv";
};

template <class Value>
bool names(const std::vector<Value>& values, const Value& value) {
  return std::ranges::find(values, value) != values.end();
}

std::unique_ptr<Objective> table(const std::string& file) {
  const YamlNode node = parse_yaml(fmt::format("{{table: {}}}", file), "case");
  return find_objective(node).make(node, nullptr);
}

void run_all(const Arguments& arguments) {
  const std::string& folder = arguments.tables;
  const auto games = table(folder + "/planet_wars_1.csv");
  const auto fewer_thoughts = table(folder + "/planet_wars_1_thought.csv");
  const auto shorter = table(folder + "/planet_wars_1_short.csv");
  const Level full = {.objective = games.get()};
  const std::vector<Case> cases = {
      {"repeats",
       {.objective = games.get(), .games = 3, .cost = 0.1},
       {.objective = games.get(), .games = 30},
       {10, 30}},
      {"thought", {.objective = fewer_thoughts.get(), .cost = 0.1}, full, {30, 100}},
      {"short", {.objective = shorter.get(), .cost = 0.1}, full, {30, 100}}};
  ResultRows rows(arguments.csv, "case,budget,method,run,regret", 1);
  for (std::int64_t run = 0; run < arguments.runs; ++run) {
    for (const Case& of : cases) {
      if (!names(arguments.cases, std::string(of.name))) continue;
      for (const std::int64_t budget : of.budgets) {
        if (!names(arguments.budgets, budget)) continue;
        for (const std::string& method : arguments.methods) {
          rows.add(fmt::format("{},{},{},{}", of.name, budget, method, run), [&] {
            Account account(of, budget, Rng(25).stream("run", static_cast<std::uint64_t>(run)));
            const KnownTruth& truth = *of.full.objective->known_truth();
            const double value = truth.true_value(carry_out(method, account));
            return fmt::format("{:.5f}", *truth.optimum() - value);
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
  CLI::App program("Whether cheaper looks at a setting help a search");
  ntune::add_row_options(program, arguments);
  program.add_option("--cases", arguments.cases, "names, by commas")->delimiter(',');
  program.add_option("--methods", arguments.methods, "names, by commas")->delimiter(',');
  program.add_option("--budget", arguments.budgets, "full evaluations, by commas")->delimiter(',');
  program.add_option("--tables", arguments.tables, "folder of the recorded games");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(arguments); });
}
