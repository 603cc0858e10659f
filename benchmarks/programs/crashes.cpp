// What crashing programs cost. On landscapes of the arena a part of the space fails: whole values,
// pairs of values or a region. Failures are skipped without a word (skip), count as a low payoff
// (penalty), are told (learn), cannot be asked for (forbidden), or do not happen (none). In the
// case `wild` nothing fails, but one payoff in a hundred is 1,000 times too large. Run r of a cell
// has the same crashing part and the same streams for all of them. Rows that the file holds are not
// run again.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/optimisers.h"

namespace ntune {
namespace {

using Clauses = std::vector<Clause>;

struct Arguments {
  std::int64_t runs = 30;
  std::int64_t iterations = 300;
  std::uint64_t seed = 24;
  std::vector<std::string> landscapes = {
      "{function: hartmann3}",
      "{function: hartmann6}",
      "{function: branin}",
      "{function: goldstein_price}",
      "{function: nk, dimensions: 10, k: 2}",
      "{function: gaussian_landscape, dimensions: 4, values: 10, seed: 1}",
      "{function: gaussian_landscape, dimensions: 6, values: 5, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}",
      "{function: gaussian_landscape, dimensions: 10, values: 6, main_effects: 0.3, pairs: 0.4, "
      "seed: 1}"};
  std::vector<std::string> noises = {"win_loss", "{gaussian: 0.2}"};
  std::vector<std::string> kinds = {"values", "pairs", "region"};
  std::vector<double> shares = {0.05, 0.2, 0.4};
  std::vector<std::string> optimisers = {"ntbea", "gaussian_process"};
  std::vector<std::string> methods = {"none", "forbidden", "learn", "skip", "penalty"};
  std::string csv = "crashes.csv";
};

std::unique_ptr<Objective> make_objective(const std::string& landscape, const std::string& noise) {
  const std::string text = landscape.substr(0, landscape.size() - 1) + ", noise: " + noise + "}";
  const YamlNode node = parse_yaml(text, "landscape");
  return find_objective(node).make(node, nullptr);
}

double share_of(const SearchSpace& space, const std::vector<Point>& sample, const Clauses& part) {
  const SearchSpace rest(space.parameters(), part);
  const auto out =
      std::ranges::count_if(sample, [&](const Point& point) { return !rest.is_allowed(point); });
  return static_cast<double>(out) / static_cast<double>(sample.size());
}

Term random_value(const SearchSpace& space, int parameter, Rng& rng) {
  const auto values = static_cast<std::uint32_t>(space[parameter].cardinality());
  return {.parameter = parameter, .values = {static_cast<std::uint16_t>(rng.below(values))}};
}

/// So many different parameters.
std::vector<int> random_parameters(const SearchSpace& space, int count, Rng& rng) {
  std::set<int> chosen;
  while (static_cast<int>(chosen.size()) < std::min(count, space.dimensions())) {
    chosen.insert(static_cast<int>(rng.below(static_cast<std::uint32_t>(space.dimensions()))));
  }
  return {chosen.begin(), chosen.end()};
}

/// A box of neighbouring values of three parameters, or two.
Clause random_box(const SearchSpace& space, double share, Rng& rng) {
  Clause box;
  const std::vector<int> parameters = random_parameters(space, 3, rng);
  for (const int i : parameters) {
    const int values = space[i].cardinality();
    const double side =
        std::pow(share, (0.5 + rng.uniform()) / static_cast<double>(parameters.size()));
    const int length = std::clamp(static_cast<int>(std::lround(side * values)), 1, values);
    const auto first = rng.below(static_cast<std::uint32_t>(values - length + 1));
    Term term{.parameter = i, .values = {}};
    for (int k = 0; k < length; ++k) {
      term.values.push_back(static_cast<std::uint16_t>(first + static_cast<std::uint32_t>(k)));
    }
    box.push_back(std::move(term));
  }
  return box;
}

/// A random part of the space of about that share; nothing where this kind has none.
std::optional<Clauses> crashing_part(const SearchSpace& space, const std::string& kind,
                                     double share, Rng rng) {
  constexpr int kTries = 200;
  std::vector<Point> sample;
  for (int i = 0; i < 2000; ++i) sample.push_back(space.sample(rng));
  for (int tries = 0; tries < kTries; ++tries) {
    Clauses part;
    double now = 0.0;
    while (now < 0.75 * share && part.size() < 1000) {
      if (kind == "region") {
        part = {random_box(space, share, rng)};
      } else {
        Clause clause;
        for (const int i : random_parameters(space, kind == "values" ? 1 : 2, rng)) {
          clause.push_back(random_value(space, i, rng));
        }
        part.push_back(std::move(clause));
      }
      try {
        now = share_of(space, sample, part);
      } catch (const InputError&) {  // nothing is left
        now = 1.0;
      }
    }
    if (now >= 0.75 * share && now <= 1.25 * share) return part;
  }
  return std::nullopt;
}

struct Outcomes {
  std::int64_t failures = 0;
  std::int64_t evaluations = 0;
  std::optional<double> value = {};  ///< nothing: no evaluation succeeded
  bool crashes = false;              ///< the recommendation does
};

Outcomes run(const Objective& objective, const SearchSpace& works, const std::string& optimiser,
             const std::string& method, std::int64_t iterations, const Rng& rng) {
  constexpr double kWildShare = 0.01;
  constexpr double kWildFactor = 1000.0;
  const bool wild = method == "wild";
  const bool works_everywhere = wild || method == "none";
  const SearchSpace& space = method == "forbidden" ? works : objective.space();
  const YamlNode node = parse_yaml("optimiser: " + optimiser, "--optimisers");
  const Payoffs payoffs = objective.payoffs();
  const auto search = plan_optimiser(*node.find("optimiser"), space)
                          .make({.space = &space,
                                 .budget = iterations,
                                 .payoff_low = payoffs.low,
                                 .payoff_high = payoffs.high,
                                 .noisy = payoffs.noisy});
  Rng own = rng.stream("optimiser");
  Outcomes result;
  bool told = false;
  for (; result.evaluations < iterations; ++result.evaluations) {
    if (told && search->done()) break;
    const Point point = search->ask(own).point;
    const bool crashes = !works_everywhere && !works.is_allowed(point);
    Rng stream = rng.stream("evaluation", static_cast<std::uint64_t>(result.evaluations));
    if (!crashes) {
      const double payoff = objective.evaluate(point, stream);
      search->tell(point, wild && stream.bernoulli(kWildShare) ? kWildFactor * payoff : payoff);
      told = true;
      continue;
    }
    ++result.failures;
    if (method == "learn") search->tell({.point = point}, {.failed = true});
    if (method == "penalty") {
      search->tell(point, objective.unit().payoff_of(0.0));
      told = true;
    }
  }
  if (!told) return result;
  const Point best = search->recommend().point;
  result.crashes = !works_everywhere && !works.is_allowed(best);
  result.value = result.crashes ? 0.0 : *true_value_of(objective, best);
  return result;
}

/// The cells that a file holds, each "landscape|noise|kind|share|optimiser|method|run".
std::set<std::string> done_before(const std::string& csv) {
  std::set<std::string> done;
  std::ifstream file(csv);
  for (std::string line; std::getline(file, line);) {
    std::size_t end = 0;
    for (int i = 0; i < 7 && end != std::string::npos; ++i) end = line.find(';', end + 1);
    done.insert(line.substr(0, end));
  }
  return done;
}

void run_cell(const Arguments& arguments, const std::string& landscape, const std::string& noise,
              const std::string& kind, double share, const std::set<std::string>& done,
              std::ofstream& file) {
  const auto objective = make_objective(landscape, noise);
  for (std::int64_t r = 0; r < arguments.runs; ++r) {
    const Rng rng = Rng(arguments.seed).stream("run", static_cast<std::uint64_t>(r));
    const auto part = crashing_part(objective->space(), kind, share, rng.stream("part"));
    if (!part) return;
    const SearchSpace works(objective->space().parameters(), *part);
    for (const std::string& optimiser : arguments.optimisers) {
      for (const std::string& method : arguments.methods) {
        const std::string key = fmt::format("{};{};{};{};{};{};{}", landscape, noise, kind, share,
                                            optimiser, method, r);
        if (done.contains(key)) continue;
        const Outcomes result =
            run(*objective, works, optimiser, method, arguments.iterations, rng);
        file << fmt::format("{};{};{};{};{}\n", key, result.failures, result.evaluations,
                            result.value ? fmt::format("{:.6f}", *result.value) : "",
                            result.crashes ? 1 : 0);
      }
    }
    file.flush();
  }
}

std::vector<std::string> list_of(const YamlNode& node) {
  std::vector<std::string> items;
  for (const YamlNode& item : node.children()) {
    items.push_back(item.is_scalar() ? item.text() : to_json(item).dump());
  }
  return items;
}

void add_options(CLI::App& program, Arguments& arguments) {
  ntune::add_row_options(program, arguments);
  program.add_option("--iterations", arguments.iterations, "evaluations of a run");
  program.add_option("--seed", arguments.seed, "seed of all runs");
  const auto list = [&](const std::string& name, const char* help, const auto& take) {
    const auto read = [name, take](const std::string& text) {
      take(list_of(parse_yaml(text, name)));
    };
    program.add_option_function<std::string>(name, read, help)->type_name("LIST");
  };
  const auto words = [](std::vector<std::string>& values) {
    return [&values](std::vector<std::string> items) { values = std::move(items); };
  };
  list("--landscapes", "objectives, as in YAML: '[{function: branin}]'",
       words(arguments.landscapes));
  list("--noises", "win_loss or {gaussian: SD}", words(arguments.noises));
  list("--kinds", "what crashes: values, pairs or region", words(arguments.kinds));
  list("--shares", "share of the points that crash", [&](const std::vector<std::string>& items) {
    arguments.shares.clear();
    for (const std::string& share : items) {
      char* end = nullptr;
      arguments.shares.push_back(std::strtod(share.c_str(), &end));
      if (*end != '\0') throw InputError(fmt::format("--shares: '{}' is no number", share));
    }
  });
  list("--optimisers", "names or maps", words(arguments.optimisers));
  list("--methods", "what a search makes of a crash", words(arguments.methods));
}

void run_all(const Arguments& arguments) {
  const std::set<std::string> done = done_before(arguments.csv);
  std::ofstream file(arguments.csv, std::ios::app);
  if (!file) throw InputError(arguments.csv + ": cannot be written");
  if (done.empty()) {
    file << "landscape;noise;kind;share;optimiser;method;run;failures;evaluations;true_value;"
            "recommends_crash\n";
  }
  for (const std::string& landscape : arguments.landscapes) {
    for (const std::string& noise : arguments.noises) {
      for (const std::string& kind : arguments.kinds) {
        for (const double share : arguments.shares) {
          run_cell(arguments, landscape, noise, kind, share, done, file);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ntune

int main(int argc, char** argv) {
  ntune::Arguments arguments;
  CLI::App program("What it is worth to learn which settings crash");
  ntune::add_options(program, arguments);
  return ntune::run_experiment(program, argc, argv, [&] { ntune::run_all(arguments); });
}
