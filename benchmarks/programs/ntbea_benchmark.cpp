// Cost of one NTBEA iteration: ask, evaluate, tell, with 50 neighbours and tuples 1, 2, all. The
// evaluation is a table look-up with a random payoff, so that the optimiser is what is measured.

#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"
#include "ntune/optim/ntbea/ntbea.h"

namespace ntune {
namespace {

constexpr std::int64_t kIterations = 3000;

SearchSpace make_space(int dimensions, int values) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < dimensions; ++i) {
    parameters.push_back(make_integers("x" + std::to_string(i + 1), 0, values - 1));
  }
  return SearchSpace(std::move(parameters));
}

/// Win probability of a point: falls linearly with its distance from a fixed centre.
double win_probability(const Point& point, const SearchSpace& space) {
  double distance = 0.0;
  for (int i = 0; i < point.size(); ++i) {
    const int values = space[i].cardinality();
    distance += std::abs(point[i] - values / 3) / static_cast<double>(values);
  }
  return 1.0 - distance / point.size();
}

NtbeaOptions options_for(const Weighting* weighting, const Exploration* exploration) {
  NtbeaOptions options;
  options.model.weighting = weighting;
  options.model.exploration = exploration;
  return options;
}

OptimiserContext context_for(const SearchSpace& space) {
  return {.space = &space, .budget = kIterations, .payoff_low = -1.0, .payoff_high = 1.0};
}

/// Runs kIterations of ask, evaluate, tell.
template <class Model>
void run(Ntbea<Model>& optimiser, const SearchSpace& space, const Rng& rng) {
  Rng draws = rng.stream("optimiser");
  for (std::int64_t i = 0; i < kIterations; ++i) {
    const Point point = optimiser.ask(draws).point;
    Rng stream = rng.stream("evaluation", static_cast<std::uint64_t>(i));
    optimiser.tell(point, stream.bernoulli(win_probability(point, space)) ? 1.0 : -1.0);
  }
}

/// The fast model must agree with the general one on a run's data: scores of points and neighbours.
template <class Model>
bool agrees_with_general_model(const SearchSpace& space, const NtbeaOptions& options) {
  constexpr double kTolerance = 1e-9;
  constexpr int kAdded = 200;
  Model fast(space, options.model, kIterations);
  NTupleModel general(space, options.model, kIterations);
  Neighbourhood neighbourhood(space, options.neighbourhood);
  Rng rng(1);
  Point point = space.sample(rng);
  for (int i = 0; i < kAdded; ++i) {
    const double payoff = rng.bernoulli(win_probability(point, space)) ? 1.0 : -1.0;
    fast.add(point, payoff);
    general.add(point, payoff);
    fast.focus(point);
    general.focus(point);
    neighbourhood.draw(point, rng);
    for (std::size_t n = 0; n < neighbourhood.size(); ++n) {
      const Score a = fast.neighbours()(neighbourhood[n]);
      const Score b = general.score_neighbour(neighbourhood[n]);
      if (std::abs(a.mean - b.mean) > kTolerance) return false;
      if (std::abs(a.exploration - b.exploration) > kTolerance) return false;
    }
    for (const Change& change : neighbourhood[0]) point[change.parameter] = change.value;
  }
  return true;
}

template <class Model>
void iteration(benchmark::State& state, const Weighting* weighting,
               const Exploration* exploration) {
  const SearchSpace space =
      make_space(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const NtbeaOptions options = options_for(weighting, exploration);
  if (!agrees_with_general_model<Model>(space, options)) {
    state.SkipWithError("the model disagrees with the general N-tuple model");
    return;
  }
  std::uint64_t seed = 0;
  for (auto _ : state) {
    Ntbea<Model> optimiser(options, context_for(space));
    run(optimiser, space, Rng(seed++));
    benchmark::DoNotOptimize(optimiser.recommend());
  }
  state.SetItemsProcessed(state.iterations() * kIterations);
  state.counters["per_iteration"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kIterations),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void vanilla(benchmark::State& state) {
  iteration<PairModel<false>>(state, entry_named(kWeightings, "none"),
                              entry_named(kExplorations, "ucb1"));
}
void weighted(benchmark::State& state) {
  iteration<PairModel<true>>(state, entry_named(kWeightings, "inverse"),
                             entry_named(kExplorations, "ucb1"));
}
void ratio(benchmark::State& state) {
  iteration<PairModel<false>>(state, entry_named(kWeightings, "none"),
                              entry_named(kExplorations, "ratio"));
}
void general_model(benchmark::State& state) {
  iteration<NTupleModel>(state, entry_named(kWeightings, "none"),
                         entry_named(kExplorations, "ucb1"));
}

/// Dimensions and values per parameter: the paper's shapes, then growth in d.
void paper_shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({2, 20})->Args({3, 10})->Args({6, 5})->Args({10, 10});
}
void growth(benchmark::internal::Benchmark* benchmark) {
  paper_shapes(benchmark);
  benchmark->Args({20, 10})->Args({30, 10})->Args({40, 10})->Args({50, 10});
}

BENCHMARK(vanilla)->Apply(growth)->Unit(benchmark::kMillisecond);
BENCHMARK(weighted)->Apply(growth)->Unit(benchmark::kMillisecond);
BENCHMARK(ratio)->Apply(paper_shapes)->Unit(benchmark::kMillisecond);
BENCHMARK(general_model)->Apply(paper_shapes)->Unit(benchmark::kMillisecond);

/// One evaluation of hartmann6 with win-or-loss noise, its stream included.
void evaluate_hartmann6(benchmark::State& state) {
  const YamlNode options = parse_yaml("{function: hartmann6, noise: win_loss}");
  const auto objective = find_objective(options).make(options, nullptr);
  const Rng root(1);
  Rng points(2);
  const Point point = objective->space().sample(points);
  constexpr int kCheck = 100'000;
  double sum = 0.0;
  for (std::uint64_t i = 0; i < kCheck; ++i) {
    Rng stream = root.stream("evaluation", i);
    sum += objective->evaluate(point, stream);
  }
  const double p = *true_value_of(*objective, point);
  const double bound = 5.0 * 2.0 * std::sqrt(p * (1.0 - p) / kCheck);
  if (std::abs(sum / kCheck - (2.0 * p - 1.0)) > bound) {
    state.SkipWithError("the mean payoff is not the true value");
    return;
  }
  std::uint64_t i = 0;
  for (auto _ : state) {
    Rng stream = root.stream("evaluation", i++);
    benchmark::DoNotOptimize(objective->evaluate(point, stream));
  }
}
BENCHMARK(evaluate_hartmann6);

}  // namespace
}  // namespace ntune
