#include "ntune/optim/ntbea/ntbea_options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"

namespace ntune {

namespace {

/// Reads a list of different parameter names as their ascending indices.
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

/// Adds one item of the list: a size, 'all', or a list of names. Each may stand once.
void add_tuples(const YamlNode& item, const SearchSpace& space, TupleSet& tuples) {
  if (item.is_list()) {
    std::vector<int> named = read_named_tuple(item, space);
    if (std::ranges::count(tuples.named, named) > 0) item.fail("this tuple stands twice");
    tuples.named.push_back(std::move(named));
    return;
  }
  if (item.is_scalar() && item.text() == "all") {
    if (tuples.all) item.fail("'all' stands twice");
    tuples.all = true;
    return;
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

/// Returns the number of subsets of the given sizes, a sum of binomial coefficients. It is a
/// double, as it may be far beyond 64 bits.
double count_subsets(const std::vector<int>& sizes, int dimensions) {
  double count = 0.0;
  for (const int size : sizes) {
    double subsets = 1.0;
    for (int i = 0; i < size; ++i) subsets *= std::max(0, dimensions - i) / (i + 1.0);
    count += subsets;
  }
  return count;
}

/// The value of `tuples:`, a list of sizes, of 'all' and of lists of parameter names.
TupleSet read_tuples(const YamlNode& node, const SearchSpace& space) {
  if (!node.is_list() || node.children().empty()) {
    node.fail(fmt::format("is {}, a list of sizes, 'all' and lists of parameter names is allowed",
                          node.describe()));
  }
  TupleSet tuples = {.sizes = {}, .all = false, .named = {}};
  for (const YamlNode& item : node.children()) add_tuples(item, space, tuples);
  // Named tuples need no limit, as each of them stands in the file.
  constexpr double kMostTuples = 1e6;
  const double count = count_subsets(tuples.sizes, space.dimensions());
  if (count > kMostTuples) {
    node.fail(fmt::format("makes {} tuples, at most {} are allowed", count_text(count),
                          count_text(kMostTuples)));
  }
  return tuples;
}

/// Writes the list as `read_tuples` takes it. `space` gives the names, and may be null where no
/// tuple is named.
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

/// The JSON Schema of that list.
Json tuples_schema() {
  return Json::parse(R"({"type": "array", "minItems": 1, "items": {"anyOf": [
      {"type": "integer", "minimum": 1, "maximum": 512}, {"const": "all"},
      {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean"]}}]}})");
}

/// Declares an option whose value is an entry of a table, named as that entry.
template <class Entry, std::size_t kEntries>
void choose_entry(Options& options, const char* key, const Entry*& value,
                  const std::array<Entry, kEntries>& entries, const char* help) {
  std::vector<std::pair<std::string, const Entry*>> table;
  for (const Entry& entry : entries) table.emplace_back(entry.name, &entry);
  options.choice(key, value, table, help);
}

/// Declares the options of exploration, neighbourhood and recommendation.
void visit_search(Options& options, NtbeaOptions& values) {
  ModelOptions& model = values.model;
  choose_entry(options, "exploration", model.exploration, kExplorations,
               "form of the exploration term");
  options.number("epsilon", model.epsilon, above(0),
                 "added to the count of a tuple in the exploration term");
  options.number("k", values.k, at_least(0),
                 "exploration constant; auto: half the range of the payoffs, declared by the "
                 "objective or else observed");
  options.choice(
      "unseen", model.unseen_is_zero,
      std::vector<std::pair<std::string, bool>>{{"mean", false}, {"zero", true}},
      "what a tuple without payoffs is worth: the mean of all payoffs, so that a constant "
      "added to them changes nothing; or 0, as in the paper");
  // The options from here on choose the neighbours and the recommendation, not the model.
  NeighbourhoodOptions& neighbourhood = values.neighbourhood;
  options.integer("neighbours", neighbourhood.size, between(1, 1'000'000),
                  "mutants of the current point per iteration");
  options.number("mutation_rate", neighbourhood.mutation_rate, between(0, 1),
                 "probability that a parameter mutates; auto: 1 / d (one always does)");
  options.flag("different", neighbourhood.different,
               "a mutated parameter takes a value other than its own");
  options.flag("cap", neighbourhood.cap,
               "at most a quarter of the space as neighbours, at least 5");
  choose_entry(options, "recommend", values.recommend, kRecommendationRules,
               "which sampled point is recommended");
}

}  // namespace

/// Declares the options of `ntbea`: the model's tuples and its weighting, then those of the search.
void NtbeaYaml::visit(Options& options) {
  static const std::vector<std::string> kPresets = {"none", "paper"};
  options.choice(
      "preset", preset, kPresets,
      "paper: the defaults with k = 1 and unseen: zero, as Goodman and Lucas 2020; ln(1 + N) and "
      "`different` are choices of their program; keys beside it override it");
  // Reading tuples needs the space, as they may name parameters.
  ModelOptions& model = values.model;
  options.custom("tuples",
                 {.read = [&](const YamlNode& node) { model.tuples = read_tuples(node, *space); },
                  .write = [&] { return tuples_json(model.tuples, space); },
                  .schema = tuples_schema},
                 "tuple sizes, 'all' for the tuple of all parameters, or lists of parameter names");
  choose_entry(options, "weighting", model.weighting, kWeightings,
               "weight of a tuple's own mean against the level below");
  options.number("T", model.horizon, above(0), "visits at which a weighting counts as informed");
  visit_search(options, values);
}

/// Sets the defaults of a preset, before the keys beside it are read.
void NtbeaYaml::apply_preset(const std::string& name) {
  if (name != "paper") return;
  values.k = {.automatic = false, .value = 1.0};
  values.model.unseen_is_zero = true;
}

/// The fast model holds single parameters, pairs and the d-tuple alone; any other set of tuples
/// needs the general one. Both give the same scores but for rounding.
std::unique_ptr<Optimiser> make_ntbea(const NtbeaOptions& options,
                                      const OptimiserContext& context) {
  const SearchSpace& space = *context.space;
  if (!PairModel<false>::fits(space, options.model.tuples)) {
    return std::make_unique<Ntbea<NTupleModel>>(options, context);
  }
  if (options.model.weighted()) return std::make_unique<Ntbea<PairModel<true>>>(options, context);
  return std::make_unique<Ntbea<PairModel<false>>>(options, context);
}

}  // namespace ntune
