// How much of the front of several goals a search has found: hypervolumes on noisy grids, and on
// tables of recorded observations.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"

namespace ntune {
namespace {

/// A number for every goal, of which less is better.
using Costs = std::vector<double>;

/// What is to be found, in parameters of so many ordered values each.
class Problem {
 public:
  virtual ~Problem() = default;
  [[nodiscard]] virtual std::vector<int> values() const = 0;
  [[nodiscard]] virtual std::vector<SearchedGoal> goals() const = 0;
  /// The true values on the scale of the goals.
  [[nodiscard]] virtual Costs truth(const Point& point) const = 0;
  /// Noisy payoffs, as an optimiser is told them.
  [[nodiscard]] virtual std::vector<double> observe(const Point& point, Rng& rng) const = 0;
};

constexpr int kParameters = 4;
constexpr int kValues = 11;

/// A function on a grid from 0 to 1, with normal noise in every goal: ZDT1 and ZDT2 (Zitzler, Deb
/// and Thiele 2000) and DTLZ2 (Deb, Thiele, Laumanns and Zitzler 2002).
class Grid final : public Problem {
 public:
  Grid(std::string name, double noise) : name_(std::move(name)), noise_(noise) {
    const std::vector<std::string> known = {"zdt1", "zdt2", "dtlz2_2", "dtlz2_3"};
    if (std::ranges::find(known, name_) == known.end()) {
      throw InputError(fmt::format("no problem '{}'; allowed: {} and files of goal_tables.py",
                                   name_, fmt::join(known, ", ")));
    }
  }

  [[nodiscard]] std::vector<int> values() const override {
    return std::vector<int>(kParameters, kValues);
  }
  [[nodiscard]] std::vector<SearchedGoal> goals() const override {
    return std::vector<SearchedGoal>(name_ == "dtlz2_3" ? 3 : 2, {.is_cost = true});
  }
  [[nodiscard]] Costs truth(const Point& point) const override {
    return name_.starts_with("dtlz2") ? dtlz2(point) : zdt(point);
  }
  [[nodiscard]] std::vector<double> observe(const Point& point, Rng& rng) const override {
    std::vector<double> payoffs = truth(point);
    for (double& payoff : payoffs) payoff = -payoff + noise_ * rng.normal();
    return payoffs;
  }

 private:
  static double at(const Point& point, std::size_t i) {
    return point[static_cast<int>(i)] / (kValues - 1.0);
  }
  [[nodiscard]] Costs zdt(const Point& point) const {
    double sum = 0.0;
    for (std::size_t i = 1; i < kParameters; ++i) sum += at(point, i);
    const double g = 1.0 + 9.0 * sum / (kParameters - 1);
    const double share = at(point, 0) / g;
    return {at(point, 0), g * (1.0 - (name_ == "zdt2" ? share * share : std::sqrt(share)))};
  }
  /// The front is the sphere of radius 1, at 0.5 of all parameters but the first.
  [[nodiscard]] Costs dtlz2(const Point& point) const {
    const std::size_t count = goals().size();
    double radius = 1.0;
    for (std::size_t i = count - 1; i < kParameters; ++i) {
      radius += (at(point, i) - 0.5) * (at(point, i) - 0.5);
    }
    Costs costs(count, radius);
    for (std::size_t g = 0; g < count; ++g) {
      for (std::size_t i = 0; i + 1 + g < count; ++i) {
        costs[g] *= std::cos(at(point, i) * std::numbers::pi / 2.0);
      }
      if (g > 0) costs[g] *= std::sin(at(point, count - 1 - g) * std::numbers::pi / 2.0);
    }
    return costs;
  }

  std::string name_;
  double noise_;
};

/// A table of benchmarks/scripts/goal_tables.py. Of `ms` the logarithm counts; `win` is sought
/// high.
class Table final : public Problem {
 public:
  explicit Table(const std::string& file) {
    const std::string text = read_file(file, 1'000'000);
    CsvReader csv(text, file, {.comments = CsvStyle::Comments::kBeforeHeader});
    if (!csv.next() || csv.fields().size() < 3) csv.fail("has no header");
    for (const CsvField& field : csv.fields()) columns_.push_back(field.text);
    values_.resize(columns_.size() - 2);
    while (csv.next()) {
      Point point(static_cast<int>(values_.size()));
      for (std::size_t i = 0; i < values_.size(); ++i) {
        std::vector<std::string>& known = values_[i];
        const std::string& value = csv.fields()[i].text;
        const auto found = std::ranges::find(known, value);
        point[static_cast<int>(i)] = static_cast<std::uint16_t>(found - known.begin());
        if (found == known.end()) known.push_back(value);
      }
      for (std::size_t g = 0; g < 2; ++g) {
        rows_[point].push_back(observations(csv.fields()[values_.size() + g].text));
      }
    }
  }

  [[nodiscard]] std::vector<int> values() const override {
    std::vector<int> counts;
    for (const auto& values : values_) counts.push_back(static_cast<int>(values.size()));
    return counts;
  }
  [[nodiscard]] std::vector<SearchedGoal> goals() const override {
    std::vector<SearchedGoal> goals;
    for (std::size_t g = 0; g < 2; ++g) {
      SearchedGoal& goal = goals.emplace_back();
      goal.is_cost = name(g) != "win";
      goal.logarithmic = name(g) == "ms";
      goal.noisy = name(g) != "bytes";
    }
    return goals;
  }
  [[nodiscard]] Costs truth(const Point& point) const override {
    Costs costs;
    for (std::size_t g = 0; g < 2; ++g) {
      const std::vector<double>& all = rows_.at(point)[g];
      double sum = 0.0;
      for (const double value : all) sum += value;
      const double payoff = payoff_of(sum / static_cast<double>(all.size()), g);
      costs.push_back(-goals()[g].on_scale(payoff));
    }
    return costs;
  }
  [[nodiscard]] std::vector<double> observe(const Point& point, Rng& rng) const override {
    std::vector<double> payoffs;
    for (std::size_t g = 0; g < 2; ++g) {
      const std::vector<double>& all = rows_.at(point)[g];
      payoffs.push_back(payoff_of(all[rng.below(static_cast<std::uint32_t>(all.size()))], g));
    }
    return payoffs;
  }

 private:
  /// "-1*2 1" is -1 twice, and 1.
  static std::vector<double> observations(const std::string& text) {
    std::vector<double> all;
    for (const std::string_view part : split(text, ' ')) {
      const std::vector<std::string_view> pair = split(part, '*');
      const int count = pair.size() > 1 ? std::stoi(std::string(pair[1])) : 1;
      all.insert(all.end(), static_cast<std::size_t>(count), std::stod(std::string(pair[0])));
    }
    return all;
  }
  [[nodiscard]] const std::string& name(std::size_t goal) const {
    return columns_[values_.size() + goal];
  }
  [[nodiscard]] double payoff_of(double value, std::size_t goal) const {
    return name(goal) == "win" ? value : -value;
  }

  std::vector<std::string> columns_ = {};
  std::vector<std::vector<std::string>> values_ = {};  ///< by parameter, as the file has them
  std::map<Point, std::vector<std::vector<double>>> rows_ = {};
};

bool beats(const Costs& one, const Costs& other) {
  bool better = false;
  for (std::size_t g = 0; g < one.size(); ++g) {
    if (one[g] > other[g]) return false;
    better = better || one[g] < other[g];
  }
  return better;
}

/// Those that none beats, each once.
std::vector<Costs> front_of(const std::vector<Costs>& all) {
  std::vector<Costs> front;
  for (const Costs& costs : all) {
    const bool beaten = std::ranges::any_of(
        front, [&](const Costs& other) { return other == costs || beats(other, costs); });
    if (beaten) continue;
    std::erase_if(front, [&](const Costs& other) { return beats(costs, other); });
    front.push_back(costs);
  }
  return front;
}

/// The volume that the first goals of these costs leave below 1.1 each, in slices of the last.
double hypervolume(std::vector<Costs> all, std::size_t goals) {
  constexpr double kCorner = 1.1;
  std::erase_if(all, [&](const Costs& costs) { return costs[goals - 1] >= kCorner; });
  std::ranges::sort(all, {}, [&](const Costs& costs) { return costs[goals - 1]; });
  if (all.empty()) return 0.0;
  if (goals == 1) return kCorner - all.front()[0];
  double volume = 0.0;
  std::vector<Costs> slice;
  for (std::size_t i = 0; i < all.size(); ++i) {
    slice.push_back(all[i]);
    const double end = i + 1 < all.size() ? all[i + 1][goals - 1] : kCorner;
    const double height = end - all[i][goals - 1];
    if (height > 0.0) volume += height * hypervolume(slice, goals - 1);
  }
  return volume;
}

/// The share that points have of the whole front's hypervolume. Costs are scaled so that every goal
/// of the front goes from 0 to 1.
class Share {
 public:
  Share(const Problem& problem, const SearchSpace& space) : problem_(problem) {
    std::vector<Costs> all;
    Point point(space.dimensions());
    for (bool more = true; more;) {
      all.push_back(problem.truth(point));
      int i = 0;
      while (i < point.size() && ++point[i] == problem.values()[static_cast<std::size_t>(i)]) {
        point[i++] = 0;
      }
      more = i < point.size();
    }
    const std::vector<Costs> front = front_of(all);
    low_ = high_ = front.front();
    for (const Costs& costs : front) {
      for (std::size_t g = 0; g < costs.size(); ++g) {
        low_[g] = std::min(low_[g], costs[g]);
        high_[g] = std::max(high_[g], costs[g]);
      }
    }
    whole_ = volume(front);
  }

  [[nodiscard]] double of(const std::vector<Point>& points) const {
    std::vector<Costs> all;
    for (const Point& point : points) all.push_back(problem_.truth(point));
    return volume(front_of(all)) / whole_;
  }

 private:
  [[nodiscard]] double volume(std::vector<Costs> all) const {
    for (Costs& costs : all) {
      for (std::size_t g = 0; g < costs.size(); ++g) {
        costs[g] = (costs[g] - low_[g]) / (high_[g] - low_[g]);
      }
    }
    return hypervolume(std::move(all), low_.size());
  }

  const Problem& problem_;
  Costs low_ = {};
  Costs high_ = {};
  double whole_ = 0.0;
};

/// The points whose mean costs, on the scale of the goals, none has beaten.
std::vector<Point> best_means(const std::map<Point, std::vector<Costs>>& seen) {
  std::vector<std::pair<Point, Costs>> means;
  for (const auto& [point, all] : seen) {
    Costs mean(all.front().size(), 0.0);
    for (const Costs& costs : all) {
      for (std::size_t g = 0; g < mean.size(); ++g) {
        mean[g] += costs[g] / static_cast<double>(all.size());
      }
    }
    means.emplace_back(point, mean);
  }
  std::vector<Point> front;
  for (const auto& [point, mean] : means) {
    const bool beaten = std::ranges::any_of(
        means, [&, &costs = mean](const auto& other) { return beats(other.second, costs); });
    if (!beaten) front.push_back(point);
  }
  return front;
}

SearchSpace space_of(const Problem& problem) {
  std::vector<Parameter> parameters;
  for (const int values : problem.values()) {
    parameters.push_back(make_range(fmt::format("x{}", parameters.size()), 0.0, 1.0, values));
  }
  return SearchSpace(parameters);
}

/// "evaluated,reported" for each number of evaluations: shares of the whole front's hypervolume,
/// by true values, of all points that were evaluated and of those that the search would name.
std::map<std::int64_t, std::string> search(const std::string& optimiser, const Problem& problem,
                                           const SearchSpace& space, const Share& share,
                                           std::uint64_t seed) {
  std::map<std::int64_t, std::string> rows = {{100, ""}, {300, ""}};
  const std::int64_t budget = rows.rbegin()->first;
  OptimiserContext context{.space = &space, .budget = budget};
  context.goals = problem.goals();
  std::unique_ptr<Optimiser> goals;
  if (optimiser != "random") {
    goals = plan_optimiser(parse_yaml(optimiser), space).make(context);
  }
  Rng rng(seed);
  Rng noise = Rng(seed).stream("noise");
  std::map<Point, std::vector<Costs>> seen;
  for (std::int64_t i = 1; i <= budget; ++i) {
    const Proposal asked = goals ? goals->ask(rng) : Proposal{.point = space.sample(rng)};
    const std::vector<double> payoffs = problem.observe(asked.point, noise);
    Costs& costs = seen[asked.point].emplace_back();
    for (std::size_t g = 0; g < payoffs.size(); ++g) {
      costs.push_back(-context.goals[g].on_scale(payoffs[g]));
    }
    if (goals) goals->tell(asked, {.payoffs = std::span(payoffs).first(1), .goals = payoffs});
    const auto row = rows.find(i);
    if (row == rows.end()) continue;
    std::vector<Point> points;
    for (const auto& [point, known] : seen) points.push_back(point);
    row->second = fmt::format("{:.4f},{:.4f}", share.of(points),
                              share.of(goals ? goals->front(1000) : best_means(seen)));
  }
  return rows;
}

/// The problems of these names; a name with a point is the file of a table.
std::map<std::string, std::unique_ptr<Problem>> problems_of(const std::vector<std::string>& names,
                                                            double noise) {
  std::map<std::string, std::unique_ptr<Problem>> problems;
  for (const std::string& name : names) {
    const std::filesystem::path file = name;
    if (file.has_extension()) {
      problems.emplace(file.stem().string(), std::make_unique<Table>(name));
    } else {
      problems.emplace(name, std::make_unique<Grid>(name, noise));
    }
  }
  return problems;
}

struct Plan {
  std::string csv = "goal_fronts.csv";
  int runs = 20;
  double noise = 0.1;
  std::string options = {};
  std::vector<std::string> problems = {"zdt1", "zdt2"};
};

void run(const Plan& plan) {
  ResultRows csv(plan.csv, "optimiser,problem,noise,run,evaluations,evaluated,reported", 2);
  const std::vector<std::pair<std::string, std::string>> optimisers = {
      {"goals", "{algorithm: goals" + plan.options + "}"},
      {"goals n_tuple", "{algorithm: goals, model: n_tuple" + plan.options + "}"},
      {"random", "random"}};
  for (const auto& [name, problem] : problems_of(plan.problems, plan.noise)) {
    const SearchSpace space = space_of(*problem);
    const Share share(*problem, space);
    for (const auto& [label, optimiser] : optimisers) {
      for (int seed = 1; seed <= plan.runs; ++seed) {
        const auto rows =
            search(optimiser, *problem, space, share, static_cast<std::uint64_t>(seed));
        for (const auto& [evaluations, row] : rows) {
          csv.add(fmt::format("{},{},{},{},{}", label, name, plan.noise, seed, evaluations),
                  [&, &shares = row] { return shares; });
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  CLI::App program("Hypervolumes of searches with several goals on noisy grids and on tables.");
  ntune::Plan plan;
  ntune::add_row_options(program, plan);
  program.add_option("--noise", plan.noise, "standard deviation of every goal of a grid");
  program.add_option("--options", plan.options,
                     "further options of the optimiser, such as ', k: 1'");
  program.add_option("problems", plan.problems,
                     "zdt1, zdt2, dtlz2_2, dtlz2_3 or files of goal_tables.py");
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run(plan); });
}
