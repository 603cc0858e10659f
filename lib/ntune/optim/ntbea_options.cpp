#include "ntune/optim/ntbea_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"
#include "ntune/optim/optimisers.h"
#include "ntune/optim/smoothed_n_tuple.h"

namespace ntune {

namespace {

const std::vector<NamedChoice> kWeightings = {
    {"none", "plain average over the tuples with data (vanilla NTBEA, eq. 2)"},
    {"linear", "w = min(n / T, 1) (eq. 7)"},
    {"inverse", "w = 1 - T / (n + T) (eq. 9)"},
    {"inverse_root", "w = 1 - sqrt(T / (n + T)) (eq. 8)"},
    {"exponential", "w = 1 - exp(-n / T) (eq. 10)"}};

const std::vector<NamedChoice> kExplorations = {
    {"ucb1", "sqrt(ln(1 + N) / (epsilon + n)) (eq. 5)"},
    {"ratio", "sqrt(ln((1 + N) / (epsilon + n))) (as in TAG)"},
    {"square_root", "sqrt(sqrt(N) / (epsilon + n)) (Tolpin and Shimony 2012)"}};

const std::vector<NamedChoice> kRecommendations = {
    {"mean", "the sampled point with the highest model mean"},
    {"most_sampled", "the most evaluated point; ties by model mean"},
    {"best_lower_bound", "the highest model mean minus k times the exploration term"}};

/// Names of a table, in the order of the enumeration.
template <class Enum>
std::vector<std::pair<std::string, Enum>> enum_table(const std::vector<NamedChoice>& choices) {
  std::vector<std::pair<std::string, Enum>> table;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    table.emplace_back(choices[i].name, static_cast<Enum>(i));
  }
  return table;
}

std::vector<int> read_named_tuple(const YamlNode& node, const SearchSpace& space) {
  std::vector<int> parameters;
  for (const YamlNode& name : node.children()) {
    const int parameter = name.is_scalar() ? space.find(name.text()) : -1;
    if (parameter < 0) {
      const std::vector<std::string> names = space.names();
      name.fail(fmt::format("{} is not a parameter of the space{}; allowed: {}", name.describe(),
                            suggestion(name.text(), names), list_text(names)));
    }
    parameters.push_back(parameter);
  }
  std::ranges::sort(parameters);
  if (parameters.empty() || std::ranges::adjacent_find(parameters) != parameters.end()) {
    node.fail("a tuple needs one or more different parameter names");
  }
  return parameters;
}

TupleSet read_tuples(const YamlNode& node, const SearchSpace& space) {
  if (!node.is_list() || node.children().empty()) {
    node.fail(fmt::format("is {}, a list of sizes, 'all' and lists of parameter names is allowed",
                          node.describe()));
  }
  TupleSet tuples = {.sizes = {}, .all = false, .named = {}};
  for (const YamlNode& item : node.children()) {
    if (item.is_list()) {
      std::vector<int> named = read_named_tuple(item, space);
      if (std::ranges::count(tuples.named, named) > 0) item.fail("this tuple stands twice");
      tuples.named.push_back(std::move(named));
      continue;
    }
    if (item.is_scalar() && item.text() == "all") {
      if (tuples.all) item.fail("'all' stands twice");
      tuples.all = true;
      continue;
    }
    const auto size = item.integer();
    if (!size || *size < 1 || *size > kMaxDimensions) {
      item.fail(
          fmt::format("is {}, a size from 1 to {}, 'all' or a list of parameter names is allowed",
                      item.describe(), kMaxDimensions));
    }
    if (std::ranges::count(tuples.sizes, static_cast<int>(*size)) > 0) {
      item.fail(fmt::format("size {} stands twice", *size));
    }
    tuples.sizes.push_back(static_cast<int>(*size));
  }
  constexpr double kMostTuples = 1e6;
  double count = 0.0;
  for (const int size : tuples.sizes) {
    double subsets = 1.0;
    for (int i = 0; i < size; ++i) subsets *= std::max(0, space.dimensions() - i) / (i + 1.0);
    count += subsets;
  }
  if (count > kMostTuples) {
    node.fail(fmt::format("makes {} tuples, at most {} are allowed", count_text(count),
                          count_text(kMostTuples)));
  }
  return tuples;
}

Json tuples_json(const TupleSet& tuples, const SearchSpace* space) {
  Json list = Json::array();
  for (const int size : tuples.sizes) list.push_back(size);
  if (tuples.all) list.push_back("all");
  for (const std::vector<int>& named : tuples.named) {
    Json names = Json::array();
    for (const int parameter : named) names.push_back((*space)[parameter].name);
    list.push_back(names);
  }
  return list;
}

Json tuples_schema() {
  return Json::parse(R"({"type": "array", "minItems": 1, "items": {"anyOf": [
      {"type": "integer", "minimum": 1, "maximum": 64}, {"const": "all"},
      {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}}]}})");
}

}  // namespace

std::span<const NamedChoice> weighting_table() { return kWeightings; }
std::span<const NamedChoice> exploration_table() { return kExplorations; }
std::span<const NamedChoice> recommendation_table() { return kRecommendations; }

void NtbeaYaml::visit(Options& options) {
  static const std::vector<std::string> kPresets = {"none", "paper"};
  options.choice("preset", preset, kPresets,
                 "paper: every choice as Goodman and Lucas 2020 (the defaults with k = 1); keys "
                 "beside it override it");
  ModelOptions& model = values.model;
  options.custom("tuples",
                 {.read = [&](const YamlNode& node) { model.tuples = read_tuples(node, *space); },
                  .write = [&] { return tuples_json(model.tuples, space); },
                  .schema = tuples_schema},
                 "tuple sizes, 'all' for the tuple of all parameters, or lists of parameter names");
  options.choice("weighting", model.weighting, enum_table<Weighting>(kWeightings),
                 "weight of a tuple's own mean against the level below");
  options.number("T", model.horizon, above(0), "visits at which a weighting counts as informed");
  visit_search(options, values);
}

void visit_search(Options& options, NtbeaOptions& values) {
  ModelOptions& model = values.model;
  options.choice("exploration", model.exploration, enum_table<Exploration>(kExplorations),
                 "form of the exploration term");
  options.number("epsilon", model.epsilon, above(0),
                 "added to the count of a tuple in the exploration term");
  options.number("k", values.k, at_least(0),
                 "exploration constant; auto: half the range of the payoffs, declared by the "
                 "objective or else observed");
  NeighbourhoodOptions& neighbourhood = values.neighbourhood;
  options.integer("neighbours", neighbourhood.size, between(1, 1'000'000),
                  "mutants of the current point per iteration");
  options.number("mutation_rate", neighbourhood.mutation_rate, between(0, 1),
                 "probability that a parameter mutates; auto: 1 / d (one always does)");
  options.flag("different", neighbourhood.different,
               "a mutated parameter takes a value other than its own");
  options.flag("cap", neighbourhood.cap,
               "at most a quarter of the space as neighbours, at least 5");
  options.choice("recommend", values.recommend, enum_table<RecommendBy>(kRecommendations),
                 "which sampled point is recommended");
}

void SmoothedNTupleOptions::visit(Options& options) {
  options.number("bandwidth", values.model.bandwidth, between(0, 1e6),
                 "how far payoffs of ordered parameters are shared, of the range of their values");
  options.number("T", values.model.horizon, above(0),
                 "payoffs of its own at which a tuple takes half of what is shared with it");
  visit_search(options, values);
}

void NtbeaYaml::apply_preset(const std::string& name) {
  if (name == "paper") values.k = {.automatic = false, .value = 1.0};
}

std::unique_ptr<Optimiser> make_ntbea(const NtbeaOptions& options,
                                      const OptimiserContext& context) {
  const SearchSpace& space = *context.space;
  if (options.model.weighting == Weighting::kNone) {
    if (PairModel<false>::fits(space, options.model.tuples)) {
      return std::make_unique<Ntbea<PairModel<false>>>(options, context);
    }
  } else if (PairModel<true>::fits(space, options.model.tuples)) {
    return std::make_unique<Ntbea<PairModel<true>>>(options, context);
  }
  return std::make_unique<Ntbea<NTupleModel>>(options, context);
}

}  // namespace ntune
