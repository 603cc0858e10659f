// What a search makes of instances that are harder or easier than others: landscapes of the arena
// to which each instance adds an effect of its own, with or without an interaction with the
// parameters. The effects are taken out of what the search is told (removed), or are noise to it
// (kept). Run r of a cell has the same effects, instances and streams for both. With --wins a
// payoff is 1 or 0: a game is won where value, effect and noise come to more than 1/2. With
// --tables the landscapes and effects are written for benchmarks/scripts/instance_effects.R, which
// runs irace on them.

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/clock.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"

namespace ntune {
namespace {

struct Arguments {
  std::int64_t runs = 30;
  std::vector<std::int64_t> evaluations = {100, 300, 900};
  std::vector<std::string> landscapes = {
      "{function: hartmann3}",
      "{function: hartmann6}",
      "{function: branin}",
      "{function: nk, dimensions: 10, k: 2}",
      "{function: gaussian_landscape, dimensions: 6, values: 5, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}",
      "{function: gaussian_landscape, dimensions: 10, values: 6, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}"};
  std::vector<std::string> optimisers = {"ntbea", "auto"};
  std::vector<double> effects = {0.0, 1.0, 3.0};  ///< in standard deviations of the noise
  std::vector<double> interactions = {0.0, 1.0};  ///< the same
  std::vector<std::int64_t> instances = {5, 20, 100};
  std::vector<std::string> methods = {"removed", "kept"};
  std::uint64_t seed = 25;
  bool wins = false;
  std::string csv = "instance_effects.csv";
  std::string tables;  ///< file for another program; empty: none
};

/// Standard deviation of a payoff about its mean, of landscapes whose values are from 0 to 1.
constexpr double kNoise = 0.5;

/// The effects of instances, alone and on each value of a parameter; each sums to 0 over instances.
class Effects {
 public:
  Effects(const SearchSpace& space, std::int64_t instances, double alone, double interaction,
          Rng rng)
      : alone_(centred(instances, kNoise * alone, rng)) {
    const double part = kNoise * interaction / std::sqrt(static_cast<double>(space.dimensions()));
    for (int i = 0; i < space.dimensions(); ++i) {
      auto& values = joint_.emplace_back();
      for (int v = 0; v < space[i].cardinality(); ++v) {
        values.push_back(centred(instances, part, rng));
      }
    }
  }

  [[nodiscard]] double of(const Point& point, std::size_t instance) const {
    double sum = alone_[instance];
    for (int i = 0; i < point.size(); ++i) {
      sum += joint_[static_cast<std::size_t>(i)][point[i]][instance];
    }
    return sum;
  }

 private:
  static std::vector<double> centred(std::int64_t count, double sd, Rng& rng) {
    std::vector<double> list(static_cast<std::size_t>(count));
    double mean = 0.0;
    for (double& x : list) mean += (x = sd * rng.normal()) / static_cast<double>(count);
    for (double& x : list) x -= mean;
    return list;
  }

  std::vector<double> alone_;
  std::vector<std::vector<std::vector<double>>> joint_;  ///< parameter, value, instance
};

struct Cell {
  std::string landscape;
  std::string optimiser;
  double effect = 0.0;
  double interaction = 0.0;
  std::int64_t instances = 5;
  std::int64_t evaluations = 100;
  std::string method;
  bool wins = false;

  [[nodiscard]] std::string text() const {
    return fmt::format("\"{}\",{},{},{},{},{},{}", landscape, optimiser, effect, interaction,
                       instances, evaluations, method);
  }
};

/// Candidates of a race share the seeds of their blocks; their noise is to be their own all the
/// same.
Rng noise_of(const Cell& cell, const Point& point, const Rng& rng) {
  if (cell.optimiser != "racing") return rng;
  Rng noise = rng;
  for (const std::uint16_t value : point.indices()) noise = noise.stream("value", value);
  return noise;
}

/// A landscape and its best value, which takes long to find where there are many points.
struct Landscape {
  std::shared_ptr<const Objective> objective;
  double best = 0.0;

  [[nodiscard]] const KnownTruth& truth() const { return *objective->known_truth(); }
};

/// Each landscape is made once.
const Landscape& landscape_of(const std::string& text) {
  static std::map<std::string, Landscape> made;
  const auto found = made.find(text);
  if (found != made.end()) return found->second;
  const YamlNode node = parse_yaml(text, "landscape");
  Landscape landscape{.objective = find_objective(node).make(node, nullptr)};
  landscape.best = *landscape.truth().optimum();
  return made.emplace(text, std::move(landscape)).first->second;
}

/// What the recommendation of a run falls short of the best value of the landscape.
double regret_of(const Cell& cell, std::uint64_t seed, std::int64_t run) {
  const Landscape& landscape = landscape_of(cell.landscape);
  const SearchSpace& space = landscape.objective->space();
  const KnownTruth& truth = landscape.truth();
  const auto number = static_cast<std::uint64_t>(run);
  const Effects effects(space, cell.instances, cell.effect, cell.interaction,
                        Rng(seed).stream("effects", number));
  const auto objective = std::make_shared<LambdaObjective>(
      space,
      [&](const Settings& settings, Rng& rng, const Instance& instance) {
        const auto which = static_cast<std::size_t>(std::get<std::int64_t>(instance.value));
        const double payoff = truth.true_value(settings.point()) +
                              effects.of(settings.point(), which) +
                              kNoise * noise_of(cell, settings.point(), rng).normal();
        if (!cell.wins) return payoff;
        return payoff > 0.5 ? 1.0 : 0.0;
      },
      "landscape", cell.wins ? Payoffs{.low = 0.0, .high = 1.0, .two_valued = true} : Payoffs());
  std::vector<std::int64_t> names;
  for (std::int64_t i = 0; i < cell.instances; ++i) names.push_back(i);
  const std::string text = fmt::format(
      "{{optimiser: {}, runs: 1, iterations: {}, hold_out: 0, seed: {}, threads: 1, "
      "instance_effects: {}, instances: [{}]}}",
      cell.optimiser, cell.evaluations, seed * 1000 + number, cell.method, fmt::join(names, ", "));
  const Study study = read_study(parse_yaml(text, "study"), objective);
  StudyProgress progress;
  const StudyResult result = run_study(study, progress);
  return landscape.best - truth.true_value(result.cells[0].picks[0].point);
}

std::vector<Cell> cells_of(const Arguments& arguments) {
  std::vector<Cell> cells;
  for (const std::int64_t evaluations : arguments.evaluations)
    for (const std::string& optimiser : arguments.optimisers)
      for (const std::string& landscape : arguments.landscapes)
        for (const double effect : arguments.effects)
          for (const double interaction : arguments.interactions)
            for (const std::int64_t instances : arguments.instances)
              for (const std::string& method : arguments.methods) {
                cells.push_back({landscape, optimiser, effect, interaction, instances, evaluations,
                                 method, arguments.wins});
              }
  return cells;
}

void run_all(const Arguments& arguments) {
  ResultRows rows(arguments.csv,
                  "landscape,optimiser,effect,interaction,instances,evaluations,method,run,regret,"
                  "seconds",
                  2);
  const std::vector<Cell> cells = cells_of(arguments);
  for (std::int64_t run = 0; run < arguments.runs; ++run) {
    for (const Cell& cell : cells) {
      rows.add(fmt::format("{},{}", cell.text(), run), [&] {
        const auto begin = Clock::now();
        const double regret = regret_of(cell, arguments.seed, run);
        return fmt::format("{},{:.3f}", regret, seconds_since(begin));
      });
    }
  }
}

/// A landscape: its name, the number of values of each parameter (with a u: unordered), and the
/// true values of all points, the last parameter fastest.
void write_landscape(std::ofstream& out, const std::string& text) {
  const Landscape& landscape = landscape_of(text);
  const SearchSpace& space = landscape.objective->space();
  out << "landscape\n" << text << '\n';
  for (const Parameter& parameter : space.parameters()) {
    out << parameter.cardinality() << (parameter.ordered ? " " : "u ");
  }
  out << '\n';
  space.for_each_point([&](const Point& point) {
    fmt::print(out, "{} ", landscape.truth().true_value(point));
    return true;
  });
  out << '\n';
}

/// The landscapes, and the effects of instances of each run: "effects", then size, number of
/// instances and run, then the effects. There is no interaction, and noise has the standard
/// deviation of the second line.
void write_tables(const Arguments& arguments) {
  std::ofstream out(arguments.tables);
  out << "noise\n" << kNoise << '\n';
  for (const std::string& landscape : arguments.landscapes) write_landscape(out, landscape);
  const SearchSpace& any = landscape_of(arguments.landscapes.front()).objective->space();
  const Point origin(any.dimensions());
  for (std::int64_t run = 0; run < arguments.runs; ++run)
    for (const double effect : arguments.effects)
      for (const std::int64_t instances : arguments.instances) {
        const Effects effects(
            any, instances, effect, 0.0,
            Rng(arguments.seed).stream("effects", static_cast<std::uint64_t>(run)));
        fmt::print(out, "effects\n{} {} {}\n", effect, instances, run);
        for (std::size_t i = 0; i < static_cast<std::size_t>(instances); ++i) {
          fmt::print(out, "{} ", effects.of(origin, i));
        }
        out << '\n';
      }
  if (!out.flush()) throw std::runtime_error(arguments.tables + ": cannot be written");
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  std::size_t landscapes = arguments.landscapes.size();
  CLI::App program("What it is worth to take the effects of instances out");
  ntune::add_row_options(program, arguments);
  const auto list = [&](const char* name, auto& values, const char* help) {
    program.add_option(name, values, help)->delimiter(',');
  };
  list("--evaluations", arguments.evaluations, "numbers, by commas");
  list("--optimisers", arguments.optimisers, "names, by commas");
  program.add_option("--landscapes", landscapes, "the first so many")
      ->check(CLI::Range(std::size_t{1}, landscapes));
  list("--effects", arguments.effects, "in standard deviations of the noise, by commas");
  list("--interactions", arguments.interactions, "the same");
  list("--instances", arguments.instances, "numbers, by commas");
  list("--methods", arguments.methods, "removed, kept");
  program.add_flag("--wins", arguments.wins, "payoffs are wins and losses");
  program.add_option("--tables", arguments.tables,
                     "write landscapes and effects to this file, for irace, and run nothing");
  return ntune::run_experiment(program, argc, argv, [&] {
    arguments.landscapes.resize(landscapes);
    if (!arguments.tables.empty()) return ntune::write_tables(arguments);
    ntune::run_all(arguments);
  });
}
